// Blocks of the log, used by one thread.
#include "storage/log/log_block.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slotcar::storage {
namespace {

constexpr RecordAbout kAbout{.epoch = Epoch{1}};

// The address of a record identifies its block, whatever was written and released before it.
TEST(LogBlocks, ARecordKnowsItsBlockAfterALargeOne) {
  LogBlocks blocks(0x5a17);
  LogAppender appender;
  for (int round = 0; round < 3; ++round) {
    const std::string large(3 * LogBlock::kBytes, 'x');
    blocks.release({appender.write(blocks, kAbout, large)}, Lsn{1});
    std::vector<LogRecord> records;
    for (int i = 0; i < 200; ++i) {
      records.push_back(appender.write(blocks, kAbout, std::string(10'000, 'y')));
      ASSERT_EQ(LogBlock::of(records.back())->salt, blocks.salt()) << i;
    }
    blocks.release(records, Lsn{1});
    for (const LogRecord record : records) {
      EXPECT_EQ(record.view().substr(RecordHeader::kBytes, 10'000), std::string(10'000, 'y'));
    }
  }
}

}  // namespace
}  // namespace slotcar::storage
