// How much work one client, or one moment, can cause on a worker before others have their turn, in
// a simulated node. A step of the simulation is one event, timer or task of one loop, so others
// wait for at most one step; its work is measured by the node's own counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "world/sim_node.h"

namespace slotcar::bounds {
namespace {

using world::Answer;
using world::encode;
using world::Words;

constexpr std::int64_t kPerTurn = limits::kSubscriptionsPerTurn;
constexpr std::int64_t kMany = 10 * kPerTurn + 7;
constexpr std::int64_t kVeryMany = 400 * kPerTurn;  // so that others are served in the middle

class Turns : public ::testing::Test {
 protected:
  void SetUp() override { world_.run("admin", {"PING"}); }

  // About 100 keys in each of the 64 shards, all given to the slow lane.
  void fill_and_flush() {
    constexpr std::int64_t kKeys = 6'400;
    std::string pipeline;
    for (std::int64_t i = 0; i < kKeys; ++i) pipeline += encode({"SET", std::to_string(i), "v"});
    const auto client = world_.sim().connect();
    client->send(pipeline);
    largest_step([this] { return keys(); }, kKeys);
    world_.run("admin", {"FLUSHALL", "ASYNC"});
  }

  runtime::SimWorld& sim() { return world_.sim().world(); }
  node::Node& node() { return world_.node(); }
  std::int64_t names(pubsub::Kind kind) {
    return static_cast<std::int64_t>(node().directory().count(kind));
  }
  std::int64_t keys() {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < node().shards().count(); ++i) {
      const auto* numbers = node().shards()[ShardId{static_cast<std::uint16_t>(i)}].numbers();
      if (numbers != nullptr) sum += numbers->keys(DbIndex{0});
    }
    return sum;
  }
  // What closed connections have left and is not freed yet.
  std::int64_t given_up() { return node().counters().reply_memory.load(); }
  // Steps until `count` is `wanted`. Returns the largest change in one step.
  std::int64_t largest_step(const std::function<std::int64_t()>& count, std::int64_t wanted) {
    std::int64_t largest = 0;
    std::int64_t before = count();
    const auto reached = [&] {
      const std::int64_t now = count();
      largest = std::max(largest, std::abs(now - before));
      before = now;
      return now == wanted;
    };
    EXPECT_TRUE(sim().run_until(reached, 10'000'000)) << "it stays at " << before;
    return largest;
  }
  static std::string name(std::int64_t i) { return "channel" + std::to_string(i); }
  static Words request(const std::string& command, std::int64_t count = kMany) {
    Words words{command};
    for (std::int64_t i = 0; i < count; ++i) words.push_back(name(i));
    return words;
  }
  static std::string confirmation(const std::string& what, std::int64_t i, std::int64_t count) {
    return "*3\r\n$" + std::to_string(what.size()) + "\r\n" + what + "\r\n$" +
           std::to_string(name(i).size()) + "\r\n" + name(i) + "\r\n:" + std::to_string(count) +
           "\r\n";
  }

