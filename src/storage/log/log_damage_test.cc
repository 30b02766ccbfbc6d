// The log's files after damage that no crash causes, and how many files there are.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/crc32c.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"

namespace slotcar::storage {
namespace {

using runtime::DiskCall;
using runtime::DiskOperation;

constexpr RecordAbout kAbout{.epoch = Epoch{1}};
constexpr char kFirst[] = "log/log-00000001";

struct World {
  World() {
    EXPECT_TRUE(disk.make_directory(ListedLog::kDirectory).ok());
    EXPECT_TRUE(disk.sync_directory("").ok());
  }
  // A new life of the log, behind what is there.
  Status open() {
    writer.reset();
    blocks = std::make_unique<LogBlocks>(0x5a17);
    appender = {};
    writer = std::make_unique<LogWriter>(disk, world.clock(), *blocks,
                                         ListedLog::options(disk, world.random(), 4096));
    const auto found = read();
    if (!found) return found.error();
    for (const FoundSegment& segment : found->segments) writer->know_older(segment);
    return writer->open(found->last, found->next_number);
  }
  void write(const std::string& payload) {
    ASSERT_TRUE(writer->write({appender.write(*blocks, kAbout, payload)}).ok());
    ASSERT_TRUE(writer->sync().ok());
  }
  Result<LogReader::Summary> read(Lsn from = Lsn{1}) {
    return ListedLog::read(disk, from, [](const auto&, auto) { return true; });
  }
  std::string error(Lsn from = Lsn{1}) {
    const auto summary = read(from);
    return summary ? "" : summary.error().message;
  }
  void put(const std::string& path, std::uint64_t at, std::string_view bytes) {
    ASSERT_TRUE((*disk.open(path, runtime::OpenMode::read_write))->write_at(at, bytes).ok());
  }
  std::string contents(const std::string& path) {
    auto file = disk.open(path, runtime::OpenMode::read);
    std::string bytes(*(*file)->size(), '\0');
    EXPECT_TRUE((*file)->read_at(0, bytes.data(), bytes.size()).ok());
    return bytes;
  }
  void replace(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE((*disk.open(path, runtime::OpenMode::create))->write_at(0, bytes).ok());
  }
  std::size_t files() { return disk.list(ListedLog::kDirectory)->size(); }

