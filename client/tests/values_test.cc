// Requests, replies, options, strategies and the command table: everything without a connection.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "cluster_map.h"
#include "command_table.h"
#include "handshake.h"
#include "slotcar/client.h"
#include "splitter.h"

namespace slotcar::client {
namespace {

TEST(Request, IsEncodedAsItIsBuilt) {
  std::string wire;
  append_request(wire, Request("SET").key("k").arg("a\r\nb").arg(-7).arg(1.5));
  EXPECT_EQ(wire, "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\na\r\nb\r\n$2\r\n-7\r\n$3\r\n1.5\r\n");
}

TEST(Request, NumbersKeepTheirSignAndCharactersStayCharacters) {
  const Request request = Request("X")
                              .arg(UINT64_MAX)
                              .arg(INT64_MIN)
                              .arg('a')
                              .arg(true)
                              .arg(std::uint8_t{200})
                              .arg(std::int8_t{-5})
                              .arg(std::string("s"))
                              .arg("literal");
  const std::vector<std::string> expected = {
      "X", "18446744073709551615", "-9223372036854775808", "a", "1", "200", "-5", "s", "literal"};
  ASSERT_EQ(request.arguments(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(request.argument(i), expected[i]);
}

TEST(Request, KnowsItsWordsAndKeys) {
  const Request request = Request("MGET").key("a").key("").key("ccc");
  EXPECT_EQ(request.command(), "MGET");
  EXPECT_EQ(request.arguments(), 4u);
  EXPECT_EQ(request.argument(3), "ccc");
  EXPECT_EQ(request.keys(), (std::vector<std::string_view>{"a", "", "ccc"}));
  const Request copy = request;
  EXPECT_EQ(copy.first_key(), "a");
}

TEST(Reply, ConvertsWhatItCanAndSaysWhatItCannot) {
  EXPECT_EQ(*Reply::of_text(Reply::Kind::bytes, "12").as_integer(), 12);
  EXPECT_EQ(*Reply::of_integer(12).as_string(), "12");
  EXPECT_EQ(*Reply::of_text(Reply::Kind::bytes, "1.5").as_double(), 1.5);
  EXPECT_FALSE(*Reply().as_bool());
  EXPECT_FALSE(Reply().as_optional_string()->has_value());
  const auto wrong = Reply::of_text(Reply::Kind::bytes, "ann").as_integer();
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().kind, Error::Kind::conversion);
  EXPECT_EQ(wrong.error().message, "the reply is bytes \"ann\", not an integer");
  const auto error = Reply::of_text(Reply::Kind::error, "WRONGTYPE no").as_string();
  EXPECT_EQ(error.error().kind, Error::Kind::server);
  EXPECT_EQ(error.error().code(), "WRONGTYPE");
}

TEST(Reply, AMapIsAMapInBothProtocols) {
  const std::vector<Reply> items = {Reply::of_text(Reply::Kind::bytes, "f"),
                                    Reply::of_text(Reply::Kind::bytes, "v")};
  const std::map<std::string, std::string> expected = {{"f", "v"}};
  EXPECT_EQ(*Reply::of_items(Reply::Kind::map, items).as_map(), expected);
  EXPECT_EQ(*Reply::of_items(Reply::Kind::array, items).as_map(), expected);
  EXPECT_FALSE(Reply::of_items(Reply::Kind::array, {items[0]}).as_map().ok());
}

Reply bytes(std::string text) {
  return Reply::of_text(Reply::Kind::bytes, std::move(text));
}
Reply list(std::vector<Reply> items) {
  return Reply::of_items(Reply::Kind::array, std::move(items));
}

TEST(Reply, PairsAreTheSameInBothProtocols) {
  const Reply flat = list({bytes("a"), bytes("1"), bytes("b"), bytes("2.5")});
  const Reply nested = list(
      {list({bytes("a"), Reply::of_real(1, "1")}), list({bytes("b"), Reply::of_real(2.5, "2.5")})});
  const std::vector<std::pair<std::string, double>> scored = {{"a", 1}, {"b", 2.5}};
  const std::vector<std::pair<std::string, std::string>> pairs = {{"a", "1"}, {"b", "2.5"}};
  for (const Reply& reply : {flat, nested}) {
    EXPECT_EQ(*reply.as_scored(), scored);
    EXPECT_EQ(*reply.as_pairs(), pairs);
    EXPECT_EQ(*reply.as_strings(), (std::vector<std::string>{"a", "1", "b", "2.5"}));
    EXPECT_EQ(reply.as_map()->at("b"), "2.5");
  }
  EXPECT_TRUE(list({}).as_scored()->empty());
  EXPECT_FALSE(list({bytes("a")}).as_scored().ok());
  EXPECT_FALSE(list({bytes("a"), bytes("x")}).as_scored().ok());
  EXPECT_FALSE(list({list({bytes("a"), list({})})}).as_strings().ok());
}

TEST(Reply, ADescriptionShowsTheErrorsInside) {
  const Reply error = Reply::of_text(Reply::Kind::error, "WRONGTYPE no");
  EXPECT_EQ(list({bytes("a"), bytes("b")}).describe(), "array of 2");
  EXPECT_EQ(list({Reply::of_integer(1), error}).describe(),
            "array of 2: [1] error \"WRONGTYPE no\"");
  EXPECT_EQ(list({list({error})}).describe(), "array of 1: [0][0] error \"WRONGTYPE no\"");
  EXPECT_TRUE(list(std::vector<Reply>(5, error)).describe().ends_with(" and 2 more errors"));
}

TEST(Options, AUriSaysEverything) {
  const auto options = parse_uri(
      "rediss://ann:s%40t@h:7000/3?lanes=16&lane-strategy=least-used&timeout=250ms"
      "&connect-timeout=1s&shutdown-timeout=50ms&max-redirects=9&tls-ca=/ca.pem"
      "&tls-certificate=/c.pem&tls-key=/k.pem&mode=pooled&client-name=me&protocol=2");
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->username, "ann");
  EXPECT_EQ(options->password, "s@t");
  EXPECT_EQ(options->nodes[0], (Endpoint{.host = "h", .port = 7000}));
  EXPECT_EQ(options->db, 3u);
  EXPECT_TRUE(options->tls);
  EXPECT_EQ(options->lanes, 16u);
  EXPECT_EQ(options->lane_strategy, Strategy::least_used);
  EXPECT_EQ(options->timeout, Millis(250));
  EXPECT_EQ(options->connect_timeout, Millis(1000));
  EXPECT_EQ(options->shutdown_timeout, Millis(50));
  EXPECT_EQ(options->max_redirects, 9);
  EXPECT_EQ(options->tls_key, "/k.pem");
  EXPECT_EQ(options->mode, Mode::pooled);
  EXPECT_EQ(options->protocol, 2);
}

TEST(Options, Defaults) {
  const auto options = parse_uri("redis://localhost");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->nodes[0], (Endpoint{.host = "localhost", .port = 6379}));
  EXPECT_EQ(options->lanes, 8u);
  EXPECT_EQ(options->mode, Mode::laned);
  EXPECT_EQ(options->lane_strategy, Strategy::round_robin);
  EXPECT_EQ(options->timeout, Millis(5000));
  EXPECT_EQ(options->connect_timeout, Millis(2000));
  EXPECT_EQ(options->shutdown_timeout, Millis(100));
  EXPECT_EQ(options->max_redirects, 5);
}

TEST(Options, TopologiesHaveSchemes) {
  const auto sentinel = parse_uri("redis-sentinel://a,b:1/0?sentinel-master=m&sentinel-password=p");
  ASSERT_TRUE(sentinel.ok()) << sentinel.error().message;
  EXPECT_EQ(sentinel->topology, Topology::sentinel);
  EXPECT_EQ(sentinel->nodes[0].port, 26379);
  EXPECT_EQ(sentinel->nodes[1].port, 1);
  const auto cluster = parse_uri("redis-cluster://[::1]:7000,h?read-from=any");
  ASSERT_TRUE(cluster.ok());
  EXPECT_EQ(cluster->nodes[0].text(), "[::1]:7000");
  EXPECT_EQ(cluster->read_from, ReadFrom::any);
  EXPECT_EQ(parse_uri("unix:///run/r.sock?db=2")->nodes[0].unix_path, "/run/r.sock");
}

TEST(Options, WhatMakesNoSenseIsRefusedByName) {
  for (const char* uri :
       {"localhost", "http://h", "redis://h:99999", "redis://h/x", "redis://h?lanes=0",
        "redis://h?lanes=65", "redis://h?nonsense=1", "redis://h?timeout=5h", "redis://h?timeout=0",
        "redis://h?lane-strategy=best", "redis-sentinel://h", "redis-cluster://h/1",
        "rediss://h?tls-key=/k", "redis://[::1", "redis://h?protocol=4"}) {
    EXPECT_FALSE(parse_uri(uri).ok()) << uri;
  }
  EXPECT_NE(parse_uri("redis://h?nonsense=1").error().message.find("nonsense"), std::string::npos);
}

TEST(Client, WithWrongOptionsAnswersEveryCallWithTheReason) {
  Client client({.uri = "redis://h?lanes=999"});
  EXPECT_FALSE(client.status().ok());
  const auto reply = client.run(Request("PING"));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().kind, Error::Kind::usage);
  EXPECT_EQ(client.run_batch({Request("PING")}).size(), 1u);
  EXPECT_FALSE(client.transaction().ok());
  EXPECT_FALSE(client.subscriber().subscribe("c").ok());
  EXPECT_EQ(client.health(), Health::down);
}

