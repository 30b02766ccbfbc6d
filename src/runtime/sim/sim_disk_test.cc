#include "runtime/sim/sim_disk.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/sim/sim_world.h"

namespace slotcar::runtime {
namespace {

constexpr std::uint64_t kSeeds = 200;
constexpr std::size_t kSector = SimInode::kSectorBytes;

struct World {
  explicit World(std::uint64_t seed, const SimDiskOptions& options = {})
      : world(seed), disk(world, options) {}
  std::unique_ptr<File> open(const std::string& path, OpenMode mode = OpenMode::create) {
    auto file = disk.open(path, mode);
    EXPECT_TRUE(file.ok()) << (file.ok() ? "" : file.error().message);
    return std::move(*file);
  }
  bool exists(const std::string& path) { return disk.open(path, OpenMode::read).ok(); }
  std::string contents(const std::string& path) { return contents(*open(path, OpenMode::read)); }
  static std::string contents(File& file) {
    std::string bytes(*file.size(), '\0');
    EXPECT_EQ(*file.read_at(0, bytes.data(), bytes.size()), bytes.size());
    return bytes;
  }
  // A file that is promised, name and contents.
  void put(const std::string& path, const std::string& bytes) {
    auto file = open(path);
    EXPECT_TRUE(file->write_at(0, bytes).ok());
    EXPECT_TRUE(file->sync_data().ok());
    EXPECT_TRUE(disk.sync_directory("").ok());
  }
  SimWorld world;
  SimDisk disk;
};

TEST(SimDisk, ReadsSeeWrites) {
  World w(1);
  auto file = w.open("log");
  EXPECT_TRUE(file->write_at(0, "hello").ok());
  EXPECT_TRUE(file->write_at(8, "world").ok());
  EXPECT_EQ(w.contents("log"), std::string("hello\0\0\0world", 13));
  char buffer[10];
  EXPECT_EQ(*file->read_at(8, buffer, sizeof buffer), 5u);
  EXPECT_EQ(*file->read_at(100, buffer, sizeof buffer), 0u);
  EXPECT_FALSE(w.disk.open("missing", OpenMode::read_write).ok());
  EXPECT_FALSE(w.open("log", OpenMode::read)->write_at(0, "x").ok());
  w.open("log");
  EXPECT_EQ(w.contents("log"), "") << "create empties";
}

TEST(SimDisk, WhatWasSyncedSurvivesEveryCrash) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("log", std::string(5000, 'x'));
    w.disk.crash();
    EXPECT_EQ(w.contents("log"), std::string(5000, 'x'));
    w.disk.crash();
    EXPECT_EQ(w.contents("log"), std::string(5000, 'x'));
  }
}

