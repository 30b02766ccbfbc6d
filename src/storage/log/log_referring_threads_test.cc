// A record refers to a value whose owner goes on writing, while the log's thread reads and writes
// it: the log has the value as it was when the record was appended.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "runtime/real/real_clock.h"
#include "runtime/real/real_disk.h"
#include "runtime/real/real_random.h"
#include "storage/log/log.h"
#include "storage/log/log_reader.h"

namespace slotcar::storage {
namespace {

TEST(LogReferringThreads, TheOwnerWritesWhileTheLogReads) {
  constexpr int kOwners = 3;
  constexpr int kRounds = 60;
  constexpr std::size_t kBytes = 4 * limits::kLongBytesMin;
  const auto directory =
      std::filesystem::temp_directory_path() / ("slotcar-referring-" + std::to_string(::getpid()));
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
    std::thread runner([&] { (*loop)->run(); });
    std::vector<std::thread> owners;
    for (int owner = 0; owner < kOwners; ++owner) {
      owners.emplace_back([&, owner] {
        const std::string begin(kBytes, static_cast<char>('0' + owner));
        base::SharedBytes value = base::SharedBytes::copy_of(begin, nullptr);
        for (int round = 0; round < kRounds; ++round) {
          while (!log.admits()) std::this_thread::yield();
          base::LongParts parts;
          parts.push_back({2, std::make_unique<base::LongReading>(value)});
          log.append({.epoch = Epoch{1}}, std::to_string(owner) + " ", std::move(parts));
          // The same byte everywhere after each round; never in one go.
          const std::size_t step = 700 + static_cast<std::size_t>(round) * 97;
          for (std::size_t at = 0; at < kBytes; at += step) {
            const std::size_t end = std::min(kBytes, at + step);
            char* data = value.write_beside_readings(kBytes, at, end);
            ASSERT_NE(data, nullptr);
            for (std::size_t i = at; i < end; ++i) ++data[i];
          }
        }
      });
    }
    for (auto& owner : owners) owner.join();
    log.sync_soon();
    while (log.durable() != log.last()) std::this_thread::yield();
    EXPECT_EQ(log.backlog_memory(), 0u);
    (*loop)->stop();
    runner.join();
  }
  int next[kOwners] = {};
  LogReader reader(disk, directory.string());
  const auto summary = reader.read(Lsn{1}, [&](const RecordHeader&, std::string_view payload) {
    const int owner = payload[0] - '0';
    const char byte = static_cast<char>('0' + owner + next[owner]++);
    EXPECT_EQ(payload.size(), 2 + kBytes);
    EXPECT_EQ(payload.find_first_not_of(byte, 2), std::string_view::npos) << owner;
    return true;
  });
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  for (const int rounds : next) EXPECT_EQ(rounds, kRounds);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace slotcar::storage