// Values of the reference implementation.
TEST(Murmur, IsTheOneItClaimsToBe) {
  EXPECT_EQ(murmur3_32("", 0), 0u);
  EXPECT_EQ(murmur3_32("", 1), 0x514e28b7u);
  EXPECT_EQ(murmur3_32("test", 0x9747b28c), 0x704b81dcu);
  EXPECT_EQ(murmur3_32("Hello, world!", 0x9747b28c), 0x24884cbau);
  EXPECT_EQ(murmur3_32("aaa", 0x9747b28c), 0x283e0130u);
}

struct Loads {
  explicit Loads(std::size_t count) : loads(count) {
    for (LaneLoad& load : loads) {
      load.up = true;
      views.push_back(&load);
    }
  }
  std::vector<LaneLoad> loads;
  std::vector<const LaneLoad*> views;
};

TEST(Strategy, RoundRobinVisitsEachInTurn) {
  Loads lanes(3);
  const auto strategy = make_strategy(Strategy::round_robin);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(strategy->choose(lanes.views, {}), i % 3);
}

TEST(Strategy, LeastUsedAvoidsCallsAndExpectedBytes) {
  Loads lanes(3);
  const auto strategy = make_strategy(Strategy::least_used);
  lanes.loads[0].calls = 2;
  lanes.loads[1].calls = 1;
  lanes.loads[1].expected = 500 * 1024;
  lanes.loads[2].calls = 3;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(strategy->choose(lanes.views, {}), 0u);
  lanes.loads[0].up = false;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(strategy->choose(lanes.views, {}), 2u);
}