// Random writes, syncs, write-backs and crashes against a model: for every sector the set of
// contents that it may have after a crash is what it had at the last sync and everything since.
TEST(SimDisk, ACrashLeavesOnlyAllowedStates) {
  std::uint64_t lost = 0, kept = 0, torn = 0, intermediate = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimDiskOptions options;
    options.write_back_ppm = 200'000;
    World w(seed, options);
    FastRandom random(seed);
    constexpr std::size_t kSectors = 40;
    w.put("log", std::string(kSectors * kSector, 'a'));
    auto file = w.open("log", OpenMode::read_write);
    std::vector<std::vector<std::string>> allowed(kSectors, {std::string(kSector, 'a')});
    for (int round = 0; round < 5; ++round) {
      for (std::uint64_t n = random.below(30); n > 0; --n) {
        if (random.below(10) == 0) {
          ASSERT_TRUE(file->sync_data().ok());
          for (auto& versions : allowed) versions = {versions.back()};
          continue;
        }
        const std::size_t offset = random.below(kSectors * kSector);
        const std::size_t size =
            1 + random.below(std::min<std::size_t>(3000, kSectors * kSector - offset));
        ASSERT_TRUE(
            file->write_at(offset, std::string(size, static_cast<char>('b' + random.below(24))))
                .ok());
        const std::string now = w.contents(*file);
        for (std::size_t s = offset / kSector; s <= (offset + size - 1) / kSector; ++s) {
          allowed[s].push_back(now.substr(s * kSector, kSector));
        }
      }
      w.disk.crash();
      file = w.open("log", OpenMode::read_write);
      const std::string after = w.contents(*file);
      ASSERT_EQ(after.size(), kSectors * kSector);
      bool any_old = false, any_new = false;
      for (std::size_t s = 0; s < kSectors; ++s) {
        const std::string sector = after.substr(s * kSector, kSector);
        auto& versions = allowed[s];
        const auto found = std::find(versions.begin(), versions.end(), sector);
        ASSERT_NE(found, versions.end()) << "seed " << seed << " sector " << s;
        if (versions.size() > 1) {
          (sector == versions.back() ? any_new : any_old) = true;
          intermediate += sector != versions.back() && sector != versions.front();
        }
        versions = {sector};
      }
      torn += any_old && any_new;
    }
    lost += w.disk.counters().sectors_lost;
    kept += w.disk.counters().sectors_kept;
  }
  EXPECT_GT(lost, 100u);
  EXPECT_GT(kept, 100u);
  EXPECT_GT(torn, 50u);
  EXPECT_GT(intermediate, 0u) << "the kernel never wrote back on its own";
}

TEST(SimDisk, AGrowingFileMayEndAnywhereAndMayHaveHoles) {
  std::set<std::size_t> sizes;
  bool zeros = false, whole = false, nothing = false;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("log", std::string(1000, 'a'));
    auto file = w.open("log", OpenMode::read_write);
    ASSERT_TRUE(file->write_at(1000, std::string(9000, 'b')).ok());
    w.disk.crash();
    const std::string after = w.contents("log");
    ASSERT_GE(after.size(), 1000u);
    ASSERT_LE(after.size(), 10'000u);
    EXPECT_EQ(after.substr(0, 1000), std::string(1000, 'a')) << "synced bytes stay";
    EXPECT_EQ(after.find_first_not_of(std::string("b\0", 2), 1000), std::string::npos);
    sizes.insert(after.size());
    zeros = zeros || after.find('\0') != std::string::npos;
    whole = whole || after == std::string(1000, 'a') + std::string(9000, 'b');
    nothing = nothing || after.size() == 1000;
  }
  EXPECT_GT(sizes.size(), 10u);
  EXPECT_TRUE(zeros && whole && nothing);
}

TEST(SimDisk, AnUnsyncedTruncationIsAllOrNothing) {
  bool old_seen = false, new_seen = false;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("file", std::string(4000, 'o'));
    auto file = w.open("file");
    ASSERT_TRUE(file->write_at(0, std::string(2000, 'n')).ok());
    w.disk.crash();
    const std::string after = w.contents("file");
    const bool has_old = after.find('o') != std::string::npos;
    const bool has_new = after.find('n') != std::string::npos;
    EXPECT_FALSE(has_old && has_new);
    if (has_old) {
      EXPECT_EQ(after, std::string(4000, 'o'));
    }
    old_seen = old_seen || has_old;
    new_seen = new_seen || has_new;
  }
  EXPECT_TRUE(old_seen && new_seen);
}

