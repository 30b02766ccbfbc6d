// How many records the log's ring takes while it is not emptied.
#include <gtest/gtest.h>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"
#include "storage/log/log.h"

namespace slotcar::storage {
namespace {

// A sync hangs: the log's loop does not run at all.
class FullRing : public ::testing::Test {
 protected:
  FullRing() {
    EXPECT_TRUE(disk_.make_directory("log").ok());
    EXPECT_TRUE(log_.open(Lsn{0}, 1).ok());
    while (log_.admits()) append();
  }
  void append() { log_.append(pen_, {.epoch = Epoch{1}}, "x", Log::Wakes::later); }

  runtime::SimWorld world_{1};
  runtime::SimDisk disk_{world_};
  runtime::SimNetwork network_{world_};
  runtime::SimLoop loop_{world_, network_};
  runtime::NullLogger logger_;
  LogSettings settings_;
  Log log_{loop_, disk_, logger_, settings_, ListedLog::options(disk_, world_.random(), 1 << 24)};
  LogAppender pen_;
};

TEST_F(FullRing, TakesTheRecordOfEveryConnectionThatWasAdmittedBefore) {
  for (std::size_t i = 0; i < Log::kRingSpare; ++i) append();
  loop_.run();
  log_.sync_soon();
  EXPECT_TRUE(world_.run_until([this] { return log_.durable() == log_.last(); }));
  EXPECT_TRUE(log_.admits());
}

// The reason for the bound on connections.
TEST_F(FullRing, TakesNotOneMore) {
  for (std::size_t i = 0; i < Log::kRingSpare; ++i) append();
  EXPECT_DEATH(append(), "");
}

}  // namespace
}  // namespace slotcar::storage
