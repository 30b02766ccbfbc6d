#include "shard/moved_hold.h"

#include <gtest/gtest.h>

#include "base/shard_list.h"
#include "keyspace/watch/waited_keys.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::shard {
namespace {

class NoTasks final : public runtime::TaskRunner {
 public:
  void post(runtime::Task&) override { FAIL(); }
};

class MovedHoldTest : public ::testing::Test {
 protected:
  // What a call of a worker has done so far.
  keyspace::Hold begin(Thread& thread) {
    keyspace::Hold hold = keyspace::Hold::of_sole_owner(shards_);
    hold.now = 77;
    hold.client = ClientId{5};
    hold.counters = &thread.keyspace;
    hold.effects = &thread.effects;
    hold.signals = &thread.signals;
    hold.notifications = &thread.notifications;
    thread.effects.set_recording(true);
    thread.effects.add(DbIndex{0}, {"SET", "k", "v"});
    thread.notifications.add_changed("k", ClientId{5});
    thread.signals.push_back(&key_);
    return hold;
  }

  runtime::SimWorld world_{1};
  NoTasks runner_;
  Thread worker_{runner_, world_.clock(), 1, 1};
  Thread slow_{runner_, world_.clock(), 2, 1};
  const base::ShardList shards_{ShardId{3}};
  keyspace::WaitedKey key_;
};

TEST_F(MovedHoldTest, LeavesNothingOnTheThreadThatItIsTakenFrom) {
  const MovedHold moved(worker_, begin(worker_));
  EXPECT_EQ(worker_.effects.changes(), 0u);
  EXPECT_TRUE(worker_.effects.payload().empty());
  EXPECT_TRUE(worker_.notifications.empty());
  EXPECT_TRUE(worker_.signals.empty());
}

TEST_F(MovedHoldTest, ContinuesOnTheOtherThreadWithAllThatWasDone) {
  MovedHold moved(worker_, begin(worker_));
  // The worker goes on with other calls meanwhile: each hold says anew whether it is recorded.
  worker_.effects.set_recording(true);
  worker_.effects.add(DbIndex{0}, {"DEL", "other"});
  const keyspace::Hold hold = moved.put_down(slow_);
  EXPECT_EQ(hold.now, 77);
  EXPECT_EQ(hold.client, ClientId{5});
  EXPECT_TRUE(hold.holds(ShardId{3}));
  EXPECT_EQ(slow_.effects.changes(), 1u);
  EXPECT_NE(slow_.effects.payload().find("SET"), std::string_view::npos);
  EXPECT_EQ(slow_.notifications.changed, std::vector<std::string>{"k"});
  EXPECT_EQ(slow_.signals, std::vector<keyspace::WaitedKey*>{&key_});
  // What it does from here on is noted there as well.
  EXPECT_EQ(hold.counters, &slow_.keyspace);
  EXPECT_EQ(hold.effects, &slow_.effects);
  EXPECT_EQ(hold.signals, &slow_.signals);
  EXPECT_EQ(hold.notifications, &slow_.notifications);
  EXPECT_EQ(worker_.effects.changes(), 1u);
  EXPECT_NE(worker_.effects.payload().find("DEL"), std::string_view::npos);
}

}  // namespace
}  // namespace slotcar::shard
