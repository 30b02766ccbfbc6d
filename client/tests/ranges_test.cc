// Ranges in and out, against a real server in both protocols: lists of keys that are made at run
// time, structs as hashes, scans, streams, pipelines that throw.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <ranges>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "redis_server.h"
#include "slotcar/redis.h"
#include "slotcar/stream_reader.h"

namespace slotcar::client {

struct User {
  std::string name;
  int age = 0;
  std::optional<std::string> mail;
  bool operator==(const User&) const = default;
};
constexpr auto hash_fields(const User*) {
  return std::tuple(Field("name", &User::name), Field("age", &User::age),
                    Field("mail", &User::mail));
}

namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

template <class T>
Strings words(const Typed<T>& typed) {
  Strings all;
  for (std::size_t i = 0; i < typed.request().arguments(); ++i) {
    all.emplace_back(typed.request().argument(i));
  }
  return all;
}

TEST(RangeWords, OfEveryKindOfRange) {
  const std::list<std::string> list = {"a", "b"};
  const std::array<int, 3> numbers = {1, 2, 3};
  std::vector<std::string> keys = {"x", "skip", "y"};
  EXPECT_EQ(words(commands::del(list)), (Strings{"DEL", "a", "b"}));
  EXPECT_EQ(words(commands::del(std::ranges::subrange(list.begin(), list.end()))),
            (Strings{"DEL", "a", "b"}));
  EXPECT_EQ(words(commands::sadd("s", std::span(numbers).subspan(1))),
            (Strings{"SADD", "s", "2", "3"}));
  // A view that can only be read when it is not const, and values that are made on the way.
  auto view = keys | std::views::filter([](const std::string& key) { return key != "skip"; });
  EXPECT_EQ(words(commands::lmpop(view, commands::LmpopWhere::left)),
            (Strings{"LMPOP", "2", "x", "y", "LEFT"}));
  EXPECT_EQ(words(commands::mget(keys | std::views::transform(
                                            [](const std::string& key) { return "user:" + key; }))),
            (Strings{"MGET", "user:x", "user:skip", "user:y"}));
  const std::list<std::pair<std::string, double>> pairs = {{"f", 1.5}};
  EXPECT_EQ(words(commands::hset("h", pairs)), (Strings{"HSET", "h", "f", "1.5"}));
  const std::array<std::tuple<double, std::string>, 1> scored = {{{2, "m"}}};
  EXPECT_EQ(words(commands::zadd("z", scored)), (Strings{"ZADD", "z", "2", "m"}));
  EXPECT_EQ(words(commands::del(std::vector<std::string>{})), (Strings{"DEL"}));
}

TEST(RangeWords, OfAStruct) {
  EXPECT_EQ(words(commands::hset("u", User{"ann", 7, {}})),
            (Strings{"HSET", "u", "name", "ann", "age", "7"}));
  EXPECT_EQ(words(commands::hset("u", User{"ann", 7, "a@b"})),
            (Strings{"HSET", "u", "name", "ann", "age", "7", "mail", "a@b"}));
}

class Ranges : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    client_ = std::make_unique<Client>(Options{.uri = server_->uri(GetParam())});
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> client_;
};
INSTANTIATE_TEST_SUITE_P(BothProtocols, Ranges, testing::Values("?protocol=2", "?protocol=3"));

TEST_P(Ranges, AStructIsAHash) {
  Redis redis(*client_);
  const User ann{"ann", 7, {}};
  ASSERT_EQ(*redis.hset("u", ann), 2);
  EXPECT_EQ(*redis.hgetall<User>("u"), ann);
  ASSERT_EQ(*redis.hset("u", {{"mail", "a@b"}, {"unknown", "x"}}), 2);
  EXPECT_EQ(*redis.hgetall<std::optional<User>>("u"), (User{"ann", 7, "a@b"}));
  EXPECT_EQ(*redis.hgetall<std::optional<User>>("none"), std::nullopt);
  EXPECT_EQ(redis.hgetall<User>("none").error().message, "the hash has no field 'name'");
  ASSERT_EQ(*redis.hset("u", {{"age", "old"}}), 0);
  EXPECT_EQ(redis.hgetall<User>("u").error().kind, Error::Kind::conversion);
  ASSERT_TRUE(redis.set("s", "text").ok());
  EXPECT_EQ(redis.hgetall<User>("s").error().code(), "WRONGTYPE");
}

TEST_P(Ranges, ContainersOfManyKinds) {
  Redis redis(*client_);
  ASSERT_TRUE(redis.mset(std::map<std::string, int>{{"a", 1}, {"b", 2}}).ok());
  const Strings keys = {"a", "b"};
  EXPECT_EQ((*redis.mget<std::list<int>>(keys)), (std::list<int>{1, 2}));
  EXPECT_EQ((*redis.mget<std::tuple<int, std::string>>(keys)), std::tuple(1, std::string("2")));
  EXPECT_EQ((*redis.mget<std::pair<int, double>>(keys)), std::pair(1, 2.0));
  ASSERT_TRUE(redis.sadd("s", std::set<int>{3, 4}).ok());
  EXPECT_EQ((*redis.smembers<std::unordered_set<int>>("s")), (std::unordered_set<int>{3, 4}));
  ASSERT_TRUE(redis.zadd("z", {{1, "m"}}).ok());
  EXPECT_EQ(
      (redis.zrange<std::unordered_map<std::string, float>>("z", 0, -1, with_scores)->at("m")), 1);
}