TEST(SimDisk, AfterAFailedSyncTheNextOneSucceedsAndPromisesNothing) {
  int lost = 0, kept = 0, forgotten = 0, read_and_lost = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("log", std::string(kSector, 'a'));
    auto file = w.open("log", OpenMode::read_write);
    ASSERT_TRUE(file->write_at(0, std::string(kSector, 'b')).ok());
    w.disk.set_script(
        [](const DiskCall& call) { return call.operation == DiskOperation::sync_data; });
    EXPECT_FALSE(file->sync_data().ok());
    w.disk.set_script(nullptr);
    EXPECT_TRUE(file->sync_data().ok());
    const bool reads_back = w.contents("log")[0] == 'b';
    forgotten += !reads_back;
    w.disk.crash();
    const bool survived = w.contents("log")[0] == 'b';
    ++(survived ? kept : lost);
    read_and_lost += reads_back && !survived;
  }
  EXPECT_GT(lost, 20);
  EXPECT_GT(kept, 20);
  EXPECT_GT(forgotten, 5);
  EXPECT_GT(read_and_lost, 20) << "the second sync saved what the first had given up";
}

TEST(SimDisk, WritingAgainAfterAFailedSyncIsSavedByTheNext) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("log", "first");
    auto file = w.open("log", OpenMode::read_write);
    ASSERT_TRUE(file->write_at(0, "other").ok());
    w.disk.set_script(
        [](const DiskCall& call) { return call.operation == DiskOperation::sync_data; });
    EXPECT_FALSE(file->sync_data().ok());
    w.disk.set_script(nullptr);
    ASSERT_TRUE(file->write_at(0, "third").ok());
    EXPECT_TRUE(file->sync_data().ok());
    w.disk.crash();
    EXPECT_EQ(w.contents("log"), "third");
  }
}

TEST(SimDisk, ANameIsPromisedByItsDirectoryOnly) {
  int lost = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    auto file = w.open("new");
    ASSERT_TRUE(file->write_at(0, "x").ok());
    ASSERT_TRUE(file->sync_data().ok());
    w.disk.crash();
    lost += !w.exists("new");
    if (w.exists("new")) {
      EXPECT_EQ(w.contents("new"), "x");
    }
  }
  EXPECT_GT(lost, 20);
  EXPECT_LT(lost, static_cast<int>(kSeeds) - 20);
}

TEST(SimDisk, ARenameIsNeverHalfDone) {
  int old_seen = 0, new_seen = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("manifest", "old");
    w.put("manifest.tmp", "new");
    ASSERT_TRUE(w.disk.rename("manifest.tmp", "manifest").ok());
    EXPECT_EQ(w.contents("manifest"), "new");
    EXPECT_FALSE(w.exists("manifest.tmp"));
    w.disk.crash();
    const std::string after = w.contents("manifest");
    EXPECT_TRUE(after == "old" || after == "new");
    EXPECT_EQ(w.exists("manifest.tmp"), after == "old");
    ++(after == "old" ? old_seen : new_seen);
  }
  EXPECT_GT(old_seen, 20);
  EXPECT_GT(new_seen, 20);
}

TEST(SimDisk, ASyncedDirectoryKeepsRenamesAndRemovals) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("a", "a");
    w.put("b", "b");
    ASSERT_TRUE(w.disk.rename("a", "c").ok());
    ASSERT_TRUE(w.disk.remove("b").ok());
    ASSERT_TRUE(w.disk.sync_directory(".").ok());
    w.disk.crash();
    EXPECT_EQ(*w.disk.list("."), std::vector<std::string>{"c"});
    EXPECT_EQ(w.contents("c"), "a");
  }
}

TEST(SimDisk, UnsyncedChangesOfNamesMaySurviveOutOfOrder) {
  std::set<std::vector<std::string>> outcomes;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    for (const char* name : {"a", "b", "c"}) w.open(name);
    w.disk.crash();
    outcomes.insert(*w.disk.list(""));
  }
  EXPECT_EQ(outcomes.size(), 8u);
}

TEST(SimDisk, AChangeNeverSurvivesWithoutTheOneItRestsOn) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    w.put("log", "precious");
    ASSERT_TRUE(w.disk.rename("log", "log.old").ok());
    w.open("log");  // new and empty; it must not replace the old one without the rename
    w.disk.crash();
    const std::string where = w.exists("log.old") ? "log.old" : "log";
    EXPECT_EQ(w.contents(where), "precious") << seed;
  }
}

