#include "storage/manifest.h"

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::storage {
namespace {

Manifest with_snapshot(std::uint64_t epoch) {
  return {.node_id = "0af3-9",
          .epoch = Epoch{epoch},
          .log = "log",
          .snapshot = Manifest::Snapshot{"dump.rdb", 12345, 0xfedcba9876543210, Epoch{epoch - 1},
                                         Lsn{100}, Lsn{120}},
          .segments = std::vector<SegmentEntry>{{3, Lsn{90}, 0xab, 4096}, {17, Lsn{110}, 0, 8192}},
          .last = Lsn{130},
          .life = 0xbeef};
}

Manifest of_version_1() {
  Manifest manifest = with_snapshot(7);
  manifest.segments.reset();
  manifest.last.reset();
  manifest.life = 0;
  return manifest;
}

TEST(Manifest, ComesBackAsItWas) {
  for (const Manifest& manifest : {with_snapshot(7), of_version_1(),
                                   Manifest{.node_id = "a", .epoch = Epoch{0}, .log = "log"}}) {
    const auto read = Manifest::parse(manifest.text(), "m");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, manifest);
  }
}

TEST(Manifest, KnowsTheBootOfItsLife) {
  Manifest manifest = with_snapshot(7);
  manifest.boot_id = "5e0f-12";
  EXPECT_NE(manifest.text().find("life 000000000000beef 5e0f-12\n"), std::string::npos);
  const auto read = Manifest::parse(manifest.text(), "m");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, manifest);
}

TEST(Manifest, LooksLikeThis) {
  EXPECT_TRUE(with_snapshot(7).text().starts_with(
      "slotcar manifest 2\nnode 0af3-9\nepoch 7\nlog log\nsnapshot dump.rdb\nsize 12345\n"
      "crc64 fedcba9876543210\nsnapshot-epoch 6\nbegin 100\nsettled 120\nsegments 2\n"
      "segment 00000003 90 00000000000000ab 4096\nsegment 00000011 110 0000000000000000 8192\n"
      "last 130\nlife 000000000000beef\ncrc32c "));
  EXPECT_TRUE(of_version_1().text().starts_with("slotcar manifest 1\n"));
}

std::string error_of(std::string text) {
  const auto read = Manifest::parse(text, "m");
  return read.ok() ? "" : read.error().message;
}

// With a correct checksum, so that only the line itself is wrong.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = with_snapshot(7).text();
  text.replace(text.find(from), from.size(), to);
  text.resize(text.find("crc32c "));
  char crc[32];
  std::snprintf(crc, sizeof crc, "crc32c %08x\n", base::crc32c(text));
  return text + crc;
}

TEST(Manifest, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(error_of(""), "m: line 1: the file ends before this line");
  EXPECT_EQ(error_of(changed("manifest 2", "manifest 3")),
            "m: line 1: this is no manifest that can be read here");
  EXPECT_EQ(error_of(changed("node 0af3-9", "node a/b")), "m: line 2: this is not a node's id");
  EXPECT_EQ(error_of(changed("node", "nose")), "m: line 2: 'node' is expected here");
  EXPECT_EQ(error_of(changed("epoch 7", "epoch seven")), "m: line 3: a number is expected here");
  EXPECT_EQ(error_of(changed("epoch 7", "epoch 7 8")), "m: line 3: 'epoch' has 1 words behind it");
  EXPECT_EQ(error_of(changed("epoch 7", "epoch -7")), "m: line 3: a number is expected here");
  EXPECT_EQ(error_of(changed("log log", "log ../x")), "m: line 4: this is not a directory's name");
  EXPECT_EQ(error_of(changed("dump.rdb", "..")), "m: line 5: this is not a file's name");
  EXPECT_EQ(error_of(changed("settled 120", "settled 99")), "m: line 10: it lies before 'begin'");
  EXPECT_EQ(error_of(changed("epoch 7", "epoch 5")),
            "m: line 10: the snapshot's epoch was never raised");
  EXPECT_EQ(error_of(changed("segments 2", "segments 3")),
            "m: line 14: 'segment' is expected here");
  EXPECT_EQ(error_of(changed(" 110 ", " 90 ")),
            "m: line 13: segments are in the order of their numbers and records");
  EXPECT_EQ(error_of(changed("last 130", "last one")), "m: line 14: a number is expected here");
  EXPECT_EQ(error_of(with_snapshot(7).text() + "x"), "m: line 16: nothing may follow this line");
}

TEST(Manifest, ASnapshotMayHaveAnyNameThatFitsIntoALine) {
  Manifest manifest = with_snapshot(7);
  for (const char* name : {"a dump.rdb", " leading", "trailing ", "-x", "\xc3\xa4.rdb", "..."}) {
    EXPECT_TRUE(is_file_name(name)) << name;
    manifest.snapshot->file = name;
    EXPECT_EQ(Manifest::parse(manifest.text(), "m").value(), manifest) << name;
  }
  for (const std::string_view name : {"", "-", ".", "..", "a/b", "a\nb", "a\rb", "\x7f"}) {
    EXPECT_FALSE(is_file_name(name)) << name;
  }
  EXPECT_FALSE(is_file_name(std::string_view("a\0b", 3)));
}

TEST(Manifest, CutOrChangedAnywhereItIsRefused) {
  const std::string text = with_snapshot(7).text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(error_of(text.substr(0, size)), "") << size;
    std::string flipped = text;
    flipped[size] = static_cast<char>(flipped[size] ^ 1);
    EXPECT_NE(error_of(flipped), "") << size;
  }
}

TEST(Manifest, IsTheOldOneOrTheNewOne) {
  int old = 0;
  int renewed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    runtime::SimWorld world(seed);
    runtime::SimDisk disk(world);
    ASSERT_TRUE(disk.make_directory("d").ok());
    ASSERT_TRUE(disk.sync_directory("").ok());
    EXPECT_FALSE(read_manifest(disk, "d")->has_value());
    ASSERT_TRUE(write_manifest(disk, "d", with_snapshot(7)).ok());
    std::uint64_t left = seed % 7;
    const auto mount = disk.mount();
    disk.set_script([&](const runtime::DiskCall&) { return left-- == 0; });
    const bool written = write_manifest(*mount, "d", with_snapshot(8)).ok();
    disk.set_script({});
    disk.crash();
    const auto read = read_manifest(disk, "d");
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_TRUE(read->has_value());
    ASSERT_TRUE(**read == with_snapshot(8) || (!written && **read == with_snapshot(7))) << seed;
    ++(**read == with_snapshot(8) ? renewed : old);
  }
  EXPECT_GT(old, 10);
  EXPECT_GT(renewed, 10);
}

}  // namespace
}  // namespace slotcar::storage
