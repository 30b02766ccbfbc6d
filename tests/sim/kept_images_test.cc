// Writers beside a snapshot: the old values that they put aside for it do not pile up in memory,
// and a node that ends does not wait for a snapshot that is not wanted any more.
#include <gtest/gtest.h>

#include <string>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kMillisecond;
using world::Answer;
using world::encode;
using world::SimNodeWorld;
using world::Words;

constexpr int kKeys = 600;
constexpr std::size_t kBytes = 40'000;

class KeptImages : public ::testing::Test {
 protected:
  KeptImages() {
    for (int i = 0; i < kKeys; ++i) {
      const Words set{"SET", "key" + std::to_string(i), std::string(kBytes, 'a')};
      EXPECT_EQ(world_.run("first", set).value.text, "OK");
    }
  }
  static world::SimNodeOptions options() {
    world::SimNodeOptions options;
    options.directory = "data";
    options.shards = 1024;
    options.pause_ppm = 0;
    return options;
  }
  bool saving() { return world_.node().durability().saving(); }
  bool admits() { return world_.node().scheduler().log()->admits(); }
  void wait_for_snapshot() {
    while (saving()) world_.let_pass(10 * kMillisecond);
  }
  void begin_snapshot() {
    world_.sim().pauses().set_all_chances(200'000);  // else no time would pass in it
    EXPECT_EQ(world_.run("admin", {"BGSAVE"}).kind, Answer::Kind::reply);
    EXPECT_TRUE(saving());
  }
  // Writes over all keys while the snapshot is under way; whether writes had to wait for it.
  bool overwrite() {
    std::string bytes;
    for (int i = 0; i < kKeys; ++i) bytes += encode({"SET", "key" + std::to_string(i), "new"});
    world_.send("writer", bytes);
    bool waited = false;
    while (saving()) {
      world_.let_pass(kMillisecond);
      if (!admits() && !waited) {
        waited = true;
        world_.send("late", encode({"SET", "late", "new"}));
      }
    }
    for (int i = 0; i < kKeys; ++i) EXPECT_EQ(world_.receive("writer").value.text, "OK");
    if (waited) {
      EXPECT_EQ(world_.receive("late").value.text, "OK");
    }
    return waited;
  }
  void expect_values(const std::string& value) {
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_EQ(world_.run("first", {"GET", "key" + std::to_string(i)}).value.text, value) << i;
    }
  }
  std::int64_t saves() { return world_.node().durability().numbers().saves; }
  SimNodeWorld world_{3, options()};
};

TEST_F(KeptImages, WritersWaitWhenASnapshotKeepsTooMuch) {
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "maxmemory", "64mb"}).value.text, "OK");
  begin_snapshot();
  EXPECT_TRUE(overwrite());
  EXPECT_TRUE(admits());
  EXPECT_TRUE(world_.node().durability().numbers().last_save_ok);
  expect_values("new");
}

TEST_F(KeptImages, WithoutMaxmemoryNobodyWaits) {
  begin_snapshot();
  EXPECT_FALSE(overwrite());
  expect_values("new");
}

TEST_F(KeptImages, AShutdownDoesNotWaitForTheSnapshotUnderWay) {
  const std::int64_t before = saves();
  begin_snapshot();
  bool saved = false;
  world_.node().shut_down({.save = node::Node::Shutdown::Save::yes},
                          [&saved](const Status& status) { saved = status.ok(); });
  wait_for_snapshot();
  EXPECT_TRUE(saved);
  // Who asked for the first one is content with the last.
  EXPECT_EQ(saves(), before + 1);
  EXPECT_TRUE(world_.node().durability().numbers().last_save_ok);
  EXPECT_TRUE(world_.restart().ok());
  expect_values(std::string(kBytes, 'a'));
}

}  // namespace
}  // namespace slotcar::sim
