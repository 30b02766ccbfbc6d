// Single situations of clients that wait, each on a simulated node: those that a campaign's dice
// would seldom bring about.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "schema/slot.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kMillisecond;
using runtime::kSecond;
using world::Answer;
using world::encode;
using world::SimNodeWorld;

// A key of another shard than `from`.
std::string key_elsewhere(node::Node& node, const std::string& from) {
  const ShardId shard = node.shards().shard_of(schema::slot_of(from));
  for (int i = 0;; ++i) {
    std::string key = "to" + std::to_string(i);
    if (node.shards().shard_of(schema::slot_of(key)) != shard) return key;
  }
}

template <class Counter>
std::int64_t sum(node::Node& node, Counter counter) {
  std::int64_t total = 0;
  for (const shard::Thread* thread : node.threads()) total += (thread->waiting.*counter).get();
  return total;
}

// Its element is handed over by a waiter task, which writes: as any write it waits for the log's
// room.
TEST(Waiting, AMoverToAnotherShardIsServedWhenTheLogHasRoomAndReadsGoOnMeanwhile) {
  world::SimNodeOptions options;
  options.directory = "data";
  options.pause_ppm = 0;
  SimNodeWorld world(7, options);
  bool broken = false;
  world.sim().disk().set_script([&](const runtime::DiskCall&) { return broken; });
  const std::string to = key_elsewhere(world.node(), "from");
  world.send("mover", encode({"BLMOVE", "from", to, "LEFT", "RIGHT", "0"}));
  world.let_pass(10 * kMillisecond);

  // The push is admitted, and the log is full with it; then it cannot be written.
  world.sim().node().settings().durability.log.backlog_bytes_max = 1;
  broken = true;
  EXPECT_EQ(world.run("pusher", {"RPUSH", "from", "x"}).value.integer, 1);
  world.let_pass(3 * kSecond);
  EXPECT_GT(sum(world.node(), &shard::WaitingCounters::tasks_waiting_for_log), 0);
  EXPECT_EQ(sum(world.node(), &shard::WaitingCounters::served), 0);
  const Answer seen = world.run("reader", {"LRANGE", "from", "0", "-1"});
  ASSERT_EQ(seen.value.items.size(), 1u) << describe(seen);
  const Answer refused = world.run("late", {"LPOP", "from"});
  EXPECT_TRUE(refused.value.text.starts_with("MISCONF")) << describe(refused);

  broken = false;
  EXPECT_EQ(world.receive("mover").value.text, "x");
  EXPECT_EQ(world.run("reader", {"LLEN", "from"}).value.integer, 0);
  EXPECT_EQ(world.run("reader", {"LLEN", to}).value.integer, 1);
}

// Under `appendfsync always`, on a disk that does not sync: more readers than one hold may serve,
// so that the last of them are served by a task that writes nothing.
TEST(Waiting, NoBlockedReaderIsShownAnEntryThatIsNotDurable) {
  constexpr int kReaders = 80;
  world::SimNodeOptions options;
  options.directory = "data";
  SimNodeWorld world(9, options);
  world.node().settings().durability.log.fsync = storage::Fsync::always;
  bool broken = false;
  world.sim().disk().set_script([&](const runtime::DiskCall& call) {
    return broken && call.operation == runtime::DiskOperation::sync_data;
  });
  std::vector<std::unique_ptr<runtime::SimClient>> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.push_back(world.sim().connect());
    readers.back()->send(encode({"XREAD", "BLOCK", "0", "STREAMS", "s", "$"}));
  }
  const auto heard = [&] {
    return std::ranges::count_if(readers, [](const auto& one) { return !one->received().empty(); });
  };
  world.sim().world().run_until([&] { return world.node().counters().waiting_now == kReaders; },
                                1'000'000);
  broken = true;
  world.send("writer", encode({"XADD", "s", "*", "f", "v"}));
  world.let_pass(3 * kSecond);
  EXPECT_EQ(sum(world.node(), &shard::WaitingCounters::served), kReaders);
  EXPECT_EQ(heard(), 0);
  broken = false;
  world.sim().world().run_until([&] { return heard() == kReaders; }, 10'000'000);
  EXPECT_EQ(heard(), kReaders);
}