TEST_P(Ranges, ScansSeeEverything) {
  Redis redis(*client_);
  std::map<std::string, int> many;
  for (int i = 0; i < 2'000; ++i) many.emplace("key:" + std::to_string(i), i);
  ASSERT_TRUE(redis.mset(many).ok());
  ASSERT_TRUE(redis.hset("h", many).ok());
  ASSERT_TRUE(redis.sadd("s", std::views::keys(many)).ok());
  ASSERT_TRUE(redis
                  .zadd("z", many | std::views::transform([](const auto& pair) {
                               return std::pair(pair.second, pair.first);
                             }))
                  .ok());
  std::set<std::string> keys;
  auto scan = redis.scan_keys({.match = "key:*", .count = 100});
  for (const std::string& key : scan) keys.insert(key);
  EXPECT_TRUE(scan.status().ok());
  EXPECT_EQ(keys.size(), 2'000u);
  std::map<std::string, int> fields;
  for (const auto& [field, value] : redis.scan_hash<std::pair<std::string, int>>("h")) {
    fields[field] = value;
  }
  EXPECT_EQ(fields, many);
  std::set<std::string> members;
  for (const std::string& member : redis.scan_set("s")) members.insert(member);
  EXPECT_EQ(members.size(), 2'000u);
  double sum = 0;
  std::set<std::string> once;
  for (const auto& [member, score] : redis.scan_sorted_set("z")) {
    if (once.insert(member).second) sum += score;
  }
  EXPECT_EQ(sum, 1999 * 1000);
  for (const std::string& key : redis.scan_keys({.match = "nothing"})) ADD_FAILURE() << key;
  static_assert(std::ranges::input_range<Scan<std::string>>);
}

TEST_P(Ranges, AScanThatFailsSaysSo) {
  Redis redis(*client_);
  ASSERT_TRUE(redis.set("text", "x").ok());
  auto wrong = redis.scan_set("text");
  for (const std::string& member : wrong) ADD_FAILURE() << member;
  EXPECT_EQ(wrong.status().error().code(), "WRONGTYPE");
  ThrowingRedis throwing(*client_);
  const auto read = [&] {
    for (const std::string& member : throwing.scan_set("text")) ADD_FAILURE() << member;
  };
  EXPECT_THROW(read(), RedisError);
}

Task<std::size_t> count_pages(AsyncRedis redis, std::size_t& pages) {
  auto scan = redis.scan_keys({.count = 50});
  std::set<std::string> keys;
  for (;;) {
    auto page = co_await scan.next_page();
    if (!page || page->empty()) break;
    ++pages;
    keys.insert(page->begin(), page->end());
  }
  co_return keys.size();
}

TEST_P(Ranges, PagesCanBeAwaited) {
  std::map<std::string, int> many;
  for (int i = 0; i < 500; ++i) many.emplace("key:" + std::to_string(i), i);
  ASSERT_TRUE(Redis(*client_).mset(many).ok());
  std::size_t pages = 0;
  EXPECT_EQ(sync_wait(count_pages(AsyncRedis(*client_), pages)), 500u);
  EXPECT_GT(pages, 2u);
}

TEST_P(Ranges, AStreamIsReadWithoutHoles) {
  Redis redis(*client_);
  for (int i = 1; i <= 5; ++i)
    ASSERT_TRUE(redis.xadd("a", std::to_string(i) + "-0", {{"n", i}}).ok());
  StreamReader reader(*client_, {{"a", "0"}, {"b", "$"}}, 2);
  Strings ids;
  // What comes to "$" between two reads is seen, though no read waits for it.
  while (auto entry = *reader.next(0ms)) {
    ids.push_back(entry->stream + entry->entry.id);
    if (ids.size() == 1) {
      ASSERT_TRUE(redis.xadd("b", "1-0", {{"n", 1}}).ok());
    }
  }
  EXPECT_EQ(std::count(ids.begin(), ids.end(), "b1-0"), 1);
  EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(reader.position("a"), "5-0");
  EXPECT_EQ(*reader.next(5ms), std::nullopt);
  StreamReader later(*client_, {{"a", reader.position("a")}});
  ASSERT_TRUE(redis.xadd("a", "6-0", {{"n", 6}}).ok());
  const auto page = sync_wait(later.next_page(1s));
  ASSERT_EQ(page->size(), 1u);
  EXPECT_EQ((*page)[0].entry.fields[0].second, "6");
  ASSERT_TRUE(redis.set("text", "x").ok());
  StreamReader wrong(*client_, {{"text", "$"}});
  EXPECT_EQ(wrong.next(1ms).error().code(), "WRONGTYPE");
}

TEST_P(Ranges, AThrowingPipeline) {
  ThrowingRedis redis(*client_);
  const auto [set, number, nothing] =
      redis.pipeline(commands::set("k", 1), commands::incr("k"), commands::rename("k", "l"));
  EXPECT_TRUE(set);
  EXPECT_EQ(number, 2);
  EXPECT_EQ(nothing, std::monostate());
  EXPECT_THROW((void)redis.pipeline(commands::lpop("l"), commands::incr("l")), RedisError);
  EXPECT_EQ(redis.get<int>("l"), 3) << "the second was sent all the same";
}

TEST_P(Ranges, OptionsOfACall) {
  Redis redis(*client_);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(redis.with({.stop = stop.get_token()}).get("k").error().kind, Error::Kind::cancelled);
  EXPECT_EQ(redis.with({.group = "no such group"}).get("k").error().kind, Error::Kind::usage);
  auto [in_pipeline] = redis.with({.group = "no such group"}).pipeline(commands::get("k"));
  EXPECT_EQ(in_pipeline.error().kind, Error::Kind::usage);
  EXPECT_TRUE(redis.with({.timeout = 3s}).get("k").ok());
}

}  // namespace
}  // namespace slotcar::client