  runtime::SimWorld world{1};
  runtime::SimDisk disk{world};
  std::unique_ptr<LogBlocks> blocks;
  LogAppender appender;
  std::unique_ptr<LogWriter> writer;
};

// As a server of version 1 wrote it.
std::string header_v1(std::uint64_t payload_size, std::uint32_t payload_crc, std::uint64_t lsn,
                      std::uint64_t durable) {
  std::string out(56, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(&out[at], &value, sizeof value); };
  put(0, static_cast<std::uint32_t>(payload_size));
  put(4, payload_crc);
  put(8, lsn);
  put(16, std::uint64_t{1});
  put(32, durable);
  put(40, RecordAbout::kSeveralSlots);
  put(52, base::crc32c({out.data(), 52}));
  return out;
}

std::string segment_v1(std::uint64_t first, const std::vector<std::string>& payloads) {
  std::string out(64, '\0');
  std::memcpy(out.data(), "SLOTLOG1", 8);
  std::memcpy(&out[8], &first, 8);
  const std::uint64_t number = 1;
  std::memcpy(&out[16], &number, 8);
  const std::uint32_t crc = base::crc32c({out.data(), 36});
  std::memcpy(&out[36], &crc, 4);
  for (const std::string& payload : payloads) {
    out += header_v1(payload.size(), base::crc32c(payload), first, first - 1) + payload;
    out.resize(RecordHeader::padded(out.size()));
    ++first;
  }
  out.resize(4096);
  return out;
}

// A value is any bytes, and the client that sends it knows the format but not the salt.
TEST(LogDamage, AValueThatLooksLikeARecordDoesNotMakeATornTailFatal) {
  RecordHeader forged;
  forged.payload_size = 5;
  forged.lsn = Lsn{100};
  forged.durable = Lsn{90};
  std::string value = header_v1(5, 0, 100, 90);
  for (std::uint64_t salt = 1; salt <= 5; ++salt) {
    value.resize(value.size() + RecordHeader::kBytes);
    forged.write(value.data() + value.size() - RecordHeader::kBytes, salt);
  }
  World w;
  ASSERT_TRUE(w.open().ok());
  w.write("a");
  w.write("b");
  w.write(value);
  const std::uint64_t third =
      SegmentHeader::kBytes + 2 * RecordHeader::padded(RecordHeader::kBytes + 1);
  w.put(kFirst, third + 9, "?");
  const auto summary = w.read();
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->last, Lsn{2});
  EXPECT_NE(summary->tail_cut, "");
  // A text with the right salt is a record, and proves that the hole was durable.
  const SegmentFormat format = SegmentHeader::read(w.contents(kFirst))->format;
  char proof[RecordHeader::kBytes];
  forged.write(proof, format.salt);
  w.put(kFirst, third + 512, {proof, sizeof proof});
  EXPECT_NE(w.error().find("LSN 3 is damaged, and it was once safe"), std::string::npos)
      << w.error();
}

TEST(LogDamage, SegmentsOfVersion1AreRead) {
  World w;
  w.replace(kFirst, segment_v1(1, {"one", "two", "three"}));
  std::vector<std::string> seen;
  const auto see = [&](const RecordHeader&, std::string_view payload) {
    seen.emplace_back(payload);
    return true;
  };
  // Without a list, as servers of version 1 left it, and then with one.
  const auto summary = LogReader(w.disk, ListedLog::kDirectory).read(Lsn{1}, see);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two", "three"}));
  ASSERT_TRUE(write_manifest(w.disk, ".", ListedLog::manifest({summary->segments[0].entry})).ok());
  ASSERT_TRUE(w.open().ok());
  w.write("four");
  seen.clear();
  const auto both = ListedLog::read(w.disk, Lsn{1}, see);
  ASSERT_TRUE(both.ok()) << both.error().message;
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "two", "three", "four"}));
  w.put(kFirst, 64 + 57, "?");
  EXPECT_NE(w.error().find("log-00000001: at byte 64: the record with LSN 1 is damaged"),
            std::string::npos)
      << w.error();
  w.replace(kFirst, segment_v1(1, {"one", "two", "three"}).substr(0, 1000));
  EXPECT_NE(w.error().find("log-00000001: at byte 1000: the file ends"), std::string::npos);
}

TEST(LogDamage, AListedSegmentMustBeThereAsItWasMade) {
  World w;
  ASSERT_TRUE(w.open().ok());
  for (int i = 0; i < 10; ++i) w.write(std::string(900, 'x'));
  const auto segments = w.read()->segments;
  ASSERT_GE(segments.size(), 3u);
  for (const FoundSegment& segment : segments) {
    const std::string path = "log/" + segment_name(segment.entry.number);
    const std::string whole = w.contents(path);
    ASSERT_TRUE(w.disk.remove(path).ok());
    EXPECT_NE(w.error().find(path + ": it is needed and cannot be read"), std::string::npos);
    for (const std::size_t size : {std::size_t{0}, std::size_t{64}, whole.size() - 1}) {
      w.replace(path, whole.substr(0, size));
      EXPECT_NE(w.error().find(path + ": at byte " + std::to_string(size)), std::string::npos)
          << w.error();
    }
    w.replace(path, w.contents("log/" + segment_name(segments[0].entry.number)));
    if (segment.entry.number != segments[0].entry.number) {
      EXPECT_NE(w.error().find(path + ": at byte 0: this is another segment"), std::string::npos);
    }
    w.replace(path, whole);
    EXPECT_EQ(w.error(), "");
  }
  // Segments that are not wanted need not be there.
  ASSERT_TRUE(w.disk.remove(kFirst).ok());
  EXPECT_EQ(w.error(segments[1].entry.first), "");
}

TEST(LogDamage, WhatASnapshotOrAStopProvesIsNotCut) {
  World w;
  ASSERT_TRUE(w.open().ok());
  w.write("a");
  w.write("b");
  const auto entries = (*read_manifest(w.disk, "."))->segments;
  w.put(kFirst, SegmentHeader::kBytes + RecordHeader::padded(RecordHeader::kBytes + 1) + 3, "?");
  const auto read = [&](LogReader::Expected expected) {
    expected.segments = entries;
    const auto summary =
        LogReader(w.disk, ListedLog::kDirectory, expected).read(Lsn{1}, [](const auto&, auto) {
          return true;
        });
    return summary ? summary->tail_cut : "error " + summary.error().message;
  };
  EXPECT_NE(read({}).find("at byte 136: the record with LSN 2 is incomplete"), std::string::npos);
  EXPECT_NE(read({.settled = Lsn{1}}).find("is incomplete"), std::string::npos);
  EXPECT_NE(read({.settled = Lsn{2}}).find("the snapshot rests on all up to LSN 2"),
            std::string::npos);
  EXPECT_NE(read({.last = Lsn{2}}).find("stopped in good order at LSN 2"), std::string::npos);
  EXPECT_EQ(read({.last = Lsn{1}}), "");
  EXPECT_EQ(read({.until = Lsn{1}}).find("error"), std::string::npos);
}

