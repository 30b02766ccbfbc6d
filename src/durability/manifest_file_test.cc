#include "durability/manifest_file.h"

#include <gtest/gtest.h>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::durability {
namespace {

using storage::Manifest;
using storage::SegmentEntry;

class ManifestFileTest : public testing::Test {
 protected:
  ManifestFileTest() {
    EXPECT_TRUE(disk_.make_directory("data").ok());
    EXPECT_TRUE(disk_.make_directory("other").ok());
  }
  void start(bool there) {
    Manifest manifest;
    manifest.node_id = "node";
    manifest.log = "slotcar-log";
    file_.start("data", manifest, there);
  }
  std::optional<Manifest> read(const std::string& directory = "data") {
    return *storage::read_manifest(disk_, directory);
  }

  runtime::SimWorld world_{1};
  runtime::SimDisk disk_{world_};
  ManifestFile file_{disk_};
  const std::vector<SegmentEntry> one_{{1, Lsn{1}, 7, 4096}};
  const std::vector<SegmentEntry> two_{{1, Lsn{1}, 7, 4096}, {2, Lsn{9}, 8, 4096}};
};

// Until recovery is over it would hide what is still to be imported.
TEST_F(ManifestFileTest, IsNotMadeBeforeItMay) {
  start(false);
  ASSERT_TRUE(file_.list_segments(one_).ok());
  ASSERT_TRUE(file_.note_life(5, "boot").ok());
  EXPECT_FALSE(read().has_value());
  file_.may_be_made();
  ASSERT_TRUE(file_.list_segments(two_).ok());
  ASSERT_TRUE(read().has_value());
  EXPECT_EQ(read()->segments, two_);
  EXPECT_EQ(read()->life, 5u);  // what was noted before is not forgotten
  EXPECT_EQ(read()->boot_id, "boot");
}

TEST_F(ManifestFileTest, ANewSegmentEndsTheCleanEnd) {
  start(true);
  ASSERT_TRUE(file_.list_segments(two_).ok());
  ASSERT_TRUE(file_.note_end(Lsn{12}).ok());
  EXPECT_EQ(read()->last, Lsn{12});
  // One that goes does not.
  ASSERT_TRUE(file_.list_segments({two_[1]}).ok());
  EXPECT_EQ(read()->last, Lsn{12});
  ASSERT_TRUE(file_.list_segments({two_[1], {3, Lsn{13}, 9, 4096}}).ok());
  EXPECT_EQ(read()->last, std::nullopt);
}

TEST_F(ManifestFileTest, KnowsWhetherASegmentWasBegun) {
  start(true);
  EXPECT_FALSE(file_.has_begun());
  ASSERT_TRUE(file_.list_segments({}).ok());
  EXPECT_FALSE(file_.has_begun());
  ASSERT_TRUE(file_.list_segments(one_).ok());
  EXPECT_TRUE(file_.has_begun());
}

TEST_F(ManifestFileTest, WithoutALogNoEndIsNoted) {
  file_.start("data", {}, true);
  ASSERT_TRUE(file_.note_end(Lsn{3}).ok());
  EXPECT_FALSE(read().has_value());
}

TEST_F(ManifestFileTest, AFailedWriteChangesNothingInMemory) {
  start(true);
  ASSERT_TRUE(file_.list_segments(one_).ok());
  disk_.set_script([](const runtime::DiskCall&) { return true; });
  EXPECT_FALSE(file_.list_segments(two_).ok());
  EXPECT_FALSE(file_.note_end(Lsn{4}).ok());
  disk_.set_script({});
  ASSERT_TRUE(file_.update("data", [](Manifest& manifest) { manifest.epoch = Epoch{6}; }).ok());
  EXPECT_EQ(read()->epoch, Epoch{6});
  EXPECT_EQ(read()->segments, one_);
  EXPECT_EQ(read()->last, std::nullopt);
}

TEST_F(ManifestFileTest, AnotherDirectoryBeginsWithoutLogAndSnapshot) {
  start(true);
  file_.may_be_made();
  ASSERT_TRUE(file_.note_life(5, "boot").ok());
  ASSERT_TRUE(file_.list_segments(one_).ok());
  file_.move_to("other");
  ASSERT_TRUE(file_.update("other", [](Manifest& manifest) { manifest.epoch = Epoch{6}; }).ok());
  EXPECT_EQ(read()->segments, one_);
  const auto moved = read("other");
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->node_id, "node");
  EXPECT_EQ(moved->log, "");
  EXPECT_EQ(moved->life, 0u);
  EXPECT_TRUE(moved->segments->empty());
}

}  // namespace
}  // namespace slotcar::durability