// For everybody else the push and the move are one step, though a waiter task comes in between.
class Mover : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Mover, GetsWhatIsPushedAndWhoeverComesForItAtThatMomentNothing) {
  SimNodeWorld world(GetParam(), {.workers = 3, .shards = 16, .pause_ppm = 300'000});
  const std::string to = key_elsewhere(world.node(), "from");
  world.send("mover", encode({"BLMOVE", "from", to, "LEFT", "RIGHT", "0"}));
  world.sim().world().run_until([&] { return world.node().counters().waiting_now == 1; },
                                1'000'000);
  // A transaction may stop while it holds the token, so that takers queue for it.
  world.send("pusher", encode({"MULTI"}) + encode({"RPUSH", "from", "x"}) + encode({"EXEC"}));
  for (const char* taker : {"one", "two", "three"}) world.send(taker, encode({"LPOP", "from"}));
  for (const char* taker : {"one", "two", "three"}) {
    EXPECT_EQ(world.receive(taker).value.kind, resp::Value::Kind::null);
  }
  EXPECT_EQ(world.receive("mover").value.text, "x");
}

INSTANTIATE_TEST_SUITE_P(Seeds, Mover, ::testing::Range<std::uint64_t>(1, 201));

class TrackingWaiter : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  TrackingWaiter() {
    world_.run("waiter", {"HELLO", "3"});
    world_.run("waiter", {"CLIENT", "TRACKING", "ON"});
  }
  void until_it_waits() {
    world_.sim().world().run_until([this] { return world_.node().counters().waiting_now == 1; },
                                   1'000'000);
  }
  // Of a push: the key that is stale.
  static std::string stale(const Answer& answer) {
    const auto& items = answer.value.items;
    return items.size() == 2 && !items[1].items.empty() ? items[1].items[0].text : "";
  }

  SimNodeWorld world_{GetParam(), {.workers = 3, .shards = 16, .pause_ppm = 300'000}};
};

TEST_P(TrackingWaiter, HearsThatItsOwnMoveMadeAKeyStaleAfterItsReply) {
  const std::string to = key_elsewhere(world_.node(), "from");
  world_.run("waiter", {"LRANGE", to, "0", "-1"});
  world_.send("waiter", encode({"BLMOVE", "from", to, "LEFT", "RIGHT", "0"}));
  until_it_waits();
  world_.run("pusher", {"RPUSH", "from", "x"});
  EXPECT_EQ(world_.receive("waiter").value.text, "x");
  EXPECT_EQ(stale(world_.receive("waiter")), to);
}

TEST_P(TrackingWaiter, HearsOfWhatCameAfterWhatItWasServedAfterItsReply) {
  world_.send("waiter", encode({"XREAD", "BLOCK", "0", "STREAMS", "s", "$"}));
  until_it_waits();
  world_.send("adder",
              encode({"XADD", "s", "1-1", "f", "v"}) + encode({"XADD", "s", "2-1", "f", "v"}));
  const Answer first = world_.receive("waiter");
  EXPECT_EQ(first.value.kind, resp::Value::Kind::map) << describe(first);
  EXPECT_EQ(stale(world_.receive("waiter")), "s");  // the entry that it was served with
  EXPECT_EQ(stale(world_.receive("waiter")), "s");  // the one after it
}

INSTANTIATE_TEST_SUITE_P(Seeds, TrackingWaiter, ::testing::Range<std::uint64_t>(1, 61));

// WAITAOF, on a disk that does not sync.
class WaitingForTheLog : public testing::Test {
 protected:
  WaitingForTheLog() : world(11, options()) {
    world.sim().disk().set_script([this](const runtime::DiskCall& call) {
      return broken && call.operation == runtime::DiskOperation::sync_data;
    });
  }
  static world::SimNodeOptions options() {
    world::SimNodeOptions options;
    options.directory = "data";
    return options;
  }

  SimNodeWorld world;
  bool broken = false;
};

TEST_F(WaitingForTheLog, EndsAtItsTimeoutWithWhatIsTrueThen) {
  broken = true;
  EXPECT_EQ(world.run("a", {"SET", "key", "1"}).value.text, "OK");
  const runtime::Nanos begun = world.sim().world().clock().monotonic();
  const Answer late = world.run("a", {"WAITAOF", "1", "0", "700"});
  ASSERT_EQ(late.kind, Answer::Kind::reply) << describe(late);
  ASSERT_EQ(late.value.items.size(), 2u);
  EXPECT_EQ(late.value.items[0].integer, 0);
  EXPECT_GE(world.sim().world().clock().monotonic() - begun, 700 * kMillisecond);
  broken = false;
  const Answer whole = world.run("a", {"WAITAOF", "1", "0", "0"});
  ASSERT_EQ(whole.value.items.size(), 2u) << describe(whole);
  EXPECT_EQ(whole.value.items[0].integer, 1);
}

TEST_F(WaitingForTheLog, EndsWhenTheDiskHasRecovered) {
  broken = true;
  EXPECT_EQ(world.run("a", {"SET", "key", "1"}).value.text, "OK");
  world.send("a", encode({"WAITAOF", "1", "0", "1000000"}));
  world.send("b", encode({"WAITAOF", "1", "0", "0"}));
  world.let_pass(3 * kSecond);
  EXPECT_EQ(world.node().counters().waiting_now, 2);
  const runtime::Nanos begun = world.sim().world().clock().monotonic();
  broken = false;
  for (const char* client : {"a", "b"}) {
    const Answer answer = world.receive(client);
    ASSERT_EQ(answer.value.items.size(), 2u) << describe(answer);
    EXPECT_EQ(answer.value.items[0].integer, 1);
  }
  EXPECT_LT(world.sim().world().clock().monotonic() - begun, 60 * kSecond);
}

}  // namespace
}  // namespace slotcar::sim
