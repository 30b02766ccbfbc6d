// The log with many threads that append, on a real loop: order, completeness, notification of
// durability. And in the simulator, where the disk fails and every interleaving of items comes from
// a seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/real/real_clock.h"
#include "runtime/real/real_disk.h"
#include "runtime/real/real_random.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"
#include "storage/log/log.h"
#include "storage/log/log_reader.h"

namespace slotcar::storage {
namespace {

constexpr RecordAbout kAbout{.epoch = Epoch{1}};

TEST(LogThreads, EveryRecordOnceInTheOrderOfItsThread) {
  constexpr int kThreads = 4;
  constexpr int kEach = 5'000;
  const auto directory =
      std::filesystem::temp_directory_path() / ("slotcar-log-" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory);
  runtime::RealClock clock;
  runtime::RealDisk disk;
  runtime::RealRandom random;
  runtime::NullLogger logger;
  LogSettings settings;
  auto loop = runtime::make_event_loop(runtime::Backend::epoll, {}, clock, nullptr);
  ASSERT_TRUE(loop.ok());
  {
    Log log(**loop, disk, logger, settings,
            {.directory = directory.string(), .segment_bytes = 1 << 20, .random = &random});
    ASSERT_TRUE(log.open(Lsn{0}, 1).ok());
    std::atomic<std::uint64_t> told{0};
    log.set_on_durable([&](Lsn lsn) { told.store(lsn.value); });
    std::thread runner([&] { (*loop)->run(); });
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        LogAppender appender;
        for (int i = 0; i < kEach; ++i) {
          while (!log.admits()) std::this_thread::yield();
          log.append(appender, kAbout, std::to_string(t) + " " + std::to_string(i));
        }
      });
    }
    for (auto& thread : threads) thread.join();
    log.sync_soon();
    while (told.load() != kThreads * kEach) std::this_thread::yield();
    EXPECT_EQ(log.durable(), log.last());
    EXPECT_EQ(log.backlog_bytes(), 0u);
    (*loop)->stop();
    runner.join();
  }
  std::map<int, int> next;
  LogReader reader(disk, directory.string());
  const auto summary = reader.read(Lsn{1}, [&](const RecordHeader&, std::string_view payload) {
    const std::string text(payload);
    const int thread = std::stoi(text);
    EXPECT_EQ(std::stoi(text.substr(text.find(' '))), next[thread]++);
    return true;
  });
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->records, static_cast<std::uint64_t>(kThreads * kEach));
  std::filesystem::remove_all(directory);
}

// The loop, the disk's failures and the moment of the crash come from the seed.
struct SimCampaign {
  std::uint64_t failing = 0, mended = 0, crashed_before_all = 0;
};

void fail_and_crash(std::uint64_t seed, Fsync fsync, SimCampaign& campaign) {
  runtime::SimWorld world(seed);
  runtime::SimDisk disk(world);
  ASSERT_TRUE(disk.make_directory("log").ok());
  ASSERT_TRUE(disk.sync_directory("").ok());
  runtime::NullLogger logger;
  runtime::SimDice dice(seed * 31 + 7);
  LogSettings settings;
  settings.fsync = fsync;
  std::vector<std::string> written;
  std::uint64_t promised = 0;
  {
    auto mount = disk.mount();
    runtime::SimNetwork network(world);
    runtime::SimLoop loop(world, network);
    loop.run();
    Log log(loop, *mount, logger, settings, ListedLog::options(*mount, world.random(), 4096));
    ASSERT_TRUE(log.open(Lsn{0}, 1).ok());
    runtime::SimDiskOptions faults;
    faults.sync_fails_ppm = 100'000;
    faults.write_fails_ppm = 50'000;
    disk.set_options(faults);
    LogAppender appender;
    bool was_failing = false;
    const auto steps = 50 + dice.below(400);
    for (std::uint64_t i = 0; i < steps; ++i) {
      if (log.admits() && dice.below(3) != 0) {
        written.push_back(std::to_string(i) +
                          std::string(dice.below(dice.below(4) == 0 ? 3'000 : 600), 'x'));
        EXPECT_EQ(log.append(appender, kAbout, written.back()).lsn.value, written.size());
      }
      world.step();
      ASSERT_LE(promised, log.durable().value);
      promised = log.durable().value;
      if (was_failing && !log.failing()) ++campaign.mended;
      was_failing = log.failing();
      if (was_failing) ++campaign.failing;
    }
    if (dice.coin()) {  // the disk recovers, and so does the log
      disk.set_options({});
      log.sync_soon();
      ASSERT_TRUE(world.run_until([&] { return log.durable() == log.last(); }));
      EXPECT_EQ(log.backlog_bytes(), 0u);
      EXPECT_TRUE(log.admits());
      promised = written.size();
    }
    if (promised < written.size()) ++campaign.crashed_before_all;
    disk.crash();
  }
  disk.set_options({});
  std::uint64_t next = 0;
  const auto summary =
      ListedLog::read(disk, Lsn{1}, [&](const RecordHeader& header, std::string_view payload) {
        EXPECT_EQ(header.lsn.value, next + 1);
        EXPECT_EQ(payload, written[next++]);
        return true;
      });
  ASSERT_TRUE(summary.ok()) << "seed " << seed << ": " << summary.error().message;
  EXPECT_GE(next, promised) << "seed " << seed;
}

TEST(LogSimulated, PromisesAreKeptAndTheLogRecovers) {
  SimCampaign campaign;
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    fail_and_crash(seed, seed % 3 == 0 ? Fsync::everysec : Fsync::always, campaign);
  }
  EXPECT_GT(campaign.failing, 0u);
  EXPECT_GT(campaign.mended, 0u);
  EXPECT_GT(campaign.crashed_before_all, 0u);
}

}  // namespace
}  // namespace slotcar::storage
