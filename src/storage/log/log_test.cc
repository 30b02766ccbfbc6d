// The log against a disk that crashes, tears, fails and fills up.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "runtime/sim/sim_clock.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_random.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/listed_log.h"
#include "storage/log/log_reader.h"
#include "storage/log/log_writer.h"

namespace slotcar::storage {
namespace {

using runtime::SimDisk;
using runtime::SimDiskOptions;
using runtime::SimWorld;

constexpr char kDirectory[] = "log";

constexpr std::uint64_t kSalt = 0x1234567890abcdef;

using Contents = std::map<std::uint64_t, std::string>;

Result<LogReader::Summary> read_all(runtime::Disk& disk, Contents& into) {
  into.clear();
  return ListedLog::read(disk, Lsn{1}, [&](const RecordHeader& header, std::string_view payload) {
    into[header.lsn.value] = payload;
    return true;
  });
}

struct World {
  explicit World(std::uint64_t seed) : world(seed), disk(world), dice(seed * 77 + 1) {
    EXPECT_TRUE(disk.make_directory(kDirectory).ok());
    EXPECT_TRUE(disk.sync_directory("").ok());
  }
  SimWorld world;
  SimDisk disk;
  runtime::SimDice dice;
  LogBlocks blocks;
  LogAppender appender;

  LogRecord record(std::string_view payload) {
    return appender.write(blocks, {.epoch = Epoch{1}}, payload);
  }
  LogWriter::Options options(std::uint64_t segment_bytes) {
    return ListedLog::options(disk, world.random(), segment_bytes);
  }
};

TEST(LogFormat, NamesOfSegments) {
  EXPECT_EQ(segment_name(3), "log-00000003");
  EXPECT_EQ(parse_segment_name("log-000000ff"), 255u);
  for (const char* bad : {"log-", "log-0000000", "log-0000000g", "log-000000001", "dump.rdb"}) {
    EXPECT_FALSE(parse_segment_name(bad)) << bad;
  }
}

TEST(LogFormat, EveryChangedByteOfAHeaderIsFound) {
  RecordHeader header;
  header.payload_size = 5;
  header.lsn = Lsn{9};
  header.durable = Lsn{7};
  char bytes[RecordHeader::kBytes];
  header.write(bytes, kSalt);
  const SegmentFormat format{.version = 2, .salt = kSalt};
  ASSERT_TRUE(RecordHeader::read({bytes, sizeof bytes}, format));
  EXPECT_EQ(RecordHeader::read({bytes, sizeof bytes}, format)->lsn, Lsn{9});
  EXPECT_FALSE(RecordHeader::read({bytes, sizeof bytes}, {.version = 2, .salt = kSalt + 1}));
  EXPECT_FALSE(RecordHeader::read({bytes, sizeof bytes}, {.version = 1, .salt = 0}));
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x10);
    EXPECT_FALSE(RecordHeader::read({bytes, sizeof bytes}, format));
    byte = static_cast<char>(byte ^ 0x10);
  }
}

TEST(LogFormat, EveryChangedByteOfASegmentsHeaderIsFound) {
  SegmentHeader header{
      .format = {.version = 2, .salt = kSalt}, .number = 3, .created = 5, .life = 6, .bytes = 4096};
  char bytes[SegmentHeader::kBytes];
  header.write(bytes);
  const auto read = SegmentHeader::read({bytes, sizeof bytes});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->format.salt, kSalt);
  EXPECT_EQ(read->life, 6u);
  EXPECT_EQ(read->bytes, 4096u);
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x10);
    EXPECT_FALSE(SegmentHeader::read({bytes, sizeof bytes}));
    byte = static_cast<char>(byte ^ 0x10);
  }
}

