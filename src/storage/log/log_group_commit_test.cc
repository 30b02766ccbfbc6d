// When the log writes at once, and when it waits for more records first.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"
#include "storage/log/log.h"

namespace slotcar::storage {
namespace {

using runtime::kMicrosecond;

class LogGroupCommit : public ::testing::Test {
 protected:
  LogGroupCommit() {
    settings_.fsync = Fsync::always;
    EXPECT_TRUE(disk_.make_directory("log").ok());
    EXPECT_TRUE(log_.open(Lsn{0}, 1).ok());
    loop_.run();
  }
  void append(int records, std::size_t bytes) {
    for (int i = 0; i < records; ++i) {
      log_.append(pen_, {.epoch = Epoch{1}}, std::string(bytes, 'x'), Log::Wakes::later);
    }
  }
  // What the log does while no time passes except for its own steps.
  bool is_durable_at_once() {
    EXPECT_TRUE(world_.run_idle());
    return log_.durable() == log_.last();
  }

  static runtime::SimOptions without_stalls() {
    runtime::SimOptions options;
    options.stall_ppm = 0;
    return options;
  }
  static runtime::SimDiskOptions quick() {
    runtime::SimDiskOptions options;
    options.sync_time_max = 0;
    return options;
  }

  runtime::SimWorld world_{1, without_stalls()};
  runtime::SimDisk disk_{world_, quick()};
  runtime::SimNetwork network_{world_};
  runtime::SimLoop loop_{world_, network_};
  runtime::NullLogger logger_;
  LogSettings settings_;
  Log log_{loop_, disk_, logger_, settings_, ListedLog::options(disk_, world_.random(), 1 << 20)};
  LogAppender pen_;
};

TEST_F(LogGroupCommit, WhatIsPutOffIsSyncedWhenTheLogIsWokenAndAllOfItAtOnce) {
  append(20, 100);
  EXPECT_TRUE(world_.run_idle());
  EXPECT_EQ(log_.durable(), Lsn{0});
  append(20, 100);
  log_.wake();
  EXPECT_TRUE(is_durable_at_once());
  EXPECT_EQ(log_.numbers().syncs, 1u);
}

TEST_F(LogGroupCommit, WhoDoesNotPutItOffWaitsForNobody) {
  append(20, 100);
  log_.append(pen_, {.epoch = Epoch{1}}, "x", Log::Wakes::at_once);
  EXPECT_TRUE(is_durable_at_once());
}

TEST_F(LogGroupCommit, MuchIsNotPutOff) {
  append(2, 200'000);
  EXPECT_TRUE(is_durable_at_once());
}

// While the disk is busy others append. Callers that wake the log are written next; callers that
// have more to do are written when they wake it.
TEST_F(LogGroupCommit, ASyncDoesNotPromiseWhatNobodyHasAskedForYet) {
  bool asks = false;
  log_.set_on_durable([&](Lsn durable) {
    if (durable.value > 20) return;
    append(20, 100);
    if (asks) log_.wake();
  });
  append(10, 100);
  log_.wake();
  EXPECT_FALSE(is_durable_at_once());
  EXPECT_EQ(log_.durable(), Lsn{10});
  asks = true;
  append(1, 100);
  log_.wake();
  EXPECT_TRUE(is_durable_at_once());
}

TEST_F(LogGroupCommit, WhatIsTooMuchForOneGroupIsAskedForAllTheSame) {
  append(12, 500'000);  // nine of them are a group
  log_.wake();
  EXPECT_TRUE(is_durable_at_once());
}

TEST_F(LogGroupCommit, WhoAsksForASyncEndsTheWait) {
  append(20, 100);
  log_.sync_soon();
  EXPECT_TRUE(is_durable_at_once());
}

TEST_F(LogGroupCommit, TheEndLeavesNothingBehind) {
  int more = 3;
  log_.set_on_durable([&](Lsn) {
    if (more-- > 0) append(5, 100);
  });
  append(5, 100);
  log_.finish();
  EXPECT_TRUE(is_durable_at_once());
  EXPECT_EQ(log_.last(), Lsn{20});
}

TEST_F(LogGroupCommit, UnderEverySecondOneWriteTakesWhatHasGatheredForAWhile) {
  settings_.fsync = Fsync::everysec;
  append(20, 100);
  log_.wake();
  EXPECT_TRUE(world_.run_idle());
  EXPECT_EQ(log_.numbers().records, 0u);
  append(20, 100);
  ASSERT_TRUE(world_.run_for(5'000 * kMicrosecond));
  EXPECT_EQ(log_.numbers().records, 0u);
  ASSERT_TRUE(world_.run_for(5'000 * kMicrosecond));
  EXPECT_EQ(log_.numbers().records, 40u);
  EXPECT_EQ(log_.durable(), Lsn{0});
  ASSERT_TRUE(world_.run_for(1'100'000 * kMicrosecond));
  EXPECT_EQ(log_.durable(), log_.last());
}

// The loop sees a record only when the sync is over; the record is as old as it is all the same.
TEST_F(LogGroupCommit, TheLagCountsWhatCameWhileASyncHung) {
  settings_.fsync = Fsync::everysec;
  append(1, 100);
  log_.wake();
  disk_.set_script([&](const runtime::DiskCall& call) {
    if (call.operation == runtime::DiskOperation::sync_data) {
      world_.stall_current(3 * runtime::kSecond);
    }
    return false;
  });
  ASSERT_TRUE(world_.run_until([&] { return log_.durable() == log_.last(); }, 1'000'000));
  disk_.set_script({});
  EXPECT_EQ(log_.lag(), 0);
  append(1, 100);
  log_.wake();
  const runtime::Nanos appended = world_.clock().monotonic();
  int looked = 0;
  for (; log_.durable() != log_.last() && looked < 50; ++looked) {
    EXPECT_GE(log_.lag(), world_.clock().monotonic() - appended) << looked;
    ASSERT_TRUE(world_.run_for(100'000 * kMicrosecond));
  }
  EXPECT_GT(looked, 25);  // the sync hung for three seconds
  EXPECT_EQ(log_.durable(), log_.last());
  EXPECT_EQ(log_.lag(), 0);
}

// What comes while the loop syncs: behind a group, or when nothing was left to write.
TEST_F(LogGroupCommit, TheLagCountsWhatCameWhileTheLoopWasAtWork) {
  settings_.fsync = Fsync::everysec;
  runtime::Nanos appended = 0;
  log_.set_on_durable([&](Lsn) {
    if (std::exchange(appended, world_.clock().monotonic()) != 0) return;
    append(1, 100);
    log_.wake();
    world_.clock().advance(900 * runtime::kMillisecond);
  });
  for (const bool behind_a_group : {true, false}) {
    SCOPED_TRACE(behind_a_group);
    appended = 0;
    append(1, 100);
    log_.wake();
    if (behind_a_group) log_.sync_soon();
    ASSERT_TRUE(world_.run_until([&] { return appended != 0; }, 1'000'000));
    ASSERT_NE(log_.durable(), log_.last());
    const runtime::Nanos since = appended;
    while (log_.durable() != log_.last()) {
      EXPECT_GE(log_.lag(), world_.clock().monotonic() - since);
      ASSERT_TRUE(world_.run_for(100'000 * kMicrosecond));
    }
    EXPECT_EQ(log_.lag(), 0);
  }
}

}  // namespace
}  // namespace slotcar::storage
