#include "check/check.h"

#include <gtest/gtest.h>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"
#include "storage/log/log_writer.h"
#include "storage/manifest.h"
#include "storage/snapshot/snapshot_file.h"
#include "storage/testing/sample_values.h"

namespace slotcar::check {
namespace {

struct World {
  World() {
    EXPECT_TRUE(disk.make_directory("d").ok());
    EXPECT_TRUE(disk.make_directory("d/log").ok());
  }

  void write_log(std::uint64_t records) {
    storage::LogBlocks blocks;
    storage::LogAppender appender;
    storage::LogWriter writer(disk, world.clock(), blocks,
                              {.directory = "d/log",
                               .segment_bytes = 4096,
                               .random = &world.random(),
                               .list = [&](const std::vector<storage::SegmentEntry>& segments) {
                                 listed = segments;
                                 return Status{};
                               }});
    ASSERT_TRUE(writer.open(Lsn{0}, 1).ok());
    for (std::uint64_t lsn = 1; lsn <= records; ++lsn) {
      const storage::RecordAbout about{
          .epoch = Epoch{2 + lsn / 10},
          .time = 1'700'000'000'000 + static_cast<UnixMs>(lsn),
          .slot = static_cast<std::uint16_t>(lsn),
      };
      const std::string_view payload = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\n\"\n\r\n";
      ASSERT_TRUE(writer.write({appender.write(blocks, about, payload)}).ok());
      ASSERT_TRUE(writer.sync().ok());
    }
  }
  void write_snapshot() {
    const types::Settings settings;
    const storage::SampleValues samples(settings);
    auto file =
        storage::SnapshotFile::create(disk, "d", "dump.rdb", 1, {.server_version = "7.2.0"});
    std::string piece;
    storage::SnapshotEncoder out(piece, true);
    for (const auto& key : samples.keys()) storage::SampleValues::encode(key, out);
    ASSERT_TRUE((*file)->append(piece).ok());
    ASSERT_TRUE((*file)->seal(storage::SnapshotPlace{Lsn{3}, Lsn{5}}).ok());
    ASSERT_TRUE((*file)->publish().ok());
    keys = samples.keys().size();
    storage::Manifest manifest{.node_id = "n", .epoch = Epoch{3}, .log = "log"};
    manifest.snapshot = storage::Manifest::Snapshot{"dump.rdb", (*file)->size(), (*file)->crc(),
                                                    Epoch{3},   Lsn{3},          Lsn{5}};
    manifest.segments = listed;
    ASSERT_TRUE(storage::write_manifest(disk, "d", manifest).ok());
  }
  void change(const std::string& path, std::uint64_t at, char to) {
    ASSERT_TRUE((*disk.open(path, runtime::OpenMode::read_write))->write_at(at, {&to, 1}).ok());
  }
  bool check(const std::string& path, bool print = false) {
    said.clear();
    bad.clear();
    Report report([&](std::string_view line) { said.append(line).append("\n"); },
                  [&](std::string_view line) { bad.append(line).append("\n"); }, print);
    check_path(disk, path, report);
    EXPECT_EQ(report.is_good(), bad.empty());
    return report.is_good();
  }
  bool has(std::string_view text) const { return said.find(text) != std::string::npos; }