  world::SimNodeWorld world_{3, {.workers = 1, .shards = 64, .pause_ppm = 0}};
};

TEST_F(Turns, NamesOfOneRequestAreSubscribedToAFewInEachTurn) {
  const auto client = world_.sim().connect();
  for (const auto& [kind, add, remove] :
       {std::tuple{pubsub::Kind::channel, "SUBSCRIBE", "UNSUBSCRIBE"},
        std::tuple{pubsub::Kind::pattern, "PSUBSCRIBE", "PUNSUBSCRIBE"},
        std::tuple{pubsub::Kind::shard_channel, "SSUBSCRIBE", "SUNSUBSCRIBE"}}) {
    const auto count = [this, kind = kind] { return names(kind); };
    client->send(encode(request(add)));
    EXPECT_LE(largest_step(count, kMany), kPerTurn) << add;
    client->send(encode(request(remove)));
    EXPECT_LE(largest_step(count, 0), kPerTurn) << remove;
    client->send(encode(request(add)));
    largest_step(count, kMany);
    client->send(encode({remove}));  // all
    EXPECT_LE(largest_step(count, 0), kPerTurn) << remove;
  }
}

// A pipeline of small requests gets no larger share.
TEST_F(Turns, NamesOfAPipelineCountAsItsCalls) {
  const auto client = world_.sim().connect();
  std::string pipeline;
  for (int i = 0; i < 100; ++i) {
    Words words{"SUBSCRIBE"};
    for (int j = 0; j < 100; ++j) words.push_back("c" + std::to_string(i * 100 + j));
    pipeline += encode(words);
  }
  client->send(pipeline);
  const auto count = [this] { return names(pubsub::Kind::channel); };
  EXPECT_LE(largest_step(count, 10'000), std::int64_t{limits::kTurnCallsMax} + kPerTurn);
}

TEST_F(Turns, ConfirmationsComeInOrderAndOnce) {
  const auto client = world_.sim().connect();
  client->send(encode(request("SUBSCRIBE")) + encode({"UNSUBSCRIBE"}) + encode({"PING"}));
  std::string wanted;
  for (std::int64_t i = 0; i < kMany; ++i) wanted += confirmation("subscribe", i, i + 1);
  sim().run_until([&] { return client->received().ends_with("+PONG\r\n"); }, 10'000'000);
  const std::string got = client->take();
  EXPECT_TRUE(got.starts_with(wanted));
  EXPECT_EQ(std::count(got.begin(), got.end(), '*'), 2 * kMany);
  EXPECT_TRUE(got.ends_with(":0\r\n+PONG\r\n"));
}

// A confirmed channel is subscribed to, and none of its messages comes before.
TEST_F(Turns, AMessageInTheMiddleComesAfterItsConfirmation) {
  const auto client = world_.sim().connect();
  client->send(encode(request("SUBSCRIBE", kVeryMany)));
  sim().run_until([&] { return names(pubsub::Kind::channel) >= 3 * kPerTurn; }, 10'000'000);
  ASSERT_LT(names(pubsub::Kind::channel), kVeryMany);
  EXPECT_EQ(world_.run("admin", {"PUBLISH", name(2 * kPerTurn), "early"}).value.integer, 1);
  EXPECT_EQ(world_.run("admin", {"PUBLISH", name(kVeryMany - 1), "late"}).value.integer, 0);
  const std::string last = confirmation("subscribe", kVeryMany - 1, kVeryMany);
  sim().run_until([&] { return client->received().find(last) != std::string::npos; }, 10'000'000);
  const std::string& got = client->received();
  const auto message = got.find(encode({"message", name(2 * kPerTurn), "early"}));
  ASSERT_NE(message, std::string::npos);
  EXPECT_LT(got.find(confirmation("subscribe", 2 * kPerTurn, 2 * kPerTurn + 1)), message);
  EXPECT_LT(message, got.find(last));
}

TEST_F(Turns, NothingIsLeftOfWhoLeavesInTheMiddle) {
  for (const bool killed : {false, true}) {
    auto client = world_.sim().connect();
    client->send(encode({"CLIENT", "ID"}));
    sim().run_until([&] { return client->received().ends_with("\r\n"); }, 10'000'000);
    const std::string id = client->take();
    client->send(encode(request("SUBSCRIBE")));
    const auto count = [this] { return names(pubsub::Kind::channel); };
    sim().run_until([&] { return count() >= 3 * kPerTurn; }, 10'000'000);
    ASSERT_LT(count(), kMany);
    if (killed) {
      world_.run("admin", {"CLIENT", "KILL", "ID", id.substr(1, id.size() - 3)});
    } else {
      client.reset();
    }
    largest_step(count, 0);
    EXPECT_EQ(world_.run("admin", {"PUBSUB", "CHANNELS"}).value.items.size(), 0u);
  }
}

TEST_F(Turns, SubscriptionsOfWhoLeavesGoAFewInEachTurn) {
  const auto count = [this] { return names(pubsub::Kind::channel); };
  auto client = world_.sim().connect();
  client->send(encode(request("SUBSCRIBE")));
  largest_step(count, kMany);
  const std::int64_t memory = node().memory_use().clients;
  EXPECT_GE(memory, kMany * std::int64_t{session::ClientMemory::kNameBytes});
  client.reset();
  EXPECT_LE(largest_step(count, 0), kPerTurn);
  world_.let_pass(runtime::kSecond);
  EXPECT_LT(node().memory_use().clients, memory / 4);
}

// It replies when they are all removed; nothing is delivered in between.
TEST_F(Turns, ResetGivesUpAFewInEachTurn) {
  const auto count = [this] { return names(pubsub::Kind::channel); };
  auto client = world_.sim().connect();
  client->send(encode({"HELLO", "3"}) + encode(request("SUBSCRIBE", kVeryMany)));
  largest_step(count, kVeryMany);
  const std::string last = ":" + std::to_string(kVeryMany) + "\r\n";
  sim().run_until([&] { return client->received().ends_with(last); }, 10'000'000);
  client->take();
  client->send(encode({"RESET"}));
  sim().run_until([&] { return count() < kVeryMany - kPerTurn; }, 10'000'000);
  EXPECT_EQ(world_.run("admin", {"PUBLISH", "channel9999", "late"}).value.integer, 1);
  EXPECT_LE(largest_step(count, 0), kPerTurn);
  sim().run_until([&] { return client->received().ends_with("\r\n"); }, 10'000'000);
  EXPECT_EQ(client->take(), "+RESET\r\n");
}

// A reader that does not read is closed at its limit in the middle of the request.
TEST_F(Turns, ConfirmationsAreBoundedLikeOtherPushes) {
  world_.run("admin", {"CONFIG", "SET", "client-output-buffer-limit", "pubsub 16kb 0 0"});
  auto client = world_.sim().connect();
  client->set_reading(false);
  client->send(encode(request("SUBSCRIBE", 20'000)));
  const auto closed = [this] { return node().counters().output_limit_disconnections.load() == 1; };
  EXPECT_TRUE(sim().run_until(closed, 10'000'000));
  largest_step([this] { return names(pubsub::Kind::channel); }, 0);
  EXPECT_EQ(node().counters().reply_memory.load(), 0);
}

TEST_F(Turns, ATransactionSubscribesAtOnce) {
  const auto client = world_.sim().connect();
  client->send(encode({"MULTI"}) + encode(request("SUBSCRIBE")) +
               encode({"PUBLISH", name(kMany - 1), "m"}) + encode({"EXEC"}));
  const std::string end = ":" + std::to_string(kMany) + "\r\n:1\r\n";
  EXPECT_TRUE(sim().run_until([&] { return client->received().find(end) != std::string::npos; },
                              10'000'000));
}

// --- calls that take long each
// ---------------------------------------------------------------------

// TIME looks at the clock, which takes so long here: a pipeline of them is not done in one turn.
TEST(SlowPipelines, HaveAShareOfTheTurnInTime) {
  constexpr runtime::Nanos kEach = limits::kTurnShareNs / 4;
  constexpr std::int64_t kCalls = 200;
  world::SimNodeWorld world(3, {.workers = 1,
                                .shards = 64,
                                .pause_ppm = 0,
                                .sim = {.clock = {.read_cost = kEach, .hiccup_ppm = 0}}});
  world.run("admin", {"PING"});
  const auto calls = [&world] {
    return world.node().workers()[0]->thread().commands_processed.get();
  };
  std::string pipeline;
  for (std::int64_t i = 0; i < kCalls; ++i) pipeline += encode({"TIME"});
  const auto client = world.sim().connect();
  std::int64_t before = calls();
  const std::int64_t wanted = before + kCalls;
  client->send(pipeline);
  std::int64_t largest = 0;
  EXPECT_TRUE(world.sim().world().run_until(
      [&] {
        const std::int64_t now = calls();
        largest = std::max(largest, now - before);
        before = now;
        return now == wanted;
      },
      10'000'000));
  EXPECT_LE(largest, 4);
}

// Those that a pause has held back go on a few in each turn.
TEST_F(Turns, ClientsThatWereHeldBackGoOnAFewInEachTurn) {
  constexpr std::int64_t kClients = 10 * limits::kUnpausedPerTurn + 3;
  world_.run("admin", {"CLIENT", "PAUSE", "600000", "WRITE"});
  std::vector<std::unique_ptr<runtime::SimClient>> clients;
  for (std::int64_t i = 0; i < kClients; ++i) {
    clients.push_back(world_.sim().connect());
    clients.back()->send(encode({"SET", "held" + std::to_string(i), "v"}));
  }
  const auto held = [this] { return node().counters().paused_now.load(); };
  largest_step(held, kClients);
  world_.send("admin", encode({"CLIENT", "UNPAUSE"}));
  EXPECT_LE(largest_step([this] { return keys(); }, kClients),
            std::int64_t{limits::kUnpausedPerTurn});
  EXPECT_EQ(held(), 0);
}

// Who is paused again in the middle goes on after that pause.
TEST_F(Turns, ASecondPauseHoldsThoseThatHaveNotGoneOn) {
  constexpr std::int64_t kClients = 10 * limits::kUnpausedPerTurn;
  world_.run("admin", {"CLIENT", "PAUSE", "600000", "WRITE"});
  std::vector<std::unique_ptr<runtime::SimClient>> clients;
  for (std::int64_t i = 0; i < kClients; ++i) {
    clients.push_back(world_.sim().connect());
    clients.back()->send(encode({"SET", "held" + std::to_string(i), "v"}));
  }
  largest_step([this] { return node().counters().paused_now.load(); }, kClients);
  world_.send("admin", encode({"CLIENT", "UNPAUSE"}));
  sim().run_until([&] { return keys() > 0; }, 10'000'000);
  world_.send("admin", encode({"CLIENT", "PAUSE", "600000", "WRITE"}));
  world_.let_pass(runtime::kSecond);
  ASSERT_LT(keys(), kClients);
  clients.pop_back();  // and one leaves
  world_.let_pass(runtime::kSecond);
  world_.send("admin", encode({"CLIENT", "UNPAUSE"}));
  world_.let_pass(runtime::kSecond);
  EXPECT_EQ(node().counters().paused_now.load(), 0);
  EXPECT_GE(keys(), kClients - 1);
}

// --- keys that end at the same moment ----------------------------------------------------------

TEST_F(Turns, KeysThatEndTogetherAreRemovedAFewInEachTurn) {
  constexpr std::int64_t kKeys = 30'000;
  const std::string when = std::to_string(node().clock().unix_ms() + 60'000);
  std::string pipeline;
  for (std::int64_t i = 0; i < kKeys; ++i) {
    pipeline += encode({"SET", "key" + std::to_string(i), "v", "PXAT", when});
  }
  const auto client = world_.sim().connect();
  client->send(pipeline);
  largest_step([this] { return keys(); }, kKeys);
  world_.run("admin", {"CONFIG", "RESETSTAT"});
  const std::int64_t bound = limits::kExpirePerHold * limits::kExpireHoldsPerTurn;
  sim().run_until([&] { return keys() < kKeys; }, UINT64_MAX);
  // No client sees them any more, whether they are removed or not.
  EXPECT_EQ(world_.run("admin", {"EXISTS", "key1", "key2", "key29999"}).value.integer, 0);
  EXPECT_GT(keys(), 0);
  EXPECT_LE(largest_step([this] { return keys(); }, 0), bound);
  EXPECT_EQ(world_.run("admin", {"DBSIZE"}).value.integer, 0);
  const std::string info = world_.run("admin", {"INFO", "stats"}).value.text;
  EXPECT_NE(info.find("expired_keys:" + std::to_string(kKeys) + "\r\n"), std::string::npos);
  EXPECT_EQ(info.find("expire_lag_ms_max:0\r\n"), std::string::npos);
}

// RANDOMKEY tries at most a hundred of them, and then returns one of their names as Redis does.
TEST_F(Turns, RandomKeyDoesNotClearTheDatabase) {
  constexpr std::int64_t kKeys = 2'000;
  for (const bool paused : {false, true}) {
    node().settings().execution.keyspace.active_expire = paused;
    std::string pipeline;
    for (std::int64_t i = 0; i < kKeys; ++i) {
      pipeline += encode({"SET", "{one}" + std::to_string(i), "v", "PX", "60000"});
    }
    const auto client = world_.sim().connect();
    client->send(pipeline);
    largest_step([this] { return keys(); }, kKeys);
    if (paused) world_.run("admin", {"CLIENT", "PAUSE", "600000", "WRITE"});
    world_.let_pass(61 * runtime::kSecond);
    ASSERT_EQ(keys(), kKeys);
    const Answer answer = world_.run("other", {"RANDOMKEY"});
    EXPECT_TRUE(answer.value.text.starts_with("{one}")) << world::describe(answer);
    if (paused) {
      EXPECT_EQ(keys(), kKeys);
    } else {
      EXPECT_LE(kKeys - keys(), 100);
    }
    world_.run("admin", {"CLIENT", "UNPAUSE"});
    world_.run("admin", {"FLUSHALL"});
  }
}

// --- what is flushed -----------------------------------------------------------------------------

// Workers take their memory back in step with the freeing, not all of it at its end.
TEST_F(Turns, WorkersHearOfTheFreeingAfterEveryFewSlices) {
  int reports = 0;
  node().slow_lane().set_on_freed([&reports] {
    ++reports;
    return false;
  });
  fill_and_flush();
  sim().run_until([this] { return node().slow_lane().objects_to_free() == 0; }, 10'000'000);
  // Each of the 64 shards is a slice.
  EXPECT_EQ(reports, 64 / int{shard::SlowLane::kSlicesPerReport});
}

// Nor does the freeing run ahead of them.
TEST_F(Turns, FreeingWaitsForTheWorkers) {
  int reports = 0;
  node().slow_lane().set_on_freed([&reports] {
    ++reports;
    return true;
  });
  fill_and_flush();
  for (int wanted = 1; wanted <= 64 / int{shard::SlowLane::kSlicesPerReport}; ++wanted) {
    sim().run_until([&] { return reports == wanted; }, 10'000'000);
    world_.let_pass(runtime::kMillisecond);
    EXPECT_EQ(reports, wanted);
    node().slow_lane().go_on_freeing();
  }
  sim().run_until([this] { return node().slow_lane().objects_to_free() == 0; }, 10'000'000);
}

// --- what a connection leaves behind -----------------------------------------------------------

// It is freed a slice in each turn, and counted until it is freed.
TEST_F(Turns, QueuedCommandsAreFreedInSlices) {
  constexpr int kQueued = 10 * limits::kFreedCallsPerSlice;
  for (const bool leaves : {false, true}) {
    auto client = world_.sim().connect();
    std::string pipeline = encode({"MULTI"});
    for (int i = 0; i < kQueued; ++i) pipeline += encode({"SET", "k", std::string(500, 'v')});
    client->send(pipeline);
    const std::size_t all = 5 + 9 * kQueued;
    sim().run_until([&] { return client->received().size() == all; }, 10'000'000);
    ASSERT_EQ(given_up(), 0);
    if (leaves) {
      client.reset();
    } else {
      client->send(encode({"DISCARD"}));
    }
    sim().run_until([&] { return given_up() > 0; }, 10'000'000);
    EXPECT_GE(given_up(), kQueued / 2 * 500);
    const std::int64_t each = given_up() / kQueued * 2;
    EXPECT_LE(largest_step([this] { return given_up(); }, 0),
              each * std::int64_t{limits::kFreedCallsPerSlice});
  }
}

TEST_F(Turns, UnreadOutputIsFreedInSlices) {
  constexpr int kMessages = 5'000;  // below the limits of class pubsub
  auto client = world_.sim().connect();
  client->send(encode({"SUBSCRIBE", "channel"}));
  largest_step([this] { return names(pubsub::Kind::channel); }, 1);
  client->set_reading(false);
  for (int i = 0; i < kMessages; ++i) {
    world_.run("admin", {"PUBLISH", "channel", std::string(1'000, 'm')});
  }
  ASSERT_EQ(given_up(), 0);
  client.reset();
  sim().run_until([&] { return given_up() > 0; }, 10'000'000);
  EXPECT_GE(given_up(), kMessages / 2 * 1'000);
  EXPECT_LE(largest_step([this] { return given_up(); }, 0),
            2 * std::int64_t{limits::kFreedOutputBytesPerSlice});
}

}  // namespace
}  // namespace slotcar::bounds