TEST(Log, WhatIsWrittenIsRead) {
  World w(1);
  LogWriter writer(w.disk, w.world.clock(), w.blocks, w.options(4096));
  ASSERT_TRUE(writer.open(Lsn{0}, 1).ok());
  Contents expected;
  for (std::uint64_t lsn = 1; lsn <= 300; ++lsn) {
    expected[lsn] = std::string(lsn * 7 % 900 + 1, static_cast<char>('a' + lsn % 26));
    ASSERT_TRUE(writer.write({w.record(expected[lsn])}).ok());
  }
  // Larger than a segment.
  expected[301] = std::string(20'000, 'z');
  ASSERT_TRUE(writer.write({w.record(expected[301])}).ok());
  ASSERT_TRUE(writer.sync().ok());
  EXPECT_EQ(writer.durable(), Lsn{301});
  EXPECT_EQ(writer.kept_bytes(), 0u);
  Contents found;
  const auto summary = read_all(w.disk, found);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(found, expected);
  EXPECT_EQ(summary->last, Lsn{301});
  EXPECT_EQ(summary->tail_cut, "");

  ASSERT_TRUE(writer.trim(Lsn{200}).ok());
  const auto trimmed = ListedLog::read(w.disk, Lsn{200}, [](const auto&, auto) { return true; });
  ASSERT_TRUE(trimmed.ok()) << trimmed.error().message;
  EXPECT_LE(trimmed->first, Lsn{200});
  EXPECT_GT(trimmed->first, Lsn{1});
  EXPECT_EQ(trimmed->last, Lsn{301});
}

TEST(Log, ADamagedRecordThatWasSafeIsAnError) {
  World w(1);
  LogWriter writer(w.disk, w.world.clock(), w.blocks, w.options(1 << 20));
  ASSERT_TRUE(writer.open(Lsn{0}, 1).ok());
  for (std::uint64_t lsn = 1; lsn <= 10; ++lsn) {
    ASSERT_TRUE(writer.write({w.record("payload " + std::to_string(lsn))}).ok());
    ASSERT_TRUE(writer.sync().ok());
  }
  auto file =
      w.disk.open(std::string(kDirectory) + "/" + segment_name(1), runtime::OpenMode::read_write);
  ASSERT_TRUE(file.ok());
  const std::uint64_t third =
      SegmentHeader::kBytes + 2 * RecordHeader::padded(RecordHeader::kBytes + 9);
  ASSERT_TRUE((*file)->write_at(third + RecordHeader::kBytes, "X").ok());
  Contents found;
  const auto summary = read_all(w.disk, found);
  ASSERT_FALSE(summary.ok());
  EXPECT_NE(summary.error().message.find("LSN 3 is damaged, and it was once safe: a record behind"),
            std::string::npos)
      << summary.error().message;
  // The last one: it cannot be distinguished from what a crash leaves.
  ASSERT_TRUE((*file)->write_at(third + RecordHeader::kBytes, "p").ok());
  const std::uint64_t last =
      SegmentHeader::kBytes + 9 * RecordHeader::padded(RecordHeader::kBytes + 9);
  ASSERT_TRUE((*file)->write_at(last + RecordHeader::kBytes, "X").ok());
  const auto cut = read_all(w.disk, found);
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_EQ(cut->last, Lsn{9});
  EXPECT_NE(cut->tail_cut, "");
}

// Lives that end in crashes. What was durable is there after each. What is there is a prefix of
// what was written, each record unchanged.
struct Campaign {
  std::uint64_t crashes = 0, rotated = 0, tails_cut = 0, tails_interrupted = 0, lost = 0,
                disk_full = 0;
  bool referring = false;  // some records refer to long values
};

// Long values whose owner keeps writing into them.
struct Values {
  std::vector<base::SharedBytes> all;

  void overwrite() {
    for (const base::SharedBytes& value : all) {
      char* data = value.write_beside_readings(value.size(), 0, value.size());
      ASSERT_NE(data, nullptr);
      std::fill(data, data + value.size(), 'z');
    }
  }
};

// A record that refers to a long value, which is put into the middle of `payload`.
LogRecord refer_to(Values& values, LogBlocks& blocks, std::string& payload) {
  const std::string own = payload;
  const std::string value(limits::kLongBytesMin + own.size(), 'v');
  values.all.push_back(base::SharedBytes::copy_of(value, nullptr));
  base::LongParts parts;
  parts.push_back({own.size() / 2, std::make_unique<base::LongReading>(values.all.back())});
  payload.insert(own.size() / 2, value);
  return blocks.write({.epoch = Epoch{1}}, own, std::move(parts));
}

// Now and then the power fails while the writer opens.
void fail_power_in_a_start(World& w, Campaign& campaign) {
  if (w.dice.below(2) == 0) return;
  const auto left = std::make_shared<std::uint64_t>(w.dice.below(25));
  w.disk.set_script([&w, &campaign, left](const runtime::DiskCall&) {
    if (*left == 0) return true;
    if (--*left > 0) return false;
    ++campaign.crashes;
    w.disk.crash();
    return true;
  });
}

void live_and_crash(std::uint64_t seed, const SimDiskOptions& options, Campaign& campaign) {
  World w(seed);
  Contents written;
  std::uint64_t durable = 0;
  for (int life = 0; life < 6; ++life) {
    Contents found;
    w.disk.set_options({});
    const auto summary = read_all(w.disk, found);
    ASSERT_TRUE(summary.ok()) << "seed " << seed << ": " << summary.error().message;
    ASSERT_GE(summary->last.value, durable) << "seed " << seed << ": a promise was broken";
    if (!summary->tail_cut.empty()) ++campaign.tails_cut;
    campaign.lost += written.size() - found.size();
    for (const auto& [lsn, payload] : found) {
      ASSERT_EQ(payload, written[lsn]) << "seed " << seed << ", LSN " << lsn;
    }
    ASSERT_EQ(found.size(), summary->last.value) << "seed " << seed << ": a gap";
    written = std::move(found);
    w.disk.set_options(options);

    auto disk = w.disk.mount();
    LogBlocks blocks;
    Values values;
    w.appender = {};
    LogWriter writer(*disk, w.world.clock(), blocks,
                     ListedLog::options(*disk, w.world.random(), 4096));
    writer.set_zeros_ahead(w.dice.coin());
    for (const FoundSegment& segment : summary->segments) writer.know_older(segment);
    // Records that no later record calls durable are written again.
    const Lsn certain = std::min(summary->durable, summary->last);
    LogWriter::Tail tail;
    for (std::uint64_t old = certain.value + 1; old <= summary->last.value; ++old) {
      tail.push_back({{.epoch = Epoch{1}}, written[old]});
    }
    fail_power_in_a_start(w, campaign);
    if (!writer.open(certain, summary->next_number, tail)) {
      if (!tail.empty()) ++campaign.tails_interrupted;
      w.disk.set_script({});
      w.disk.crash();
      continue;
    }
    w.disk.set_script({});
    durable = writer.durable().value;
    std::uint64_t lsn = summary->last.value;
    const auto steps = w.dice.below(60);
    for (std::uint64_t step = 0; step < steps; ++step) {
      std::vector<LogRecord> group;
      for (std::uint64_t n = w.dice.below(4) + 1; n > 0; --n) {
        ++lsn;
        written[lsn] =
            std::to_string(seed) + "/" + std::to_string(lsn) + std::string(w.dice.below(1500), 'x');
        group.push_back(campaign.referring && w.dice.below(20) == 0
                            ? refer_to(values, blocks, written[lsn])
                            : w.appender.write(blocks, {.epoch = Epoch{1}}, written[lsn]));
      }
      if (w.dice.coin()) values.overwrite();
      static_cast<void>(writer.write(group));
      values.overwrite();
      if (w.dice.below(3) == 0) static_cast<void>(writer.sync());
      if (writer.broken() && w.dice.below(2) == 0 && writer.rotate_after_failure())
        ++campaign.rotated;
      durable = writer.durable().value;
    }
    ++campaign.crashes;
    w.disk.crash();
  }
  campaign.disk_full += w.disk.counters().disk_full;
}

TEST(Log, PromisesSurviveCrashes) {
  Campaign campaign;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    campaign.referring = seed % 2 == 0;
    live_and_crash(seed, {}, campaign);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(campaign.tails_cut, 0u);
  EXPECT_GT(campaign.tails_interrupted, 0u);
  EXPECT_GT(campaign.lost, 0u);
}

TEST(Log, PromisesSurviveADiskThatFails) {
  SimDiskOptions failing;
  failing.sync_fails_ppm = 60'000;
  failing.write_fails_ppm = 30'000;
  failing.open_fails_ppm = 30'000;
  Campaign campaign;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    campaign.referring = seed % 2 == 0;
    live_and_crash(seed, failing, campaign);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(campaign.rotated, 0u);
  EXPECT_GT(campaign.lost, 0u);
}

TEST(Log, AFullDiskIsNotTheEnd) {
  SimDiskOptions small;
  small.capacity_bytes = 40'000;
  Campaign campaign;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    live_and_crash(seed, small, campaign);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(campaign.disk_full, 0u);
}

}  // namespace
}  // namespace slotcar::storage