  runtime::SimWorld world{1};
  runtime::SimDisk disk{world};
  std::vector<storage::SegmentEntry> listed;
  std::size_t keys = 0;
  std::string said;
  std::string bad;
};

TEST(Check, AWholeDirectory) {
  World w;
  w.write_log(20);
  w.write_snapshot();
  ASSERT_TRUE(w.check("d")) << w.bad;
  EXPECT_TRUE(w.has("d/slotcar.manifest: manifest of node n, epoch 3\n"));
  EXPECT_TRUE(w.has("d/dump.rdb: snapshot, version 10 of Redis's format, "));
  EXPECT_TRUE(w.has("d/dump.rdb: " + std::to_string(w.keys) + " keys, 3 with an expiry, "));
  EXPECT_TRUE(w.has("20 records")) << w.said;
  EXPECT_TRUE(w.has("LSN 1 to 20, epochs 2 to 4, 2023-11-14T22:13:20.001Z to "));
}

TEST(Check, PrintsKeysAndRecords) {
  World w;
  w.write_log(5);
  w.write_snapshot();
  ASSERT_TRUE(w.check("d", true)) << w.bad;
  EXPECT_TRUE(w.has("1 epoch 2 2023-11-14T22:13:20.001Z slot 1: SET \"k\" \"\\\"\\x0a\"\n"));
  EXPECT_TRUE(w.has("\"bloom\" MBbloom-- ")) << w.said;
  EXPECT_TRUE(w.has("\"list:3\" list "));
}

TEST(Check, NamesTheFirstBadByteOfASnapshot) {
  World w;
  w.write_log(1);
  w.write_snapshot();
  w.change("d/dump.rdb", 9, '\x63');
  EXPECT_FALSE(w.check("d/dump.rdb"));
  EXPECT_EQ(w.bad, "d/dump.rdb: at byte 9: no kind of value, and no opcode, has this number\n");
}

TEST(Check, ComparesTheSnapshotWithItsManifest) {
  World w;
  w.write_log(1);
  w.write_snapshot();
  auto manifest = **storage::read_manifest(w.disk, "d");
  manifest.snapshot->size += 1;
  ASSERT_TRUE(storage::write_manifest(w.disk, "d", manifest).ok());
  EXPECT_FALSE(w.check("d/slotcar.manifest"));
  EXPECT_NE(w.bad.find("the file ends, but the manifest says"), std::string::npos) << w.bad;
}

TEST(Check, AManifestWithoutALog) {
  World w;
  ASSERT_TRUE(
      storage::write_manifest(w.disk, "d", {.node_id = "n", .epoch = Epoch{1}, .log = ""}).ok());
  EXPECT_TRUE(w.check("d")) << w.bad;
  EXPECT_TRUE(w.has("there is no log"));
}

TEST(Check, SaysWhatRecoveryWouldDo) {
  World w;
  w.write_log(3);
  // The last record is incomplete: that is what a crash leaves.
  const std::uint64_t record = 96;
  w.change("d/log/log-00000001", 64 + 2 * record + 70, 'x');
  EXPECT_TRUE(w.check("d/log")) << w.bad;
  EXPECT_TRUE(w.has("recovery would cut the tail: d/log/log-00000001: at byte 256: ")) << w.said;
  // As a file by itself it has a bad byte.
  EXPECT_FALSE(w.check("d/log/log-00000001"));
  EXPECT_EQ(w.bad, "d/log/log-00000001: at byte 256: the record's checksum is wrong\n");
  // One that was durable is not cut.
  w.change("d/log/log-00000001", 64 + 70, 'x');
  EXPECT_FALSE(w.check("d/log"));
  EXPECT_TRUE(w.bad.starts_with("d/log/log-00000001: at byte 64: ")) << w.bad;
  EXPECT_TRUE(w.has("recovery would refuse to start"));
}

TEST(Check, ALogWithoutItsManifestIsBad) {
  World w;
  w.write_log(1);
  ASSERT_TRUE(w.disk.make_directory("e").ok());
  ASSERT_TRUE(w.disk.make_directory("e/slotcar-log").ok());
  ASSERT_TRUE(w.disk.rename("d/log/log-00000001", "e/slotcar-log/log-00000001").ok());
  EXPECT_FALSE(w.check("e"));
  EXPECT_NE(w.bad.find("e/slotcar-log holds a log, but e/slotcar.manifest is missing"),
            std::string::npos)
      << w.bad;
}

TEST(Check, SegmentsByThemselves) {
  World w;
  w.write_log(3);
  EXPECT_TRUE(w.check("d/log/log-00000001")) << w.bad;
  EXPECT_TRUE(w.has("3 records")) << w.said;
  EXPECT_TRUE(w.check("d/log/log-00000002")) << w.bad;
  EXPECT_TRUE(w.has("no records")) << w.said;
  w.change("d/log/log-00000002", 100, 'x');
  EXPECT_FALSE(w.check("d/log/log-00000002"));
  EXPECT_EQ(w.bad, "d/log/log-00000002: at byte 64: no record begins here\n");
  w.change("d/log/log-00000002", 100, '\0');
  w.change("d/log/log-00000002", 1000, 'x');
  EXPECT_FALSE(w.check("d/log/log-00000002"));
  EXPECT_EQ(w.bad, "d/log/log-00000002: at byte 1000: something stands behind the last record\n");
}

TEST(Check, FilesOfRedis) {
  World w;
  const auto put = [&](const std::string& path, std::string_view bytes) {
    ASSERT_TRUE((*w.disk.open(path, runtime::OpenMode::create))->write_at(0, bytes).ok());
  };
  put("d/appendonly.aof", "*2\r\n$4\r\nINCR\r\n$1\r\nx\r\n*1\r\n$4");
  EXPECT_TRUE(w.check("d", true)) << w.bad;
  EXPECT_TRUE(w.has("0 \"INCR\" \"x\"\n"));
  EXPECT_TRUE(w.has("d/appendonly.aof: append-only file of Redis, 1 file, 0 keys and 1 commands"));
  EXPECT_TRUE(w.has("an import would go on without the end: d/appendonly.aof: at byte 21: "));
}

TEST(Check, NothingToCheckIsBad) {
  World w;
  EXPECT_FALSE(w.check("d"));
  EXPECT_FALSE(w.check("nowhere"));
}

}  // namespace
}  // namespace slotcar::check
