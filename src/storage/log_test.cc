// The log against a disk that crashes, tears, fails and fills up.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/sim_clock.h"
#include "runtime/sim_disk.h"
#include "runtime/sim_random.h"
#include "runtime/sim_world.h"
#include "storage/log_reader.h"
#include "storage/log_writer.h"

namespace slotcar::storage {
namespace {

using runtime::SimDisk;
using runtime::SimDiskOptions;
using runtime::SimWorld;

constexpr char kDirectory[] = "log";

using Contents = std::map<std::uint64_t, std::string>;

Result<LogReader::Summary> read_all(runtime::Disk& disk, Contents& into) {
  into.clear();
  return LogReader(disk, kDirectory)
      .read(Lsn{1}, [&](const RecordHeader& header, std::string_view payload) {
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
  LogPen pen;

  LogRecord record(std::string_view payload) {
    return pen.write(blocks, {.epoch = Epoch{1}}, payload);
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
  header.write(bytes);
  ASSERT_TRUE(RecordHeader::read({bytes, sizeof bytes}));
  EXPECT_EQ(RecordHeader::read({bytes, sizeof bytes})->lsn, Lsn{9});
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x10);
    EXPECT_FALSE(RecordHeader::read({bytes, sizeof bytes}));
    byte = static_cast<char>(byte ^ 0x10);
  }
}

TEST(Log, WhatIsWrittenIsRead) {
  World w(1);
  LogWriter writer(w.disk, w.world.clock(), w.blocks, {kDirectory, 4096});
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
  const auto trimmed = read_all(w.disk, found);
  ASSERT_TRUE(trimmed.ok()) << trimmed.error().message;
  EXPECT_LE(trimmed->first, Lsn{200});
  EXPECT_GT(trimmed->first, Lsn{1});
  EXPECT_EQ(trimmed->last, Lsn{301});
}

TEST(Log, ADamagedRecordThatWasSafeIsAnError) {
  World w(1);
  LogWriter writer(w.disk, w.world.clock(), w.blocks, {kDirectory, 1 << 20});
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
  EXPECT_NE(summary.error().message.find("LSN 3 is damaged"), std::string::npos)
      << summary.error().message;
  // The last one: nobody can tell it from what a crash leaves.
  ASSERT_TRUE((*file)->write_at(third + RecordHeader::kBytes, "p").ok());
  const std::uint64_t last =
      SegmentHeader::kBytes + 9 * RecordHeader::padded(RecordHeader::kBytes + 9);
  ASSERT_TRUE((*file)->write_at(last + RecordHeader::kBytes, "X").ok());
  const auto cut = read_all(w.disk, found);
  ASSERT_TRUE(cut.ok()) << cut.error().message;
  EXPECT_EQ(cut->last, Lsn{9});
  EXPECT_NE(cut->tail_cut, "");
}

// Lives that end in crashes. What was promised is there after each; what is there is a beginning of
// what was written, each record as it was.
struct Campaign {
  std::uint64_t crashes = 0, mended = 0, tails_cut = 0, lost = 0, disk_full = 0;
};

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
    w.pen = {};
    LogWriter writer(*disk, w.world.clock(), blocks, {kDirectory, 4096});
    writer.set_zeros_ahead(w.dice.coin());
    if (!writer.open(summary->last, summary->next_number)) continue;
    std::uint64_t lsn = summary->last.value;
    const auto steps = w.dice.below(60);
    for (std::uint64_t step = 0; step < steps; ++step) {
      std::vector<LogRecord> group;
      for (std::uint64_t n = w.dice.below(4) + 1; n > 0; --n) {
        ++lsn;
        written[lsn] =
            std::to_string(seed) + "/" + std::to_string(lsn) + std::string(w.dice.below(1500), 'x');
        group.push_back(w.pen.write(blocks, {.epoch = Epoch{1}}, written[lsn]));
      }
      static_cast<void>(writer.write(group));
      if (w.dice.below(3) == 0) static_cast<void>(writer.sync());
      if (writer.broken() && w.dice.below(2) == 0 && writer.mend()) ++campaign.mended;
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
    live_and_crash(seed, {}, campaign);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(campaign.tails_cut, 0u);
  EXPECT_GT(campaign.lost, 0u);
}

TEST(Log, PromisesSurviveADiskThatFails) {
  SimDiskOptions failing;
  failing.sync_fails_ppm = 60'000;
  failing.write_fails_ppm = 30'000;
  failing.open_fails_ppm = 30'000;
  Campaign campaign;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    live_and_crash(seed, failing, campaign);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(campaign.mended, 0u);
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
