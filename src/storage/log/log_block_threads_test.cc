// Blocks are reused: however much is written, their number depends on what is not released.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "storage/log/log_block.h"

namespace slotcar::storage {
namespace {

constexpr RecordAbout kAbout{.epoch = Epoch{1}};

std::string_view payload(LogRecord record) {
  return record.view().substr(RecordHeader::kBytes, RecordHeader::payload_size_at(record.bytes()));
}

TEST(LogBlocks, AThreadWhoseRecordsAreReleasedStaysInItsBlock) {
  LogBlocks blocks;
  LogAppender appender;
  for (int i = 0; i < 10'000; ++i) {
    const LogRecord record = appender.write(blocks, kAbout, std::string(1000, 'x'));
    blocks.release({record}, Lsn{0});
  }
  EXPECT_EQ(blocks.count(), 1u);
}

TEST(LogBlocks, WhatIsNotReleasedStaysAsItWas) {
  LogBlocks blocks;
  LogAppender appender;
  std::deque<std::pair<LogRecord, std::string>> kept;
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(i) + std::string(static_cast<std::size_t>(i * 37 % 900), 'y');
    const LogRecord record = appender.write(blocks, kAbout, text);
    kept.emplace_back(record, std::move(text));
    if (kept.size() < 2000) continue;
    std::vector<LogRecord> released;
    for (int n = 0; n < 700; ++n) {
      ASSERT_EQ(payload(kept.front().first), kept.front().second);
      released.push_back(kept.front().first);
      kept.pop_front();
    }
    blocks.release(released, Lsn{0});
    most = std::max(most, blocks.count());
  }
  EXPECT_LE(most, 8u);  // 2,000 records of half a kilobyte lie in five blocks
}

TEST(LogBlocks, ARecordLargerThanABlockHasOneForItself) {
  LogBlocks blocks;
  LogAppender appender;
  const std::string large(3 * LogBlock::kBytes, 'z');
  const LogRecord before = appender.write(blocks, kAbout, "before");
  const LogRecord record = appender.write(blocks, kAbout, large);
  const LogRecord after = appender.write(blocks, kAbout, "after");
  EXPECT_EQ(payload(record), large);
  EXPECT_EQ(blocks.count(), 3u);
  blocks.release({before, record}, Lsn{0});
  EXPECT_EQ(blocks.count(), 2u);  // the large one is gone, the first is kept for reuse
  EXPECT_EQ(payload(after), "after");
}

TEST(LogFormat, APayloadMayBeLargerThanFourGigabytes) {
  RecordHeader header;
  header.payload_size = (std::uint64_t{5} << 32) + 7;
  header.lsn = Lsn{1};
  char bytes[RecordHeader::kBytes];
  header.write(bytes, 9);
  const auto read = RecordHeader::read({bytes, sizeof bytes}, {.version = 2, .salt = 9});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->payload_size, header.payload_size);
}

// Several threads write, one releases, as in a log; each record is whole when it is released.
TEST(LogBlocksThreads, RecordsAreWholeUntilTheyAreReleased) {
  constexpr int kThreads = 3;
  constexpr int kEach = 20'000;
  LogBlocks blocks;
  std::mutex mutex;
  std::vector<LogRecord> written;
  std::atomic<int> ended{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      LogAppender appender;
      for (int i = 0; i < kEach; ++i) {
        const auto size = static_cast<std::size_t>(1 + (i * 131 + t) % 3000);
        const LogRecord record =
            appender.write(blocks, kAbout, std::string(size, static_cast<char>('a' + size % 26)));
        std::lock_guard lock(mutex);
        written.push_back(record);
      }
      ended.fetch_add(1);
    });
  }
  int released = 0;
  while (released < kThreads * kEach) {
    std::vector<LogRecord> group;
    {
      std::lock_guard lock(mutex);
      group.swap(written);
    }
    for (const LogRecord record : group) {
      const std::string_view text = payload(record);
      ASSERT_EQ(text, std::string(text.size(), static_cast<char>('a' + text.size() % 26)));
    }
    released += static_cast<int>(group.size());
    blocks.release(group, Lsn{0});
    if (group.empty()) std::this_thread::yield();
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ended.load(), kThreads);
}

}  // namespace
}  // namespace slotcar::storage