TEST(Strategy, LeastUsedSeesAnAnswerThatDoesNotCome) {
  Loads lanes(2);
  const auto least_used = make_strategy(Strategy::least_used);
  lanes.loads[0].calls = 1;
  lanes.loads[0].oldest_ns = 1'000'000;
  lanes.loads[1].calls = 3;
  lanes.loads[1].oldest_ns = 9'990'000;
  EXPECT_EQ(least_used->choose(lanes.views, {.now_ns = 1'010'000}), 0u);
  EXPECT_EQ(least_used->choose(lanes.views, {.now_ns = 10'000'000}), 1u) << "9 ms without a word";
}

TEST(Strategy, LongAnswersLeaveALaneToTheOthers) {
  Loads lanes(3);
  const auto least_used = make_strategy(Strategy::least_used);
  const LaneHint long_answer{.expected_bytes = 500'000};
  lanes.loads[0].expected = 500'000;
  for (int i = 0; i < 20; ++i) EXPECT_NE(least_used->choose(lanes.views, long_answer), 0u);
  lanes.loads[2].expected = 600'000;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(least_used->choose(lanes.views, long_answer), 0u) << "behind its like";
    EXPECT_EQ(least_used->choose(lanes.views, {}), 1u);
  }
  lanes.loads[1].up = false;
  EXPECT_EQ(least_used->choose(lanes.views, {}), 0u);
}

