#include <gtest/gtest.h>

#include <set>
#include <string>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

TEST(KeyspaceWalk, SlotsOfAShard) {
  World world(1024, 16, ShardId{5});
  EXPECT_EQ(world.space().next_slot(kDb, Slot{0}), std::nullopt);
  const auto put = [&](std::string_view name, std::uint16_t slot) {
    world.space().set_string(world.hold(), kDb, World::key(name, slot), std::string_view("v"),
                             ExpiryChange::clear());
  };
  put("a", 5);
  put("b", 5);
  put("c", 1024 + 5);
  put("d", 15 * 1024 + 5);
  EXPECT_EQ(world.space().keys_in_slot(kDb, Slot{5}), 2u);
  EXPECT_EQ(world.space().keys_in_slot(kDb, Slot{2048 + 5}), 0u);
  EXPECT_EQ(world.space().next_slot(kDb, Slot{0}), Slot{5});
  EXPECT_EQ(world.space().next_slot(kDb, Slot{5}), Slot{5});
  EXPECT_EQ(world.space().next_slot(kDb, Slot{6}), Slot{1029});
  EXPECT_EQ(world.space().next_slot(kDb, Slot{1030}), Slot{15 * 1024 + 5});
  EXPECT_EQ(world.space().next_slot(kDb, Slot{15 * 1024 + 6}), std::nullopt);
  EXPECT_EQ(world.space().next_slot(kDb, Slot{16383}), std::nullopt);
  world.space().remove(world.hold(), kDb, World::key("c", 1024 + 5));
  EXPECT_EQ(world.space().next_slot(kDb, Slot{6}), Slot{15 * 1024 + 5});
}

TEST(KeyspaceWalk, ScanShowsLiveKeysOnly) {
  World world;
  std::set<std::string> expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "k" + std::to_string(i);
    world.set(name, "v", i % 3 ? ExpiryChange::clear() : ExpiryChange::at(world.hold().now + 1));
    if (i % 3) expected.insert(name);
  }
  world.hold().now += 1;
  std::multiset<std::string> seen;
  std::optional<std::uint64_t> from = 0;
  int calls = 0;
  while (from) {
    ++calls;
    from = world.space().scan_slot(world.hold(), kDb, Slot{0}, *from, 50,
                                   [&](const Entry& entry) { seen.emplace(entry.key()); });
  }
  EXPECT_EQ(seen, std::multiset<std::string>(expected.begin(), expected.end()));
  EXPECT_GT(calls, 20);
  EXPECT_EQ(world.space().keys(kDb), 2000);  // a scan removes nothing
}

TEST(KeyspaceWalk, RandomKeyIsALiveOne) {
  World world(1);
  int tries = 1'000'000;
  EXPECT_EQ(world.space().random_key(world.hold(), kDb, tries), nullptr);
  for (int i = 0; i < 50; ++i) {
    const std::string name = "k" + std::to_string(i);
    world.space().set_string(
        world.hold(), kDb, World::key(name, static_cast<std::uint16_t>(i * 300)),
        std::string_view("v"),
        i < 10 ? ExpiryChange::clear() : ExpiryChange::at(world.hold().now + 1));
  }
  world.hold().now += 1;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const Entry* entry = world.space().random_key(world.hold(), kDb, tries);
    if (entry != nullptr) seen.emplace(entry->key());  // else it had read enough for one hold
  }
  EXPECT_EQ(seen.size(), 10u);
  EXPECT_EQ(tries, 1'000'000 - 40);
}

// A hundred expired keys.
struct Stale {
  Stale() {
    for (int i = 0; i < 100; ++i) {
      world.set("k" + std::to_string(i), "v", ExpiryChange::at(world.hold().now + 1));
    }
    world.hold().now += 1;
  }
  World world;
};

TEST(KeyspaceWalk, RandomKeyRemovesAFewInOneHold) {
  Stale stale;
  int tries = 1000;
  EXPECT_EQ(stale.world.space().random_key(stale.world.hold(), kDb, tries), nullptr);
  const std::int64_t removed = 100 - stale.world.space().keys(kDb);
  EXPECT_GT(removed, 0);
  EXPECT_LE(removed, 16);
  EXPECT_EQ(tries, 1000 - removed);
  while (stale.world.space().keys(kDb) > 0) {
    EXPECT_EQ(stale.world.space().random_key(stale.world.hold(), kDb, tries), nullptr);
  }
}

TEST(KeyspaceWalk, TheLastTryForARandomKeyAnswersAnyKey) {
  Stale stale;
  int tries = 3;
  EXPECT_NE(stale.world.space().random_key(stale.world.hold(), kDb, tries), nullptr);
  EXPECT_EQ(stale.world.space().keys(kDb), 98);
}

// A pause, or a log that cannot be written.
TEST(KeyspaceWalk, RandomKeyRemovesNothingWhereReadersMayNot) {
  for (const bool by_pause : {true, false}) {
    Stale stale;
    std::atomic<UnixMs> until{stale.world.hold().now + 1000};
    if (by_pause) stale.world.settings().paused_until = &until;
    stale.world.hold().keeps_expired = !by_pause;
    int tries = 100;
    const Entry* found = nullptr;
    while (found == nullptr) found = stale.world.space().random_key(stale.world.hold(), kDb, tries);
    EXPECT_EQ(tries, 0);
    EXPECT_EQ(stale.world.space().keys(kDb), 100);
  }
}

// The call was queued while the log still took records.
TEST(KeyspaceWalk, NothingExpiresWhileNothingCanBeRecorded) {
  Stale stale;
  stale.world.hold().keeps_expired = true;
  EXPECT_FALSE(stale.world.space().expire_due(stale.world.hold(), 50));
  EXPECT_EQ(stale.world.space().keys(kDb), 100);
  stale.world.hold().keeps_expired = false;
  EXPECT_TRUE(stale.world.space().expire_due(stale.world.hold(), 50));
  EXPECT_EQ(stale.world.space().keys(kDb), 50);
}

}  // namespace
}  // namespace slotcar::keyspace
