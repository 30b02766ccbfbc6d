#include "storage/log/log_buffer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/sim/sim_shared_memory.h"
#include "storage/log/log_block.h"

namespace slotcar::storage {
namespace {

constexpr std::uint64_t kLife = 7;
constexpr std::uint64_t kSalt = 0x5a17;

// A server's blocks in a buffer, up to the moment when it is killed.
class LogBufferTest : public testing::Test {
 protected:
  explicit LogBufferTest(std::size_t bytes_max = 8 * LogBlock::kBytes) {
    auto made = LogBuffer::create(memory_, {.life = kLife, .salt = kSalt, .bytes_max = bytes_max});
    EXPECT_TRUE(made.ok());
    blocks_.use_buffer(std::move(*made));
  }

  // As Log::append: lay out, number, publish.
  LogRecord append(LogAppender& appender, Lsn lsn, std::string_view payload) {
    LogRecord record = appender.write(blocks_, {.epoch = Epoch{3}, .time = 5}, payload);
    record.set_lsn(lsn);
    return record;
  }
  LogRecord append(Lsn lsn, std::string_view payload) { return append(appender_, lsn, payload); }

  LogBufferContents left(Lsn after = Lsn{0}) {
    auto bytes = memory_.read(LogBuffer::file_name(kLife));
    EXPECT_TRUE(bytes.ok() && bytes->has_value());
    auto contents = read_log_buffer(**bytes, after);
    EXPECT_TRUE(contents.ok()) << contents.error().message;
    return *contents;
  }
  std::vector<std::string> payloads(Lsn after = Lsn{0}) {
    std::vector<std::string> all;
    for (const SurvivingRecord& record : left(after).records) {
      all.push_back(std::to_string(record.lsn.value) + " " + record.payload.substr(0, 20));
    }
    return all;
  }
  using Lines = std::vector<std::string>;