TEST(Strategy, LeastUsedBreaksTiesByChance) {
  Loads lanes(4);
  const auto strategy = make_strategy(Strategy::least_used);
  std::set<std::size_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(strategy->choose(lanes.views, {}));
  EXPECT_EQ(seen.size(), 4u);
}

TEST(Strategy, KeyAffinityIsStableAndFollowsSlots) {
  Loads lanes(7);
  const auto by_slot = make_strategy(Strategy::key_affinity);
  // CLUSTER KEYSLOT foo is 12182.
  EXPECT_EQ(by_slot->choose(lanes.views, {"foo"}), 12182 % 7u);
  EXPECT_EQ(by_slot->choose(lanes.views, {"x{foo}y"}), 12182 % 7u);
  const auto by_murmur = make_strategy(Strategy::key_affinity_murmur);
  EXPECT_EQ(by_murmur->choose(lanes.views, {"foo"}), murmur3_32("foo", 0) % 7);
  EXPECT_FALSE(by_slot->may_move());
  std::set<std::size_t> without_key;
  for (int i = 0; i < 7; ++i) without_key.insert(by_slot->choose(lanes.views, {}));
  EXPECT_EQ(without_key.size(), 7u);
}

TEST(Strategy, AdaptiveFavoursFastLanes) {
  Loads lanes(2);
  lanes.loads[0].latency_ns = 100'000'000;
  lanes.loads[1].latency_ns = 100'000;
  const auto strategy = make_strategy(Strategy::adaptive);
  int slow = 0;
  for (int i = 0; i < 10'000; ++i) slow += strategy->choose(lanes.views, {}) == 0 ? 1 : 0;
  EXPECT_LT(slow, 500);  // a thousandth expected
}

TEST(Strategy, ThreadStickyKeepsAThreadOnItsLane) {
  Loads lanes(5);
  const auto strategy = make_strategy(Strategy::thread_sticky);
  const std::size_t mine = strategy->choose(lanes.views, {});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(strategy->choose(lanes.views, {}), mine);
  std::size_t other = 99;
  std::thread([&] { other = strategy->choose(lanes.views, {}); }).join();
  EXPECT_LT(other, 5u);
}

TEST(Strategy, NamesReadBack) {
  for (const char* name : {"round-robin", "least-used", "key-affinity", "key-affinity-murmur",
                           "random", "adaptive", "thread-sticky"}) {
    Strategy strategy{};
    ASSERT_TRUE(parse_strategy(name, strategy)) << name;
    EXPECT_EQ(name_of(strategy), name);
    EXPECT_EQ(make_strategy(strategy)->name(), name);
  }
}

class CommandTableTest : public testing::Test {
 protected:
  const CommandRow& row(const Request& request) {
    return table_.row(table_.find(request.command()));
  }
  std::vector<std::string> keys(std::initializer_list<std::string_view> words) {
    const Request request = Request::of(words);
    const auto found = keys_of(row(request), request);
    return {found.begin(), found.end()};
  }
  ServerWait wait(std::initializer_list<std::string_view> words) {
    const Request request = Request::of(words);
    return server_wait(row(request), request);
  }
  std::string why(std::initializer_list<std::string_view> words) {
    const Request request = Request::of(words);
    return std::string(why_not_shared(row(request), request));
  }
  CommandTable table_;
};

TEST_F(CommandTableTest, FindsNamesInAnyCase) {
  EXPECT_EQ(table_.row(table_.find("GET")).name, "get");
  EXPECT_EQ(table_.row(table_.find("bItFiElD_rO")).name, "bitfield_ro");
  EXPECT_EQ(table_.find("NOSUCH"), CommandTable::kUnknown);
  EXPECT_EQ(table_.find(""), CommandTable::kUnknown);
  for (std::size_t i = 1; i < table_.size(); ++i) EXPECT_EQ(table_.find(table_.row(i).name), i);
}

TEST_F(CommandTableTest, FindsKeysOfPlainWords) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys({"MSET", "a", "1", "b", "2"}), (Keys{"a", "b"}));
  EXPECT_EQ(keys({"EVAL", "s", "2", "a", "b", "x"}), (Keys{"a", "b"}));
  EXPECT_EQ(keys({"XREAD", "COUNT", "1", "STREAMS", "a", "b", "0", "0"}), (Keys{"a", "b"}));
  EXPECT_EQ(keys({"ZUNIONSTORE", "d", "2", "a", "b"}), (Keys{"d", "a", "b"}));
  EXPECT_EQ(keys({"PING"}), Keys{});
  EXPECT_EQ(keys({"JSON.GET", "doc", "$"}), Keys{"doc"});
}

