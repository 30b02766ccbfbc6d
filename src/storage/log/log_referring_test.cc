// Records that refer to long values: the file has the same bytes as with a copy, whatever the
// values' owners do meanwhile, whatever fails, and whenever the process is killed.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_shared_memory.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"
#include "storage/log/log.h"
#include "storage/log/log_buffer.h"
#include "storage/log/log_reader.h"

namespace slotcar::storage {
namespace {

using base::LongParts;
using base::LongReading;
using base::SharedBytes;

constexpr RecordAbout kAbout{.epoch = Epoch{1}, .time = 77};
constexpr std::size_t kLong = 3 * limits::kLongBytesMin + 5;

SharedBytes long_value(char byte, std::size_t size = kLong) {
  return SharedBytes::copy_of(std::string(size, byte), nullptr);
}

void overwrite(const SharedBytes& value, char byte) {
  char* data = value.write_beside_readings(value.size(), 0, value.size());
  ASSERT_NE(data, nullptr);
  std::fill(data, data + value.size(), byte);
}

LongParts part(std::size_t at, const SharedBytes& value) {
  LongParts parts;
  parts.push_back({at, std::make_unique<LongReading>(value)});
  return parts;
}

struct Files {
  explicit Files(std::uint64_t segment_bytes = 1 << 20) : bytes(segment_bytes) {
    EXPECT_TRUE(disk.make_directory("log").ok());
    EXPECT_TRUE(disk.sync_directory("").ok());
    writer = std::make_unique<LogWriter>(disk, world.clock(), blocks,
                                         ListedLog::options(disk, world.random(), bytes));
    EXPECT_TRUE(writer->open(Lsn{0}, 1).ok());
  }
  std::string file(std::uint32_t number) {
    auto opened = disk.open("log/" + segment_name(number), runtime::OpenMode::read);
    if (!opened) return "(none)";
    std::string contents((*opened)->size().ok() ? *(*opened)->size() : 0, '\0');
    EXPECT_TRUE((*opened)->read_at(0, contents.data(), contents.size()).ok());
    return contents;
  }
  std::vector<std::string> payloads() {
    std::vector<std::string> found;
    const auto read =
        ListedLog::read(disk, Lsn{1}, [&](const RecordHeader&, std::string_view payload) {
          found.emplace_back(payload);
          return true;
        });
    EXPECT_TRUE(read.ok()) << read.error().message;
    return found;
  }