// The way out that an error message names: recover what is before the damage, in whichever segment
// that is.
TEST(LogDamage, UpToTheRecordBeforeTheDamageEverythingCanBeRead) {
  World w;
  ASSERT_TRUE(w.open().ok());
  for (int i = 0; i < 10; ++i) w.write(std::string(900, 'x'));
  const auto segments = w.read()->segments;
  ASSERT_GE(segments.size(), 3u);
  const std::string whole = w.contents(kFirst);
  for (const std::uint64_t before : {0, 1, 2}) {
    const std::size_t record = RecordHeader::padded(RecordHeader::kBytes + 900);
    w.put(kFirst, SegmentHeader::kBytes + before * record + 100, "?");
    LogReader reader(w.disk, ListedLog::kDirectory,
                     {.segments = (*read_manifest(w.disk, "."))->segments});
    const auto all = [](const auto&, auto) { return true; };
    ASSERT_FALSE(reader.read(Lsn{1}, all));
    EXPECT_EQ(reader.damaged(), Lsn{before + 1});
    LogReader up_to(w.disk, ListedLog::kDirectory,
                    {.segments = (*read_manifest(w.disk, "."))->segments, .until = Lsn{before}});
    const auto summary = up_to.read(Lsn{1}, all);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_TRUE(summary->has_more);
    EXPECT_EQ(summary->last, Lsn{before});
    w.replace(kFirst, whole);
  }
}

TEST(LogFiles, LivesLeaveOnlyTheirRecords) {
  World w;
  for (int life = 0; life < 10; ++life) {
    ASSERT_TRUE(w.open().ok());
    EXPECT_EQ(w.files(), 2u);  // the one to be begun, and the next
  }
  for (int life = 1; life <= 10; ++life) {
    ASSERT_TRUE(w.open().ok());
    w.write("x");
    EXPECT_EQ(w.files(), static_cast<std::size_t>(life) + 1);
  }
  ASSERT_TRUE(w.open().ok());
  ASSERT_TRUE(w.writer->trim(Lsn{11}).ok());
  EXPECT_EQ(w.files(), 2u);
  EXPECT_EQ(w.error(Lsn{11}), "");
}

// Each call that can fail fails for a while; afterwards the log goes on, and no file is left over.
TEST(LogFiles, FailedAttemptsLeaveNone) {
  for (const auto operation :
       {DiskOperation::sync_data, DiskOperation::write, DiskOperation::open,
        DiskOperation::preallocate, DiskOperation::sync_directory, DiskOperation::rename}) {
    World w;
    ASSERT_TRUE(w.open().ok());
    w.write("a");
    w.disk.set_script([&](const DiskCall& call) { return call.operation == operation; });
    static_cast<void>(w.writer->write({w.appender.write(*w.blocks, kAbout, "b")}));
    static_cast<void>(w.writer->sync());
    if (!w.writer->broken()) {  // it takes a change of segments to meet it
      while (w.writer->write({w.appender.write(*w.blocks, kAbout, std::string(999, 'c'))})) {
      }
    }
    ASSERT_TRUE(w.writer->broken());
    for (int i = 0; i < 50; ++i) {
      ASSERT_FALSE(w.writer->rotate_after_failure().ok());
      EXPECT_LE(w.files(), 6u) << static_cast<int>(operation) << " " << i;
    }
    w.disk.set_script({});
    ASSERT_TRUE(w.writer->rotate_after_failure().ok());
    EXPECT_LE(w.files(), 6u);
    const auto summary = w.read();
    ASSERT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_EQ(summary->last, w.writer->durable());
    EXPECT_EQ(w.files(), summary->segments.size() + 1) << static_cast<int>(operation);
  }
}

}  // namespace
}  // namespace slotcar::storage
