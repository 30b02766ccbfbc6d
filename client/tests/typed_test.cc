// Typed commands against a real server, in both protocols: the same calls must give the same
// values. The sent requests are compared with hand-written ones.
#include <gtest/gtest.h>

#include <unordered_map>

#include "redis_server.h"
#include "slotcar/redis.h"
#include "slotcar/task.h"
#include "slotcar/when.h"

namespace slotcar::client {

struct Point {
  int x = 0;
  int y = 0;
  bool operator==(const Point&) const = default;
};
std::string to_argument(const Point& point) {
  return std::to_string(point.x) + "," + std::to_string(point.y);
}
Status from_reply(const Reply& reply, Point& point) {
  if (std::sscanf(reply.text().c_str(), "%d,%d", &point.x, &point.y) == 2) return {};
  return Error{Error::Kind::conversion, Error::Ran::yes, "not a point: " + reply.describe()};
}

namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;
using Maybe = std::optional<std::string>;
using Scored = std::vector<std::pair<std::string, double>>;

template <class T>
Strings words(const Typed<T>& typed) {
  Strings all;
  for (std::size_t i = 0; i < typed.request().arguments(); ++i) {
    all.emplace_back(typed.request().argument(i));
  }
  return all;
}

TEST(TypedWords, AreWhatAPersonWouldWrite) {
  using namespace commands;
  const std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
  const std::vector<std::string> keys = {"x", "y"};
  EXPECT_EQ(words(commands::set("k", "v")), (Strings{"SET", "k", "v"}));
  EXPECT_EQ(words(commands::set("k", 1.5, {.ex = 60s, .only_if = absent})),
            (Strings{"SET", "k", "1.5", "NX", "EX", "60"}));
  EXPECT_EQ(words(commands::set("k", Point{1, 2}, and_get_old, {.keepttl = true})),
            (Strings{"SET", "k", "1,2", "GET", "KEEPTTL"}));
  EXPECT_EQ(words(del({"a", "b"})), (Strings{"DEL", "a", "b"}));
  EXPECT_EQ(
      words(module_loadex("m.so", {.config = {{"a", "1"}, {"b", "2"}}, .args = {"c"}})),
      (Strings{"MODULE", "LOADEX", "m.so", "CONFIG", "a", "1", "CONFIG", "b", "2", "ARGS", "c"}));
  EXPECT_EQ(words(del("a")), (Strings{"DEL", "a"}));
  EXPECT_EQ(words(del(keys)), (Strings{"DEL", "x", "y"}));
  EXPECT_EQ(del(keys).request().keys().size(), 2u);
  EXPECT_EQ(words(mset(map)), (Strings{"MSET", "a", "1", "b", "2"}));
  EXPECT_EQ(mset(map).request().keys(), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(words(hset("h", {{"f", "v"}, {"n", UINT64_MAX}})),
            (Strings{"HSET", "h", "f", "v", "n", "18446744073709551615"}));
  EXPECT_EQ(words(zadd("z", {{1.5, "m"}}, {.ch = true, .only_if = present})),
            (Strings{"ZADD", "z", "XX", "CH", "1.5", "m"}));
  EXPECT_EQ(words(zrange("z", "(1", "+inf", with_scores,
                         {.sortby = ZrangeSortby::byscore, .limit = {{.offset = 0, .count = 5}}})),
            (Strings{"ZRANGE", "z", "(1", "+inf", "BYSCORE", "LIMIT", "0", "5", "WITHSCORES"}));
  EXPECT_EQ(words(zunion({"a", "b"}, {.weights = {1, 2.5}, .aggregate = ZunionAggregate::max})),
            (Strings{"ZUNION", "2", "a", "b", "WEIGHTS", "1", "2.5", "AGGREGATE", "MAX"}));
  EXPECT_EQ(words(blpop({"a", "b"}, 1500ms)), (Strings{"BLPOP", "a", "b", "1.5"}));
  EXPECT_EQ(words(expire("k", 5s, {.only_if = greater})), (Strings{"EXPIRE", "k", "5", "GT"}));
  // Some timeouts are milliseconds.
  EXPECT_EQ(words(commands::wait(1, 2s)), (Strings{"WAIT", "1", "2000"}));
  EXPECT_EQ(words(client_pause(1500ms)), (Strings{"CLIENT", "PAUSE", "1500"}));
  EXPECT_EQ(words(zincrby("z", 0.5, "m")), (Strings{"ZINCRBY", "z", "0.5", "m"}));
  EXPECT_EQ(words(xadd("s", "*", {{"f", "v"}},
                       {.trim = {{.strategy = XaddStrategy::maxlen,
                                  .operator_ = XaddOperator::approximately,
                                  .threshold = "10"}}})),
            (Strings{"XADD", "s", "MAXLEN", "~", "10", "*", "f", "v"}));
  EXPECT_EQ(words(xreadgroup("g", "c", {"s", "t"}, {">", ">"}, {.count = 5, .block = 10ms})),
            (Strings{"XREADGROUP", "GROUP", "g", "c", "COUNT", "5", "BLOCK", "10", "STREAMS", "s",
                     "t", ">", ">"}));
  EXPECT_EQ(words(geosearch("g", {.fromlonlat = {{.longitude = 1, .latitude = 2}},
                                  .circle = {{.radius = 5, .unit = GeosearchUnit::km}},
                                  .order = GeosearchOrder::asc})),
            (Strings{"GEOSEARCH", "g", "FROMLONLAT", "1", "2", "BYRADIUS", "5", "KM", "ASC"}));
  EXPECT_EQ(words(lmpop({"a", "b"}, LmpopWhere::left, {.count = 2})),
            (Strings{"LMPOP", "2", "a", "b", "LEFT", "COUNT", "2"}));
  EXPECT_EQ(words(commands::sort("k", {.by = "w_*", .get = {"#", "o_*"}, .alpha = true})),
            (Strings{"SORT", "k", "BY", "w_*", "GET", "#", "GET", "o_*", "ALPHA"}));
  EXPECT_EQ(words(client_setname("me")), (Strings{"CLIENT", "SETNAME", "me"}));
  EXPECT_EQ(words(hexpire("h", 5s, {"f", "g"})),
            (Strings{"HEXPIRE", "h", "5", "FIELDS", "2", "f", "g"}));
}

class TypedCommands : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    client_ = std::make_unique<Client>(Options{.uri = server_->uri(GetParam())});
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> client_;
};
INSTANTIATE_TEST_SUITE_P(BothProtocols, TypedCommands,
                         testing::Values("?protocol=2", "?protocol=3"));

TEST_P(TypedCommands, Strings) {
  Redis redis(*client_);
  EXPECT_TRUE(*redis.set("k", "v", {.ex = 60s, .only_if = absent}));
  EXPECT_FALSE(*redis.set("k", "w", {.only_if = absent}));
  EXPECT_EQ(*redis.get("k"), "v");
  EXPECT_EQ(*redis.get("none"), Maybe());
  EXPECT_EQ(*redis.set("k", "new", and_get_old), "v");
  EXPECT_EQ(*redis.ttl("k"), -1);
  EXPECT_EQ(*redis.append("k", "er"), 5);
  EXPECT_EQ(*redis.getrange("k", 0, 2), "new");
  EXPECT_EQ(*redis.incrby("n", 5), 5);
  EXPECT_EQ(*redis.incrbyfloat("n", 0.5), 5.5);
  EXPECT_TRUE(redis.mset({{"a", 1}, {"b", 'x'}}).ok());
  EXPECT_FALSE(*redis.msetnx({{"a", 1}, {"c", 2}}));
  EXPECT_EQ(*redis.mget({"a", "none", "b"}), (std::vector<Maybe>{"1", {}, "x"}));
  EXPECT_EQ(*redis.getdel("a"), "1");
  EXPECT_EQ(*redis.getex("b", {.ex = 10s}), "x");
  EXPECT_EQ(*redis.getset("b", "y"), "x");
  EXPECT_EQ(*redis.setrange("b", 1, "z"), 2);
  EXPECT_EQ(*redis.strlen("b"), 2);
  EXPECT_TRUE(redis.setex("e", 5s, "v").ok());
  EXPECT_EQ(*redis.lcs("k", "b", length_only), 0);
  EXPECT_FALSE(*redis.setbit("bits", 7, 1));
  EXPECT_TRUE(*redis.getbit("bits", 7));
  EXPECT_EQ(*redis.bitcount("bits"), 1);
  EXPECT_EQ(*redis.bitpos("bits", 1), 7);
  EXPECT_TRUE(*redis.pfadd("p", {"a", "b"}));
  EXPECT_EQ(*redis.pfcount({"p"}), 2);
}

TEST_P(TypedCommands, Keys) {
  Redis redis(*client_);
  ASSERT_TRUE(redis.mset({{"a", 1}, {"b", 2}}).ok());
  EXPECT_EQ(*redis.exists({"a", "b", "c"}), 2);
  EXPECT_EQ(*redis.touch({"a"}), 1);
  EXPECT_TRUE(*redis.expire("a", 100s));
  EXPECT_FALSE(*redis.expire("a", 50s, {.only_if = greater}));
  EXPECT_EQ(*redis.ttl("a"), 100);
  EXPECT_TRUE(*redis.persist("a"));
  EXPECT_TRUE(redis.rename("a", "c").ok());
  EXPECT_FALSE(*redis.renamenx("c", "b"));
  EXPECT_TRUE(*redis.copy("c", "d"));
  EXPECT_EQ(*redis.type("d"), "string");
  EXPECT_EQ(redis.keys("*")->size(), 3u);
  EXPECT_EQ(*redis.dbsize(), 3);
  const auto dump = *redis.dump("d");
  ASSERT_TRUE(dump);
  EXPECT_TRUE(redis.restore("e", 0, *dump).ok());
  EXPECT_EQ(*redis.get("e"), "1");
  const auto scan = *redis.scan("0", {.match = "?", .count = 1000});
  EXPECT_EQ(scan.first, "0");
  EXPECT_EQ(scan.second.size(), 4u);
  EXPECT_EQ(*redis.unlink({"b", "c", "d"}), 3);
  EXPECT_EQ(*redis.del("e"), 1);
  EXPECT_EQ(*redis.randomkey(), Maybe());
  EXPECT_EQ(redis.restore("x", 0, "junk").error().kind, Error::Kind::server);
}

TEST_P(TypedCommands, HashesAndLists) {
  Redis redis(*client_);
  EXPECT_EQ(*redis.hset("h", {{"f", "v"}, {"n", 1}}), 2);
  EXPECT_EQ(*redis.hset("h", std::map<std::string, int>{{"m", 3}}), 1);
  EXPECT_EQ(*redis.hget("h", "f"), "v");
  EXPECT_TRUE(*redis.hexists("h", "n"));
  EXPECT_EQ(*redis.hgetall("h"),
            (std::map<std::string, std::string>{{"f", "v"}, {"m", "3"}, {"n", "1"}}));
  EXPECT_EQ((redis.hgetall<std::unordered_map<std::string, std::string>>("h")->at("m")), "3");
  EXPECT_EQ(*redis.hmget("h", {"f", "x"}), (std::vector<Maybe>{"v", {}}));
  EXPECT_EQ(*redis.hincrby("h", "n", 4), 5);
  EXPECT_EQ(*redis.hincrbyfloat("h", "n", 0.5), 5.5);
  EXPECT_EQ(redis.hrandfield("h", 10, with_values)->size(), 3u);
  EXPECT_EQ(redis.hrandfield("h", 2)->size(), 2u);
  EXPECT_EQ(redis.hscan("h", "0")->second.size(), 3u);
  EXPECT_EQ(*redis.hdel("h", {"f", "m"}), 2);
  EXPECT_EQ(*redis.hkeys("h"), Strings{"n"});
  EXPECT_EQ(*redis.hlen("h"), 1);
  EXPECT_EQ(*redis.rpush("l", {"a", "b", "c", "b"}), 4);
  EXPECT_EQ(*redis.lrange("l", 0, -1), (Strings{"a", "b", "c", "b"}));
  EXPECT_EQ(*redis.lpos("l", "b"), 1);
  EXPECT_EQ(*redis.lpos("l", "b", 0), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(*redis.lpos("l", "x"), std::nullopt);
  EXPECT_EQ(*redis.lindex("l", 0), "a");
  EXPECT_EQ(*redis.linsert("l", commands::LinsertWhere::before, "c", "x"), 5);
  EXPECT_TRUE(redis.lset("l", 0, "A").ok());
  EXPECT_EQ(*redis.lrem("l", 0, "b"), 2);
  EXPECT_EQ(*redis.lmove("l", "m", commands::LmoveWherefrom::left, commands::LmoveWhereto::right),
            "A");
  EXPECT_EQ(*redis.lpop("m"), "A");
  EXPECT_EQ(*redis.lpop("m"), Maybe());
  EXPECT_EQ(*redis.lpop("l", 5), (Strings{"x", "c"}));
  EXPECT_EQ(*redis.lpop("l", 5), std::nullopt);
  EXPECT_EQ(*redis.blpop("l", 10ms), std::nullopt);
  ASSERT_TRUE(redis.rpush("l", "z").ok());
  EXPECT_EQ(*redis.blpop({"k", "l"}, 1s), (std::pair<std::string, std::string>("l", "z")));
  EXPECT_EQ(*redis.lmpop({"l"}, commands::LmpopWhere::left), std::nullopt);
}

TEST_P(TypedCommands, SetsAndSortedSets) {
  Redis redis(*client_);
  EXPECT_EQ(*redis.sadd("s", {"a", "b", "c"}), 3);
  EXPECT_EQ(*redis.smembers("s"), (std::set<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(*redis.sismember("s", "a"));
  EXPECT_EQ(*redis.smismember("s", {"a", "x"}), (std::vector<bool>{true, false}));
  EXPECT_EQ(*redis.sadd("t", {"b"}), 1);
  EXPECT_EQ(*redis.sdiff({"s", "t"}), (std::set<std::string>{"a", "c"}));
  EXPECT_EQ(*redis.sinterstore("u", {"s", "t"}), 1);
  EXPECT_EQ(*redis.spop("u"), "b");
  EXPECT_EQ(redis.spop("s", 5)->size(), 3u);
  EXPECT_EQ(*redis.srandmember("s"), Maybe());
  EXPECT_EQ(*redis.zadd("z", {{1.5, "a"}, {2, "b"}, {3, "c"}}), 3);
  EXPECT_EQ(*redis.zadd("z", increment, {{1, "a"}}), 2.5);
  EXPECT_EQ(*redis.zscore("z", "a"), 2.5);
  EXPECT_EQ(*redis.zscore("z", "x"), std::nullopt);
  EXPECT_EQ(*redis.zmscore("z", {"a", "x"}), (std::vector<std::optional<double>>{2.5, {}}));
  EXPECT_EQ(*redis.zrank("z", "a"), 1);
  EXPECT_EQ(*redis.zrank("z", "x"), std::nullopt);
  EXPECT_EQ(*redis.zincrby("z", 1, "c"), 4);
  EXPECT_EQ(*redis.zrange("z", 0, -1), (Strings{"b", "a", "c"}));
  EXPECT_EQ(*redis.zrange("z", 0, -1, with_scores), (Scored{{"b", 2}, {"a", 2.5}, {"c", 4}}));
  EXPECT_EQ((redis.zrange<std::map<std::string, double>>("z", 0, -1, with_scores)->at("a")), 2.5);
  EXPECT_EQ(*redis.zrangebyscore("z", "(2", "+inf", with_scores), (Scored{{"a", 2.5}, {"c", 4}}));
  EXPECT_EQ(*redis.zunion({"z"}, with_scores, {.weights = {2}}),
            (Scored{{"b", 4}, {"a", 5}, {"c", 8}}));
  EXPECT_EQ(*redis.zcount("z", "-inf", 3), 2);
  EXPECT_EQ(redis.zrandmember("z", 5, with_scores)->size(), 3u);
  EXPECT_EQ(redis.zscan("z", "0")->second.size(), 3u);
  EXPECT_EQ(*redis.zpopmin("z"), (Scored{{"b", 2}}));
  EXPECT_EQ(*redis.bzpopmax("z", 1s), (std::tuple<std::string, std::string, double>("z", "c", 4)));
  EXPECT_EQ(redis.zmpop({"z"}, commands::ZmpopWhere::min)->value().second, (Scored{{"a", 2.5}}));
  EXPECT_EQ(*redis.bzpopmin("z", 10ms), std::nullopt);
}

TEST_P(TypedCommands, StreamsAndPlaces) {
  Redis redis(*client_);
  const std::vector<StreamEntry> entries = {{"1-1", {{"f", "v"}}}, {"2-1", {{"g", "w"}}}};
  EXPECT_EQ(*redis.xadd("s", "1-1", {{"f", "v"}}), "1-1");
  EXPECT_EQ(*redis.xadd("s", "2-1", {{"g", "w"}}), "2-1");
  EXPECT_EQ(*redis.xrange("s", "-", "+"), entries);
  EXPECT_EQ(*redis.xlen("s"), 2);
  const auto read = *redis.xread("s", "0", {.count = 10});
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)[0].first, "s");
  EXPECT_EQ((*read)[0].second, entries);
  EXPECT_EQ(*redis.xread("s", "$", {.block = 1ms}), std::nullopt);
  EXPECT_TRUE(redis.xgroup_create("s", "g", "0").ok());
  EXPECT_EQ((*redis.xreadgroup("g", "c", "s", ">"))->at(0).second, entries);
  EXPECT_EQ(*redis.xclaim("s", "g", "d", 0ms, {"1-1"}, just_ids), Strings{"1-1"});
  EXPECT_EQ(*redis.xack("s", "g", {"1-1", "2-1"}), 2);
  EXPECT_EQ(*redis.xdel("s", {"1-1"}), 1);
  EXPECT_EQ(*redis.geoadd("g", {{13.361389, 38.115556, "p"}, {15.087269, 37.502669, "c"}}), 2);
  EXPECT_NEAR(redis.geodist("g", "p", "c", {.unit = commands::GeodistUnit::km})->value(), 166.27,
              0.01);
  EXPECT_NEAR(redis.geopos("g", {"p", "x"})->at(0)->first, 13.36, 0.01);
  EXPECT_FALSE(redis.geopos("g", {"x"})->at(0));
  EXPECT_EQ(*redis.geosearch("g", {.frommember = "p", .circle = {{.radius = 1}}}), Strings{"p"});
  EXPECT_EQ(redis.geosearch("g", with_distances, {.frommember = "p", .circle = {{.radius = 1}}})
                ->at(0)
                .second,
            0);
}

TEST_P(TypedCommands, YourOwnTypes) {
  Redis redis(*client_);
  ASSERT_TRUE(redis.set("p", Point{3, 4}).ok());
  EXPECT_EQ(*redis.get<Point>("p"), (Point{3, 4}));
  EXPECT_EQ(*redis.get<std::optional<Point>>("none"), std::nullopt);
  EXPECT_EQ(*redis.mget<std::vector<std::optional<Point>>>({"p", "none"}),
            (std::vector<std::optional<Point>>{Point{3, 4}, {}}));
  ASSERT_TRUE(redis.set("n", 300).ok());
  EXPECT_EQ(*redis.get<int>("n"), 300);
  EXPECT_EQ(redis.get<std::int8_t>("n").error().kind, Error::Kind::conversion);
  EXPECT_EQ(redis.get<Point>("n").error().kind, Error::Kind::conversion);
  EXPECT_EQ(redis.lpush("n", "x").error().code(), "WRONGTYPE");
}

TEST_P(TypedCommands, ThrowIfThatIsPreferred) {
  ThrowingRedis redis(*client_);
  EXPECT_TRUE(redis.set("k", "v"));
  EXPECT_EQ(redis.get("k"), "v");
  redis.rename("k", "l");
  try {
    redis.incr("l");
    FAIL();
  } catch (const RedisError& error) {
    EXPECT_EQ(error.error().kind, Error::Kind::server);
    EXPECT_EQ(std::string_view(error.what()).substr(0, 4), "ERR ");
  }
}

Task<std::int64_t> pipelined(AsyncRedis redis) {
  using namespace commands;
  (void)co_await redis.set("a", "1");
  auto [a, b, wrong] = co_await redis.pipeline(get<int>("a"), incr("b"), lpop("a"));
  EXPECT_EQ(wrong.error().code(), "WRONGTYPE");
  auto [c, d] = co_await when_all(redis.incr("c"), redis.get("none"));
  EXPECT_FALSE(d->has_value());
  co_return *a * 100 + *b * 10 + *c;
}

TEST_P(TypedCommands, PipelinesAndCoroutines) {
  EXPECT_EQ(sync_wait(pipelined(AsyncRedis(*client_))), 111);
  auto [a, none] = Redis(*client_).pipeline(commands::get("a"), commands::get("none"));
  EXPECT_EQ(*a, "1");
  EXPECT_FALSE(none->has_value());
  EXPECT_EQ(*AsyncRedis(*client_).get("a").future().get(), "1");
  std::promise<std::size_t> called;
  std::vector<Request> requests;
  for (int i = 0; i < 3; ++i) requests.push_back(Request("PING"));
  client_->batch(std::move(requests)).then([&](BatchResults all) { called.set_value(all.size()); });
  EXPECT_EQ(called.get_future().get(), 3u);
  EXPECT_TRUE(client_->run_batch({}).empty());
}

}  // namespace
}  // namespace slotcar::client