  runtime::SimSharedMemory memory_;
  LogBlocks blocks_{kSalt};
  LogAppender appender_;
};

TEST_F(LogBufferTest, HasWhatWasAppended) {
  EXPECT_EQ(payloads(), Lines{});
  append(Lsn{1}, "one");
  append(Lsn{2}, "two");
  LogAppender other;
  append(other, Lsn{3}, "three");
  EXPECT_EQ(payloads(), (Lines{"1 one", "2 two", "3 three"}));
  EXPECT_EQ(payloads(Lsn{2}), (Lines{"3 three"}));
  const LogBufferContents contents = left();
  EXPECT_EQ(contents.life, kLife);
  EXPECT_EQ(contents.boot_id, memory_.boot_id());
  EXPECT_EQ(contents.records[0].about.epoch, Epoch{3});
  EXPECT_EQ(contents.records[0].about.time, 5);
}

// Killed after it had reserved a number and before it had stored it.
TEST_F(LogBufferTest, AnUnpublishedRecordIsNone) {
  append(Lsn{1}, "one");
  static_cast<void>(appender_.write(blocks_, {}, "reserved, not stored"));
  LogAppender other;
  append(other, Lsn{3}, "three");
  EXPECT_EQ(payloads(), (Lines{"1 one", "3 three"}));
}

TEST_F(LogBufferTest, WhatTheLogHasStampedIsStillThere) {
  append(Lsn{1}, "one").stamp(Lsn{1}, Lsn{0}, kSalt);
  append(Lsn{2}, "two");
  EXPECT_EQ(payloads(), (Lines{"1 one", "2 two"}));
}

TEST_F(LogBufferTest, WhatIsDurableDoesNotCountAndItsBlockIsUsedAgain) {
  std::vector<LogRecord> records;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    records.push_back(append(Lsn{i}, "old " + std::to_string(i)));
  }
  blocks_.release(records, Lsn{100});
  EXPECT_EQ(left().durable, Lsn{100});
  EXPECT_EQ(payloads(), Lines{});
  // The block is reused: the new records are in front of what is left of the old ones.
  append(Lsn{101}, "new");
  append(Lsn{102}, "new of another length");
  EXPECT_EQ(payloads(), (Lines{"101 new", "102 new of another lengt"}));
}

// A value that looks like a record, where the scan would find it: behind the last record.
TEST_F(LogBufferTest, AForgedRecordIsNone) {
  std::string forged(RecordHeader::kBytes + 8, '\0');
  RecordHeader header;
  header.payload_size = 4;
  header.lsn = Lsn{500};
  header.write(forged.data(), kSalt + 1);  // a client does not know the salt
  std::string value;
  for (int i = 0; i < 1000; ++i) value += forged;
  blocks_.release({append(Lsn{1}, value)}, Lsn{1});
  for (std::uint64_t i = 2; i < 20; ++i) {
    append(Lsn{i}, "x");
    ASSERT_EQ(payloads().size(), i - 1);
  }
}

TEST_F(LogBufferTest, ALongRecordLiesInARunOfBlocks) {
  append(Lsn{1}, "short");
  append(Lsn{2}, std::string(3 * LogBlock::kBytes, 'x'));
  append(Lsn{3}, "short again");
  ASSERT_EQ(payloads().size(), 3u);
  EXPECT_EQ(left().records[1].payload, std::string(3 * LogBlock::kBytes, 'x'));
}

TEST_F(LogBufferTest, WithoutRoomARecordLiesElsewhereAndSaysSo) {
  EXPECT_FALSE(append(Lsn{1}, "short").outside_buffer());
  memory_.set_capacity(0);
  const LogRecord outside = append(Lsn{2}, std::string(LogBlock::kBytes, 'x'));
  EXPECT_TRUE(outside.outside_buffer());
  EXPECT_EQ(payloads(), (Lines{"1 short"}));
  blocks_.release({outside}, Lsn{2});
  memory_.set_capacity(SIZE_MAX);
  EXPECT_FALSE(append(Lsn{3}, std::string(LogBlock::kBytes, 'x')).outside_buffer());
}

TEST_F(LogBufferTest, ALongerRecordThanTheBufferLiesElsewhere) {
  EXPECT_TRUE(append(Lsn{1}, std::string(9 * LogBlock::kBytes, 'x')).outside_buffer());
  EXPECT_EQ(payloads(), Lines{});
}

TEST_F(LogBufferTest, DamageIsSaid) {
  append(Lsn{1}, "one");
  auto bytes = **memory_.read(LogBuffer::file_name(kLife));
  const auto message = [](const std::string& all) {
    auto contents = read_log_buffer(all, Lsn{0});
    return contents.ok() ? std::string("good") : contents.error().message;
  };
  EXPECT_EQ(message(bytes), "good");
  EXPECT_EQ(message(bytes.substr(0, 20)), "at byte 0: too short for a log buffer");
  std::string other = bytes;
  other[7] = '2';
  EXPECT_EQ(message(other), "at byte 0: not a log buffer, or one of another version");
  other = bytes;
  other[9] ^= 1;
  EXPECT_EQ(message(other), "at byte 0: the head has another checksum");
  other = bytes;
  other[other.find("one")] = 'O';
  EXPECT_NE(message(other).find("record 1 has another checksum"), std::string::npos);
}

TEST(LogBufferOrphans, GoWithTheirDirectoryUnlessTheyHoldRecords) {
  runtime::SimSharedMemory memory;
  const auto make = [&](std::uint64_t life, const std::string& path, bool holds_record) {
    auto made = LogBuffer::create(
        memory,
        {.life = life, .salt = kSalt, .directory_path = path, .bytes_max = 2 * LogBlock::kBytes});
    LogBlocks blocks{kSalt};
    blocks.use_buffer(std::move(*made));
    LogAppender appender;
    LogRecord record = appender.write(blocks, {}, "record");
    record.set_lsn(Lsn{5});
    if (!holds_record) blocks.release({record}, Lsn{5});
    memory.kill();
  };
  make(1, "/gone", false);
  make(2, "/gone", true);
  make(3, "/there", false);
  make(4, "", false);
  memory.remove_directory("/gone");
  const auto orphans = LogBuffer::remove_orphans(memory, 3);
  EXPECT_EQ(orphans.removed, 1u);
  EXPECT_EQ(orphans.left, 1u);
  EXPECT_EQ(memory.count(), 3u);
  EXPECT_FALSE(memory.read(LogBuffer::file_name(1))->has_value());
}

TEST_F(LogBufferTest, PagesThatAreNotUsedGoBack) {
  std::vector<LogRecord> records;
  const std::string payload(LogBlock::kBytes - 200, 'x');
  for (std::uint64_t i = 1; i <= 8; ++i) records.push_back(append(Lsn{i}, payload));
  EXPECT_TRUE(append(Lsn{9}, payload).outside_buffer());
  blocks_.release(records, Lsn{8});
  EXPECT_FALSE(append(Lsn{10}, payload).outside_buffer());
}

}  // namespace
}  // namespace slotcar::storage
