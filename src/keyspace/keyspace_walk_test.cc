#include <gtest/gtest.h>

#include <set>
#include <string>

#include "keyspace/test_world.h"

namespace slotcar::keyspace {
namespace {

TEST(KeyspaceWalk, SlotsOfAShard) {
  World world(1024);
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
  EXPECT_EQ(world.space().random_key(world.hold(), kDb), nullptr);
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
    seen.emplace(world.space().random_key(world.hold(), kDb)->key());
  }
  EXPECT_EQ(seen.size(), 10u);
}

}  // namespace
}  // namespace slotcar::keyspace