TEST(SimDisk, ALostDirectoryTakesItsFilesAlong) {
  int lost = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    EXPECT_FALSE(w.disk.open("data/log", OpenMode::create).ok()) << "no such directory";
    ASSERT_TRUE(w.disk.make_directory("data").ok());
    ASSERT_TRUE(w.disk.make_directory("data").ok()) << "there already";
    w.open("data/log");
    w.disk.crash();
    if (w.exists("data/log")) {
      EXPECT_TRUE(w.disk.list("data").ok());
    }
    lost += !w.disk.list("data").ok();
    // Synced from the bottom up, all of it is promised.
    ASSERT_TRUE(w.disk.make_directory("data").ok());
    w.open("data/log");
    ASSERT_TRUE(w.disk.sync_directory("data").ok());
    ASSERT_TRUE(w.disk.sync_directory(".").ok());
    w.disk.crash();
    EXPECT_EQ(*w.disk.list("data/"), std::vector<std::string>{"log"});
  }
  EXPECT_GT(lost, 20);
}

TEST(SimDisk, AFullDiskFailsWritesAndRecovers) {
  SimDiskOptions options;
  options.capacity_bytes = 10'000;
  World w(1, options);
  auto reserved = w.open("reserved");
  ASSERT_TRUE(reserved->preallocate(4000).ok());
  EXPECT_EQ(*reserved->size(), 4000u);
  auto file = w.open("log");
  ASSERT_TRUE(file->write_at(0, std::string(5000, 'x')).ok());
  EXPECT_FALSE(file->write_at(5000, std::string(2000, 'x')).ok());
  EXPECT_LE(w.disk.used_bytes(), 10'000u);
  EXPECT_FALSE(w.open("more")->preallocate(4000).ok());
  EXPECT_TRUE(reserved->write_at(0, std::string(4000, 'y')).ok()) << "its space was taken before";
  reserved.reset();
  ASSERT_TRUE(w.disk.remove("reserved").ok());
  ASSERT_TRUE(w.disk.sync_directory("").ok());
  EXPECT_TRUE(file->write_at(5000, std::string(2000, 'x')).ok()) << "space came back";
  EXPECT_GT(w.disk.counters().disk_full, 1u);
}

TEST(SimDisk, AScriptFailsWhatItNames) {
  World w(2);
  w.disk.set_script([](const DiskCall& call) {
    return call.operation == DiskOperation::sync_data && call.path == "log" && call.number == 3;
  });
  auto file = w.open("log");
  EXPECT_TRUE(file->sync_data().ok());
  EXPECT_TRUE(file->sync_data().ok());
  EXPECT_FALSE(file->sync_data().ok());
  EXPECT_TRUE(file->sync_data().ok());
  EXPECT_EQ(w.disk.calls(DiskOperation::sync_data), 4u);
  EXPECT_EQ(w.disk.counters().syncs_failed, 1u);
}

TEST(SimDisk, ProbabilitiesFailSomeCalls) {
  SimDiskOptions options;
  options.sync_fails_ppm = 100'000;
  options.write_fails_ppm = 100'000;
  World w(3, options);
  auto file = w.open("log");
  int failed_writes = 0, failed_syncs = 0;
  for (int i = 0; i < 1000; ++i) {
    failed_writes += !file->write_at(0, "x").ok();
    failed_syncs += !file->sync_data().ok();
  }
  EXPECT_GT(failed_writes, 50);
  EXPECT_LT(failed_writes, 200);
  EXPECT_GT(failed_syncs, 50);
  EXPECT_LT(failed_syncs, 200);
}

TEST(SimDisk, FilesOpenAtACrashAreDead) {
  World w(4);
  w.put("log", "x");
  auto file = w.open("log", OpenMode::read_write);
  w.disk.crash();
  char byte;
  EXPECT_FALSE(file->read_at(0, &byte, 1).ok());
  EXPECT_FALSE(file->write_at(0, "y").ok());
  EXPECT_FALSE(file->sync_data().ok());
  EXPECT_FALSE(file->size().ok());
}

TEST(SimDisk, AMountDiesWithItsLife) {
  World w(5);
  auto first = w.disk.mount();
  ASSERT_TRUE(first->open("log", OpenMode::create).ok());
  w.disk.crash();
  auto second = w.disk.mount();
  ASSERT_TRUE(second->open("log", OpenMode::create).ok());
  EXPECT_FALSE(first->open("other", OpenMode::create).ok());
  EXPECT_FALSE(first->remove("log").ok());
  EXPECT_FALSE(first->rename("log", "other").ok());
  EXPECT_FALSE(first->make_directory("data").ok());
  EXPECT_FALSE(first->sync_directory("").ok());
  EXPECT_FALSE(first->list("").ok());
  EXPECT_EQ(*second->list(""), std::vector<std::string>{"log"});
}

TEST(SimDisk, SameSeedSameCrash) {
  const auto run = [](std::uint64_t seed) {
    World w(seed);
    w.put("log", std::string(9000, 'a'));
    for (int i = 0; i < 10; ++i) w.open("file" + std::to_string(i));
    EXPECT_TRUE(w.open("log", OpenMode::read_write)->write_at(100, std::string(9000, 'b')).ok());
    w.disk.crash();
    std::string all = w.contents("log");
    const auto names = w.disk.list("");
    for (const std::string& name : *names) all += name;
    return all;
  };
  std::set<std::string> outcomes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(run(seed), run(seed));
    outcomes.insert(run(seed));
  }
  EXPECT_GT(outcomes.size(), 15u);
}