  std::uint64_t bytes;
  runtime::SimWorld world{1};
  runtime::SimDisk disk{world};
  LogBlocks blocks;
  LogAppender appender;
  std::unique_ptr<LogWriter> writer;
};

TEST(LogReferring, TheFileHasTheBytesOfACopy) {
  const SharedBytes a = long_value('a');
  const SharedBytes b = long_value('b', limits::kLongBytesMin);
  for (const std::string own : {"first second third", "", "x"}) {
    Files copied;
    Files referred;
    const std::size_t middle = own.size() / 2;
    std::string whole = own;
    whole.insert(middle, std::string(b.view()));
    whole.insert(middle, std::string(a.view()));
    LongParts parts = part(middle, a);
    parts.push_back({middle, std::make_unique<LongReading>(b)});
    EXPECT_EQ(base::joined(own, parts), whole);
    ASSERT_TRUE(copied.writer
                    ->write({copied.appender.write(copied.blocks, kAbout, "before"),
                             copied.appender.write(copied.blocks, kAbout, whole),
                             copied.appender.write(copied.blocks, kAbout, "behind")})
                    .ok());
    ASSERT_TRUE(referred.writer
                    ->write({referred.appender.write(referred.blocks, kAbout, "before"),
                             referred.blocks.write(kAbout, own, std::move(parts)),
                             referred.appender.write(referred.blocks, kAbout, "behind")})
                    .ok());
    EXPECT_EQ(referred.writer->kept_bytes(), copied.writer->kept_bytes());
    EXPECT_TRUE(referred.file(1) == copied.file(1)) << own;
    EXPECT_EQ(referred.payloads(), (std::vector<std::string>{"before", whole, "behind"}));
  }
}

TEST(LogReferring, TheOwnerWritesOnAndTheFileHasWhatWasThere) {
  Files files;
  const SharedBytes value = long_value('1');
  const char* const where = value.data();
  const LogRecord first = files.blocks.write(kAbout, "<>", part(1, value));
  overwrite(value, '2');
  const LogRecord second = files.blocks.write(kAbout, "<>", part(1, value));
  overwrite(value, '3');
  ASSERT_TRUE(files.writer->write({first, second}).ok());
  EXPECT_EQ(files.payloads(), (std::vector<std::string>{"<" + std::string(kLong, '1') + ">",
                                                        "<" + std::string(kLong, '2') + ">"}));
  EXPECT_EQ(value.data(), where);
}

TEST(LogReferring, ReferencesEndWithTheSync) {
  Files files;
  SharedBytes value = long_value('v');
  const LogRecord record = files.blocks.write(kAbout, "", part(0, value));
  EXPECT_EQ(files.blocks.referred_bytes(), kLong);
  EXPECT_EQ(files.blocks.referred_memory(), 0u);  // its owner has it, too
  ASSERT_TRUE(files.writer->write({record}).ok());
  EXPECT_FALSE(value.sole_owner());
  overwrite(value, 'w');
  EXPECT_GE(files.blocks.referred_memory(), kLong);  // what was put aside
  const std::size_t footprint = value.footprint();
  value = {};
  EXPECT_GE(files.blocks.referred_memory(), kLong + footprint);
  ASSERT_TRUE(files.writer->sync().ok());
  EXPECT_EQ(files.blocks.referred_bytes(), 0u);
  EXPECT_EQ(files.blocks.count(), 0u);
}

TEST(LogReferring, AFailedSyncHasItWrittenOnceMore) {
  Files files(8192);  // smaller than the records
  const SharedBytes value = long_value('1');
  ASSERT_TRUE(files.writer->write({files.appender.write(files.blocks, kAbout, "before")}).ok());
  ASSERT_TRUE(files.writer->sync().ok());
  ASSERT_TRUE(files.writer->write({files.blocks.write(kAbout, "", part(0, value))}).ok());
  overwrite(value, '2');
  files.disk.set_script([](const runtime::DiskCall& call) {
    return call.operation == runtime::DiskOperation::sync_data;
  });
  EXPECT_FALSE(files.writer->sync().ok());
  files.disk.set_script({});
  EXPECT_FALSE(files.writer->write({files.blocks.write(kAbout, "", part(0, value))}).ok());
  overwrite(value, '3');
  ASSERT_TRUE(files.writer->rotate_after_failure().ok());
  EXPECT_EQ(files.writer->durable(), Lsn{3});
  EXPECT_EQ(files.blocks.referred_bytes(), 0u);
  files.disk.crash();
  EXPECT_EQ(files.payloads(),
            (std::vector<std::string>{"before", std::string(kLong, '1'), std::string(kLong, '2')}));
}

TEST(LogReferring, HalfOfItIsNoRecord) {
  Files files;
  const SharedBytes value = long_value('v', 4 * 1024 * 1024);
  ASSERT_TRUE(files.writer->write({files.appender.write(files.blocks, kAbout, "before")}).ok());
  int writes = 0;
  files.disk.set_script([&](const runtime::DiskCall& call) {
    return call.operation == runtime::DiskOperation::write && ++writes == 9;
  });
  EXPECT_FALSE(files.writer->write({files.blocks.write(kAbout, "", part(0, value))}).ok());
  EXPECT_EQ(writes, 9);
  files.disk.set_script({});
  EXPECT_EQ(files.payloads(), std::vector<std::string>{"before"});
}

// --- with a buffer, in which such a record does not lie ---------------------------------------

class LogOutside : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kLife = 9;
  LogOutside() {
    EXPECT_TRUE(disk_.make_directory("log").ok());
    auto made = LogBuffer::create(
        memory_, {.life = kLife, .salt = log_.salt(), .bytes_max = 8 * LogBlock::kBytes});
    EXPECT_TRUE(made.ok());
    log_.use_buffer(std::move(*made));
    EXPECT_TRUE(log_.open(Lsn{0}, 1).ok());
    log_.set_on_durable([this](Lsn) { told_.push_back(log_.safe().value); });
    loop_.run();
  }
  bool append(std::string_view payload) {
    return log_.append(appender_, kAbout, payload).needs_sync;
  }
  bool append_long(const SharedBytes& value) {
    return log_.append(kAbout, "long ", part(5, value)).needs_sync;
  }
  // What the next start takes from the buffer if the segments end with `last`.
  std::vector<std::string> surviving(Lsn last) {
    const auto contents = read_log_buffer(**memory_.read(LogBuffer::file_name(kLife)), last);
    EXPECT_TRUE(contents.ok());
    std::vector<std::string> payloads;
    for (const SurvivingRecord& record : contents->records) payloads.push_back(record.payload);
    return payloads;
  }
  using Lines = std::vector<std::string>;