TEST_F(CommandTableTest, KnowsWhoWaitsOnTheServer) {
  EXPECT_TRUE(wait({"BLPOP", "a", "b", "0"}).waits);
  EXPECT_EQ(wait({"BLPOP", "a", "0"}).ms, 0);
  EXPECT_EQ(wait({"blpop", "a", "1.5"}).ms, 1501);
  EXPECT_EQ(wait({"BLMPOP", "2", "1", "a", "LEFT"}).ms, 2001);
  EXPECT_EQ(wait({"WAIT", "1", "300"}).ms, 300);
  EXPECT_EQ(wait({"XREAD", "BLOCK", "250", "STREAMS", "s", "$"}).ms, 250);
  EXPECT_FALSE(wait({"XREAD", "STREAMS", "block", "0"}).waits);
  EXPECT_FALSE(wait({"GET", "a"}).waits);
}

TEST_F(CommandTableTest, KeepsConnectionStateOffSharedConnections) {
  for (const char* name : {"MULTI", "EXEC", "WATCH", "SUBSCRIBE", "SELECT", "AUTH", "HELLO",
                           "MONITOR", "RESET", "QUIT", "ASKING", "READONLY"}) {
    EXPECT_NE(why({name}), "") << name;
  }
  EXPECT_NE(why({"CLIENT", "REPLY", "OFF"}), "");
  EXPECT_NE(why({"client", "tracking", "on"}), "");
  EXPECT_EQ(why({"CLIENT", "LIST"}), "");
  EXPECT_EQ(why({"PUBLISH", "c", "m"}), "");
}

TEST(Splitter, AFailedPartSaysNothingAboutTheOthers) {
  const Result<Reply> done = Reply::of_integer(1);
  const Result<Reply> refused = Error{Error::Kind::overloaded, Error::Ran::no, "full"};
  const Result<Reply> late = Error{Error::Kind::timeout, Error::Ran::unknown, "late"};
  EXPECT_FALSE(detail::first_error({&done, &done}));
  EXPECT_EQ(detail::first_error({&refused, &refused})->ran, Error::Ran::no);
  EXPECT_EQ(detail::first_error({&refused, &done})->ran, Error::Ran::unknown);
  EXPECT_EQ(detail::first_error({&refused, &late})->ran, Error::Ran::unknown);
  EXPECT_EQ(detail::first_error({&refused, &late})->message, "full");
}

TEST(Cluster, RedirectsAreRead) {
  Redirect redirect;
  const Endpoint from{.host = "10.0.0.1", .port = 1};
  ASSERT_TRUE(parse_redirect("MOVED 3999 127.0.0.1:6381", from, redirect));
  EXPECT_FALSE(redirect.ask);
  EXPECT_EQ(redirect.slot, 3999);
  EXPECT_EQ(redirect.to.text(), "127.0.0.1:6381");
  ASSERT_TRUE(parse_redirect("ASK 1 :7", from, redirect));
  EXPECT_TRUE(redirect.ask);
  EXPECT_EQ(redirect.to.text(), "10.0.0.1:7");
  ASSERT_TRUE(parse_redirect("MOVED 1 ::1:7", from, redirect));
  EXPECT_EQ(redirect.to.host, "::1");
  for (const char* text : {"ERR x", "MOVED", "MOVED 1", "MOVED 99999 h:1", "MOVED 1 h:0",
                           "MOVED x h:1", "MOVED 1 h"}) {
    EXPECT_FALSE(parse_redirect(text, from, redirect)) << text;
  }
}

}  // namespace
}  // namespace slotcar::client