TEST(SimDisk, ALockEndsWithItsObjectOrItsLife) {
  World w(1);
  auto first = w.disk.mount();
  auto held = first->lock("d");
  ASSERT_TRUE(held.ok());
  EXPECT_FALSE(first->lock("./d").ok());
  const auto holder = w.disk.lock_holder("d");
  ASSERT_TRUE(holder.has_value());
  held->reset();
  EXPECT_FALSE(w.disk.lock_holder("d").has_value());
  held = first->lock("d");
  for (const bool crash : {false, true}) {
    crash ? w.disk.crash() : w.disk.kill();
    auto next = w.disk.mount();
    auto again = next->lock("d");
    ASSERT_TRUE(again.ok()) << "the process that held it is gone";
    EXPECT_NE(w.disk.lock_holder("d"), holder);
    held->reset();  // of an earlier life: it does not release this one's lock
    EXPECT_TRUE(w.disk.lock_holder("d").has_value());
    held = std::move(again);
  }
}

TEST(SimDisk, ARenamedDirectoryTakesItsFilesAlong) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    World w(seed);
    ASSERT_TRUE(w.disk.make_directory("old").ok());
    ASSERT_TRUE(w.disk.sync_directory("").ok());
    auto file = w.open("old/a");
    ASSERT_TRUE(file->write_at(0, "bytes").ok());
    ASSERT_TRUE(file->sync_data().ok());
    ASSERT_TRUE(w.disk.sync_directory("old").ok());
    ASSERT_TRUE(w.disk.rename("old", "new").ok());
    EXPECT_EQ(w.contents("new/a"), "bytes");
    EXPECT_FALSE(w.exists("old/a"));
    const bool promised = seed % 2 == 0;
    if (promised) {
      ASSERT_TRUE(w.disk.sync_directory("").ok());
    }
    w.disk.crash();
    EXPECT_NE(w.exists("old/a"), w.exists("new/a")) << "in one of the two, never in both";
    if (promised) {
      EXPECT_TRUE(w.exists("new/a"));
    }
  }
}

}  // namespace
}  // namespace slotcar::runtime