  runtime::SimWorld world_{1};
  runtime::SimDisk disk_{world_};
  runtime::SimSharedMemory memory_;
  runtime::SimNetwork network_{world_};
  runtime::SimLoop loop_{world_, network_};
  runtime::NullLogger logger_;
  LogSettings settings_;
  Log log_{loop_, disk_, logger_, settings_, ListedLog::options(disk_, world_.random(), 1 << 20)};
  LogAppender appender_;
  std::vector<std::uint64_t> told_;
};

TEST_F(LogOutside, RepliesBehindItWaitUntilItIsWrittenAndNotForTheSync) {
  EXPECT_FALSE(append("1"));
  EXPECT_TRUE(append_long(long_value('v')));
  EXPECT_TRUE(append("3"));  // it may build on what would be lost
  EXPECT_EQ(log_.safe(), Lsn{0});
  int syncs = 0;
  disk_.set_script([&](const runtime::DiskCall& call) {
    const bool is_segment = call.path.find("log-") != std::string_view::npos;
    syncs += is_segment && call.operation == runtime::DiskOperation::sync_data;
    return false;
  });
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() >= Lsn{3}; }));
  EXPECT_EQ(syncs, 0);
  ASSERT_FALSE(told_.empty());
  EXPECT_EQ(told_.back(), 3u);
  EXPECT_FALSE(append("4"));
  disk_.set_script({});
  log_.sync_soon();
  ASSERT_TRUE(world_.run_until([&] { return log_.durable() == Lsn{4}; }));
  EXPECT_EQ(log_.backlog_bytes(), 0u);
}

TEST_F(LogOutside, UnderAlwaysTheyWaitForTheSync) {
  settings_.fsync = Fsync::always;
  EXPECT_TRUE(append_long(long_value('v')));
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() == Lsn{1}; }));
  EXPECT_EQ(log_.durable(), Lsn{1});
}

TEST_F(LogOutside, AKilledProcessLeavesNothingFromThereOn) {
  append("1");
  append_long(long_value('v'));
  append("3");
  append_long(long_value('w'));
  append("5");
  EXPECT_EQ(surviving(Lsn{0}), Lines{"1"});
  EXPECT_EQ(surviving(Lsn{1}), Lines{});
  // The kill came after the write of the first long one, and before the head was updated.
  EXPECT_EQ(surviving(Lsn{2}), Lines{});
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() == Lsn{5}; }));
  append("6");
  EXPECT_EQ(surviving(Lsn{5}), Lines{"6"});
}

// The kernel may forget what it could not sync.
TEST_F(LogOutside, AfterAFailedSyncItCountsAsNotWritten) {
  append_long(long_value('v'));
  append("2");
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() == Lsn{2}; }));
  EXPECT_EQ(surviving(Lsn{0}), Lines{"2"});
  disk_.set_script([](const runtime::DiskCall& call) {
    return call.operation == runtime::DiskOperation::sync_data;
  });
  log_.sync_soon();
  ASSERT_TRUE(world_.run_until([&] { return log_.failing(); }));
  EXPECT_EQ(surviving(Lsn{0}), Lines{});
  EXPECT_TRUE(append("3"));
  EXPECT_EQ(log_.safe(), Lsn{2});
  disk_.set_script({});
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() == Lsn{3}; }));
  EXPECT_FALSE(append("4"));
  EXPECT_EQ(surviving(Lsn{3}), Lines{"4"});
}

TEST_F(LogOutside, SoDoesARecordThatFoundNoRoom) {
  append("1");
  memory_.set_capacity(0);
  EXPECT_TRUE(append(std::string(3 * LogBlock::kBytes, 'x')));
  memory_.set_capacity(SIZE_MAX);
  EXPECT_TRUE(append("3"));
  EXPECT_EQ(surviving(Lsn{0}), Lines{"1"});
  ASSERT_TRUE(world_.run_until([&] { return log_.safe() == Lsn{3}; }));
  EXPECT_FALSE(append("4"));
}

TEST_F(LogOutside, ItsMemoryIsCountedOnce) {
  SharedBytes value = long_value('v');
  append_long(value);
  EXPECT_GE(log_.backlog_bytes(), kLong);
  EXPECT_LT(log_.backlog_memory(), 1000u);
  value = {};
  EXPECT_GE(log_.backlog_memory(), kLong);
}

}  // namespace
}  // namespace slotcar::storage
