#include "durability/surviving_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "runtime/sim/sim_shared_memory.h"
#include "storage/log/log_block.h"
#include "storage/log/log_buffer.h"

namespace slotcar::durability {
namespace {

using storage::LogBlocks;
using storage::LogBuffer;
using testing::HasSubstr;

constexpr std::uint64_t kLife = 7;
constexpr std::uint64_t kSalt = 0x5a17;

class Lines final : public runtime::Logger {
 public:
  Lines() : Logger(runtime::LogLevel::debug) {}
  std::string text;

 private:
  void write_line(runtime::LogLevel, std::string_view line) override {
    text.append(line).append("\n");
  }
};

// The buffer of a server that was killed.
class SurvivingRecordsTest : public testing::Test {
 protected:
  SurvivingRecordsTest() {
    blocks_.use_buffer(std::move(*LogBuffer::create(memory_, {.life = kLife, .salt = kSalt})));
    manifest_.life = kLife;
    manifest_.boot_id = memory_.boot_id();
  }
  void append(std::uint64_t lsn) {
    appender_.write(blocks_, {.epoch = Epoch{3}}, "r" + std::to_string(lsn)).set_lsn(Lsn{lsn});
  }
  Result<storage::LogWriter::Tail> survive(Lsn last) {
    return surviving_records(memory_, manifest_, last, "data/slotcar-log", log_);
  }
  // The payloads; - stands for a number that was not used.
  std::vector<std::string> payloads(Lsn last) {
    auto tail = survive(last);
    EXPECT_TRUE(tail.ok()) << tail.error().message;
    std::vector<std::string> all;
    for (const auto& one : *tail) {
      EXPECT_EQ(one.payload == "-", one.about.flags == storage::RecordAbout::kGapFlag);
      all.push_back(one.payload);
    }
    return all;
  }
  using Payloads = std::vector<std::string>;

  runtime::SimSharedMemory memory_;
  LogBlocks blocks_{kSalt};
  storage::LogAppender appender_;
  storage::Manifest manifest_;
  Lines log_;
};

TEST_F(SurvivingRecordsTest, FollowTheSegmentsWithoutAGap) {
  for (std::uint64_t lsn : {1, 2, 5}) append(lsn);
  EXPECT_EQ(payloads(Lsn{0}), (Payloads{"r1", "r2", "-", "-", "r5"}));
  EXPECT_EQ(payloads(Lsn{2}), (Payloads{"-", "-", "r5"}));
  EXPECT_EQ(payloads(Lsn{5}), Payloads{});
}

TEST_F(SurvivingRecordsTest, TooManyGapsAreNotGaps) {
  append(limits::kLogGapsMax + 2);
  const auto tail = survive(Lsn{0});
  ASSERT_FALSE(tail.ok());
  EXPECT_THAT(tail.error().message, HasSubstr("too many records are missing"));
  EXPECT_TRUE(survive(Lsn{1}).ok());
}

TEST_F(SurvivingRecordsTest, SegmentsThatEndTooEarlyAreRefused) {
  append(1);
  blocks_.release({}, Lsn{9});
  const auto tail = survive(Lsn{8});
  ASSERT_FALSE(tail.ok());
  EXPECT_THAT(tail.error().message, HasSubstr("ends with record 8"));
  EXPECT_THAT(tail.error().message, HasSubstr("up to 9"));
  EXPECT_TRUE(survive(Lsn{9}).ok());
}

TEST_F(SurvivingRecordsTest, EndBeforeARecordThatIsElsewhere) {
  for (std::uint64_t lsn : {1, 2, 4}) append(lsn);
  blocks_.note_outside(Lsn{3});
  EXPECT_EQ(payloads(Lsn{0}), (Payloads{"r1", "r2"}));
  EXPECT_THAT(log_.text, HasSubstr("record 3 was on its way"));
}

TEST_F(SurvivingRecordsTest, AreIgnoredAfterARestartOfTheMachine) {
  append(1);
  const std::string bytes = **memory_.read(LogBuffer::file_name(kLife));
  memory_.crash();  // a tmpfs that was saved and restored with the machine
  auto region = memory_.create(LogBuffer::file_name(kLife), bytes.size(), 4096);
  ASSERT_TRUE(region.ok() && (*region)->allocate(0, bytes.size()).ok());
  std::copy(bytes.begin(), bytes.end(), (*region)->data());
  EXPECT_EQ(payloads(Lsn{0}), Payloads{});
  EXPECT_THAT(log_.text, HasSubstr("before this machine was started"));
}

TEST_F(SurvivingRecordsTest, AMissingBufferIsReportedOnlyIfItShouldBeThere) {
  ASSERT_TRUE(memory_.remove(LogBuffer::file_name(kLife)).ok());
  EXPECT_EQ(payloads(Lsn{4}), Payloads{});
  EXPECT_THAT(log_.text, HasSubstr("is gone"));
  log_.text.clear();
  manifest_.last = Lsn{4};  // stopped in good order
  EXPECT_EQ(payloads(Lsn{4}), Payloads{});
  EXPECT_EQ(log_.text, "");
  manifest_.last.reset();
  manifest_.boot_id = "another";
  EXPECT_EQ(payloads(Lsn{4}), Payloads{});
  EXPECT_EQ(log_.text, "");
}

}  // namespace
}  // namespace slotcar::durability
