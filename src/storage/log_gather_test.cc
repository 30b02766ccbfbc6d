// When the log writes at once, and when it waits for more records first.
#include <gtest/gtest.h>

#include <string>

#include "runtime/sim_disk.h"
#include "runtime/sim_loop.h"
#include "runtime/sim_network.h"
#include "runtime/sim_world.h"
#include "storage/log.h"

namespace slotcar::storage {
namespace {

using runtime::kMicrosecond;

class LogGather : public ::testing::Test {
 protected:
  LogGather() {
    settings_.fsync = Fsync::always;
    EXPECT_TRUE(disk_.make_directory("log").ok());
    EXPECT_TRUE(log_.open(Lsn{0}, 1).ok());
    loop_.run();
  }
  void append(int records, std::size_t bytes) {
    for (int i = 0; i < records; ++i) {
      log_.append(pen_, {.epoch = Epoch{1}}, std::string(bytes, 'x'), Log::Wakes::at_turn_end);
    }
    log_.wake();
  }
  // What the log does without any time going by but that of its own steps.
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
  Log log_{loop_, disk_, logger_, settings_, {"log", 1 << 20}};
  LogPen pen_;
};

TEST_F(LogGather, FewWritersNeverWaitForOthers) {
  for (int i = 0; i < 3; ++i) {
    append(4, 100'000);  // much, but by few
    EXPECT_TRUE(is_durable_at_once());
    append(100, 10);  // by many, but little
    EXPECT_TRUE(is_durable_at_once());
  }
}

TEST_F(LogGather, WhenManyWriteMuchOneSyncPromisesMore) {
  append(20, 1'000);
  EXPECT_TRUE(is_durable_at_once());
  const std::uint64_t syncs = log_.numbers().syncs;
  append(20, 1'000);
  EXPECT_FALSE(is_durable_at_once());
  append(20, 1'000);
  ASSERT_TRUE(world_.run_for(300 * kMicrosecond));
  EXPECT_EQ(log_.durable(), log_.last());
  EXPECT_EQ(log_.numbers().syncs, syncs + 1);
  // The crowd has gone: one waits once, and no more.
  append(1, 10);
  EXPECT_FALSE(is_durable_at_once());
  ASSERT_TRUE(world_.run_for(300 * kMicrosecond));
  EXPECT_EQ(log_.durable(), log_.last());
  append(1, 10);
  EXPECT_TRUE(is_durable_at_once());
}

TEST_F(LogGather, WhoAsksForASyncEndsTheWait) {
  append(20, 1'000);
  EXPECT_TRUE(is_durable_at_once());
  append(20, 1'000);
  EXPECT_FALSE(is_durable_at_once());
  log_.sync_soon();
  EXPECT_TRUE(is_durable_at_once());
}

}  // namespace
}  // namespace slotcar::storage
