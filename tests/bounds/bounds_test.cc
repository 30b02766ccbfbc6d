// How much of the server's memory one client may use, in a simulated node: replies, pushes, half
// requests; and eviction while other calls hold the tokens.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::bounds {
namespace {

using world::Answer;
using world::Words;

class Bounds : public ::testing::Test {
 protected:
  void ok(std::string_view who, const Words& words) {
    const Answer answer = world_.run(who, words);
    ASSERT_EQ(answer.kind, Answer::Kind::reply) << world::describe(answer);
    ASSERT_NE(answer.value.kind, resp::Value::Kind::error) << answer.value.text;
  }
  void limit_output(const std::string& kind) {
    ok("admin", {"CONFIG", "SET", "client-output-buffer-limit", kind});
  }
  std::int64_t closed_for_output() {
    return world_.node().counters().output_limit_disconnections.load();
  }
  // Sends it and expects to be closed for its reply.
  void expect_closed(const Words& words) {
    const std::string who = "greedy" + std::to_string(number_++);
    const std::int64_t before = closed_for_output();
    const Answer answer = world_.run(who, words);
    EXPECT_EQ(answer.kind, Answer::Kind::closed) << words[0] << ": " << world::describe(answer);
    EXPECT_EQ(closed_for_output(), before + 1) << words[0];
    EXPECT_EQ(world_.node().counters().reply_memory.load(), 0) << words[0];
    ok("admin", {"PING"});
  }
  // Ten thousand elements of 40 bytes in a value of each type.
  void fill() {
    constexpr int kBatch = 500;
    for (int from = 0; from < 10'000; from += kBatch) {
      Words list{"RPUSH", "list"}, set{"SADD", "set"}, hash{"HSET", "hash"}, zset{"ZADD", "zset"};
      for (int i = from; i < from + kBatch; ++i) {
        const std::string element = std::to_string(i) + std::string(40, 'e');
        list.push_back(element);
        set.push_back(element);
        hash.insert(hash.end(), {element, "v"});
        zset.insert(zset.end(), {std::to_string(i), element});
      }
      for (const Words& words : {list, set, hash, zset}) ok("admin", words);
    }
    for (int i = 0; i < 1'000; ++i) {
      ok("admin", {"XADD", "stream", "*", "field", std::string(400, 's')});
      ok("admin", {"SET", "key" + std::string(400, 'k') + std::to_string(i), "v"});
    }
    ok("admin", {"SET", "string", std::string(100'000, 's')});
  }

  // A client that sends these, and then stops reading.
  std::unique_ptr<runtime::SimClient> deaf(const std::vector<Words>& requests) {
    auto client = world_.sim().connect();
    for (const Words& words : requests) client->send(world::encode(words));
    world_.let_pass(runtime::kSecond);
    client->set_reading(false);
    return client;
  }

  world::SimNodeWorld world_{3, {.workers = 2, .shards = 64, .pause_ppm = 0}};
  int number_ = 0;
};

// If drawing did not stop, these would run for hours after the bound is reached.
TEST_F(Bounds, AReplyWithoutEndEndsAtTheOutputLimit) {
  fill();
  limit_output("normal 1mb 0 0");
  expect_closed({"SRANDMEMBER", "set", "-9000000000000000"});
  expect_closed({"HRANDFIELD", "hash", "-4000000000000000"});
  expect_closed({"HRANDFIELD", "hash", "-4000000000000000", "WITHVALUES"});
  expect_closed({"ZRANDMEMBER", "zset", "-4000000000000000"});
  expect_closed({"ZRANDMEMBER", "zset", "-4000000000000000", "WITHSCORES"});
  ok("admin", {"SADD", "small", "a", "b"});
  ok("admin", {"HSET", "smallhash", "a", "b"});
  ok("admin", {"ZADD", "smallzset", "1", "b"});
  expect_closed({"SRANDMEMBER", "small", "-9000000000000000"});
  expect_closed({"HRANDFIELD", "smallhash", "-4000000000000000"});
  expect_closed({"ZRANDMEMBER", "smallzset", "-4000000000000000"});
}

TEST_F(Bounds, AReplyWithoutEndEndsAtMaxmemory) {
  ok("admin", {"SADD", "set", "a", "b"});
  ok("admin", {"CONFIG", "SET", "maxmemory", "10mb"});
  expect_closed({"SRANDMEMBER", "set", "-9000000000000000"});
}

TEST_F(Bounds, EveryLongReplyEndsAtTheOutputLimit) {
  fill();
  limit_output("normal 64kb 0 0");
  expect_closed({"LRANGE", "list", "0", "-1"});
  expect_closed({"SMEMBERS", "set"});
  expect_closed({"SUNION", "set", "nothing"});
  expect_closed({"SUNION", "set", "smallset"});
  expect_closed({"SINTER", "set", "set"});
  expect_closed({"SSCAN", "set", "0", "COUNT", "100000"});
  expect_closed({"HGETALL", "hash"});
  expect_closed({"HKEYS", "hash"});
  expect_closed({"ZRANGE", "zset", "0", "-1"});
  expect_closed({"SORT_RO", "list", "ALPHA"});
  expect_closed({"SORT", "list", "ALPHA"});
  expect_closed({"XRANGE", "stream", "-", "+"});
  expect_closed({"KEYS", "*"});
  expect_closed({"SCAN", "0", "COUNT", "100000"});
  expect_closed({"GET", "string"});
  expect_closed({"MGET", "string", "string"});
  expect_closed({"SPOP", "set", "5000"});
  expect_closed({"LPOP", "list", "5000"});
}

TEST_F(Bounds, ATransactionOfManyRepliesEndsAtTheOutputLimitAndIsDone) {
  fill();
  limit_output("normal 1mb 0 0");
  world_.send("greedy", world::encode({"MULTI"}));
  for (int i = 0; i < 50; ++i) world_.send("greedy", world::encode({"SMEMBERS", "set"}));
  world_.send("greedy", world::encode({"SET", "done", "yes"}));
  world_.send("greedy", world::encode({"EXEC"}));
  for (int i = 0; i < 52; ++i) ASSERT_EQ(world_.receive("greedy").kind, Answer::Kind::reply);
  EXPECT_EQ(world_.receive("greedy").kind, Answer::Kind::closed);
  EXPECT_EQ(closed_for_output(), 1);
  EXPECT_EQ(world_.run("admin", {"GET", "done"}).value.text, "yes");
}

// With CLIENT REPLY OFF nothing is queued for the client, however long the reply is.
TEST_F(Bounds, AReplyThatNobodyWantsClosesNobody) {
  fill();
  limit_output("normal 64kb 0 0");
  world_.send("quiet", world::encode({"CLIENT", "REPLY", "OFF"}));
  world_.send("quiet", world::encode({"SMEMBERS", "set"}));
  world_.send("quiet", world::encode({"CLIENT", "REPLY", "ON"}));
  EXPECT_EQ(world_.receive("quiet").value.text, "OK");
  EXPECT_EQ(closed_for_output(), 0);
}

TEST_F(Bounds, AReplyBelowTheLimitIsWhole) {
  fill();
  limit_output("normal 4mb 0 0");
  EXPECT_EQ(world_.run("reader", {"LRANGE", "list", "0", "-1"}).value.items.size(), 10'000u);
  EXPECT_EQ(world_.run("reader", {"KEYS", "key*"}).value.items.size(), 1'000u);
  EXPECT_EQ(closed_for_output(), 0);
}

// --- pushes ------------------------------------------------------------------------------------

// A client that never reads, and is sent more than may be queued for it.
TEST_F(Bounds, InvalidationsAreBoundedLikeMessages) {
  limit_output("pubsub 200kb 0 0");
  const auto tracker = deaf({{"HELLO", "3"}, {"CLIENT", "TRACKING", "ON", "BCAST"}});
  const std::string name(1000, 'k');
  for (int i = 0; i < 2'000 && closed_for_output() == 0; ++i) {
    ok("admin", {"SET", name + std::to_string(i), "v"});
  }
  EXPECT_EQ(closed_for_output(), 1);
  EXPECT_LT(world_.node().memory_use().clients, 1'000'000);
}

TEST_F(Bounds, ATrackingClientMayAskForLongReplies) {
  limit_output("pubsub 200kb 0 0");
  ok("tracker", {"HELLO", "3"});
  ok("tracker", {"CLIENT", "TRACKING", "ON", "BCAST"});
  ok("tracker", {"SET", "long", std::string(2'000'000, 'x')});
  Answer answer;
  world_.send("tracker", world::encode({"GET", "long"}));
  do {
    answer = world_.receive("tracker");
    ASSERT_EQ(answer.kind, Answer::Kind::reply) << world::describe(answer);
  } while (answer.value.text.size() != 2'000'000);
  EXPECT_EQ(closed_for_output(), 0);
}

TEST_F(Bounds, EventsAndMonitorLinesAreBounded) {
  limit_output("pubsub 200kb 0 0");
  ok("admin", {"CONFIG", "SET", "notify-keyspace-events", "KEA"});
  const auto subscriber = deaf({{"PSUBSCRIBE", "*"}});
  const auto monitor = deaf({{"MONITOR"}});
  const std::string name(1000, 'k');
  for (int i = 0; i < 2'000 && closed_for_output() < 2; ++i) {
    ok("admin", {"SET", name + std::to_string(i), "v"});
  }
  EXPECT_EQ(closed_for_output(), 2);
}

// --- requests ----------------------------------------------------------------------------------

// Whatever a client can make grow is counted, and so `maxmemory` and `maxmemory-clients` bound it.
TEST_F(Bounds, NamesAreCounted) {
  ok("client", {"PING"});
  const auto counted = [this](const Words& words) {
    world_.let_pass(2 * runtime::kSecond);
    const std::int64_t before = world_.node().memory_use().clients;
    ok("client", words);
    world_.let_pass(2 * runtime::kSecond);
    return world_.node().memory_use().clients - before;
  };
  constexpr std::int64_t kLong = 100'000;
  const std::string name(kLong, 'n');
  EXPECT_GE(counted({"CLIENT", "SETNAME", name}), kLong);
  EXPECT_GE(counted({"CLIENT", "SETINFO", "lib-name", name}), kLong);
  EXPECT_GE(counted({"CLIENT", "SETINFO", "lib-ver", name}), kLong);
  EXPECT_GE(counted({"WATCH", name}), kLong);
  EXPECT_LE(counted({"UNWATCH"}), -kLong);
  ok("client", {"HELLO", "3"});
  EXPECT_GE(counted({"CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", name}), kLong);
  EXPECT_LE(counted({"CLIENT", "TRACKING", "OFF"}), -kLong);
  EXPECT_GE(counted({"SUBSCRIBE", name}), kLong);
  EXPECT_GE(counted({"PSUBSCRIBE", name}), kLong);
  EXPECT_LE(counted({"UNSUBSCRIBE", name}), -kLong);
  EXPECT_LE(counted({"PUNSUBSCRIBE"}), -kLong);
}

TEST_F(Bounds, APromisedLengthIsNoMemory) {
  ok("admin", {"CONFIG", "SET", "maxmemory", "20mb"});
  for (int i = 0; i < 20; ++i) {
    world_.send("promises" + std::to_string(i), "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$536870912\r\nabc");
  }
  world_.let_pass(2 * runtime::kSecond);  // the numbers of clients are published once a second
  EXPECT_LT(world_.node().memory_use().clients, 10'000'000);
  ok("admin", {"SET", "key", "value"});
}

// --- eviction ----------------------------------------------------------------------------------

class Eviction : public Bounds {
 protected:
  void fill_with(const std::string& name) {
    ok("admin", {"CONFIG", "SET", "maxmemory-policy", "allkeys-random"});
    for (int i = 0; i < 1'000; ++i) {
      ok("admin", {"SET", name + std::to_string(i), std::string(1'000, 'v')});
    }
    ok("admin", {"CONFIG", "SET", "maxmemory-eviction-tenacity", "100"});
  }
  void take_all() {
    auto& shards = world_.node().shards();
    for (std::uint32_t i = 0; i < shards.count(); ++i) {
      const ShardId id{static_cast<std::uint16_t>(i)};
      ASSERT_TRUE(world_.node().scheduler().try_take(shards[id]));
    }
  }
  void give_all_back() {
    auto& shards = world_.node().shards();
    shard::Thread& thread = world_.node().workers()[0]->thread();
    for (std::uint32_t i = 0; i < shards.count(); ++i) {
      const ShardId id{static_cast<std::uint16_t>(i)};
      world_.node().scheduler().give_back(thread, shards[id]);
    }
  }
};

// All tokens are held: that does not mean that there are no candidates.
TEST_F(Eviction, AWriteWaitsForTokensInsteadOfBeingRefused) {
  for (const char* name : {"key", "{tag}key"}) {
    SCOPED_TRACE(name);
    fill_with(name);
    take_all();
    world_.node().settings().maxmemory = 500'000;
    world_.send("writer", world::encode({"SET", std::string(name) + "new", "value"}));
    world_.send("reader", world::encode({"PING"}));
    EXPECT_EQ(world_.receive("reader").value.text, "PONG");
    world_.let_pass(runtime::kSecond);
    give_all_back();
    const Answer answer = world_.receive("writer");
    EXPECT_EQ(answer.value.text, "OK") << world::describe(answer);
    EXPECT_LE(world_.node().memory_for_eviction(), 520'000);
    world_.node().settings().maxmemory = 0;
    ok("admin", {"FLUSHALL"});
  }
}

TEST_F(Eviction, WithoutCandidatesItIsRefused) {
  ok("admin", {"CONFIG", "SET", "maxmemory-policy", "volatile-lru"});
  ok("admin", {"SET", "key", std::string(100'000, 'v')});
  world_.node().settings().maxmemory = 50'000;
  const Answer answer = world_.run("writer", {"SET", "new", "value"});
  EXPECT_TRUE(answer.value.text.starts_with("OOM ")) << world::describe(answer);
  world_.node().settings().maxmemory = 0;
}

// --- accounting --------------------------------------------------------------------------------

// The snapshot's thread runs none of the calls that are queued for a token that it releases. But it
// frees memory that other threads have allocated.
TEST(Accounting, NothingIsLeftAfterAFlushBesideSnapshots) {
  std::int64_t handed_on = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    world::SimNodeWorld world(seed, {.workers = 2, .shards = 2, .directory = "/data"});
    const auto fill = [&world](int round, std::size_t size) {
      for (int client = 0; client < 4; ++client) {
        for (int i = 0; i < 50; ++i) {
          const std::string key = std::to_string(round * 50 + i) + "-" + std::to_string(client);
          world.send(std::to_string(client), world::encode({"SET", key, std::string(size, 'v')}));
        }
      }
    };
    const auto receive_all = [&world] {
      for (int client = 0; client < 4; ++client) {
        for (int i = 0; i < 50; ++i) {
          ASSERT_EQ(world.receive(std::to_string(client)).value.text, "OK");
        }
      }
    };
    for (int round = 0; round < 5; ++round) {
      fill(round, 600);
      receive_all();
      // They shrink during the snapshot: its thread frees what workers have allocated.
      world.send("admin", world::encode({"BGSAVE"}));
      fill(round, 1);
      receive_all();
      ASSERT_EQ(world.receive("admin").kind, Answer::Kind::reply);
    }
    const shard::Thread& snapshots = world.node().durability().thread();
    handed_on += snapshots.scheduling.handed_over.get();
    EXPECT_EQ(snapshots.scheduling.run_for_others.get(), 0);
    EXPECT_EQ(snapshots.commands_processed.get(), 0);
    EXPECT_GT(world.node().memory_use().dataset, 0);
    EXPECT_EQ(world.run("admin", {"FLUSHALL"}).value.text, "OK");
    EXPECT_EQ(world.node().memory_use().dataset, 0);
  }
  EXPECT_GT(handed_on, 0);  // else the test has shown nothing
}

}  // namespace
}  // namespace slotcar::bounds
