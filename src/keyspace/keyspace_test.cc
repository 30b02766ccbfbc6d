#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

// --- keys --------------------------------------------------------------------------------------

TEST(KeyspaceKeys, RemoveAndExpiry) {
  World world;
  Hold& hold = world.hold();
  EXPECT_FALSE(world.space().remove(hold, kDb, World::key("a")));
  world.set("a", "1");
  EXPECT_FALSE(world.space().clear_expiry(hold, kDb, World::key("a")));
  world.space().set_expiry(hold, kDb, World::key("a"), hold.now + 500);
  EXPECT_EQ(world.next_due(), hold.now + 500);
  world.space().set_expiry(hold, kDb, World::key("a"), hold.now + 700);
  EXPECT_EQ(world.next_due(), hold.now + 700);
  EXPECT_EQ(world.get("a"), "1");
  EXPECT_TRUE(world.space().clear_expiry(hold, kDb, World::key("a")));
  EXPECT_EQ(world.next_due(), kNever);
  EXPECT_TRUE(world.space().remove(hold, kDb, World::key("a")));
  EXPECT_EQ(world.changes(), 5u);
  EXPECT_EQ(world.effects(),
            "SELECT 0\nSET a 1\nPEXPIREAT a 1700000000500\nPEXPIREAT a 1700000000700\n"
            "PERSIST a\nDEL a\n");
  EXPECT_EQ(world.memory(), 0);
}

TEST(KeyspaceKeys, AnExpiryInThePastRemoves) {
  World world;
  world.set("a", "1");
  world.effects();
  world.space().set_expiry(world.hold(), kDb, World::key("a"), world.hold().now);
  EXPECT_EQ(world.get("a"), "(nil)");
  EXPECT_EQ(world.effects(), "SELECT 0\nDEL a\n");
  EXPECT_EQ(world.counters().expired.get(), 0);
}

TEST(KeyspaceKeys, AReadFindsNothingOnceTheTimeIsOver) {
  World world;
  const UnixMs when = world.hold().now + 10;
  world.set("a", "1", ExpiryChange::at(when));
  world.effects();
  world.hold().now = when - 1;
  EXPECT_EQ(world.get("a"), "1");
  world.hold().now = when;
  world.hold().applying = true;  // only a DEL record removes then
  EXPECT_EQ(world.get("a"), "1");
  EXPECT_FALSE(world.space().expire_due(world.hold(), 10));
  EXPECT_EQ(world.space().keys(kDb), 1);
  world.hold().applying = false;
  EXPECT_EQ(world.space().find(world.hold(), kDb, World::key("a")), nullptr);
  EXPECT_EQ(world.counters().misses.get(), 1);
  EXPECT_EQ(world.counters().expired.get(), 1);
  EXPECT_EQ(world.effects(), "SELECT 0\nDEL a\n");
  EXPECT_EQ(world.next_due(), kNever);
  EXPECT_EQ(world.memory(), 0);
}

TEST(KeyspaceKeys, AWriteOverAnOverdueKeyRecordsItsEndFirst) {
  World world;
  world.set("a", "1", ExpiryChange::at(world.hold().now + 10));
  world.effects();
  world.hold().now += 10;
  world.set("a", "2", ExpiryChange::keep());
  EXPECT_EQ(world.effects(), "SELECT 0\nDEL a\nSET a 2\n");
  EXPECT_EQ(world.expiry("a"), kNever);
}

TEST(KeyspaceKeys, ExpireDueWorksInBoundedPieces) {
  World world;
  const UnixMs now = world.hold().now;
  for (int i = 0; i < 100; ++i) {
    world.set("k" + std::to_string(i), "v", ExpiryChange::at(now + 1 + i), DbIndex(i % 3));
  }
  EXPECT_EQ(world.next_due(), now + 1);
  world.hold().now = now + 50;
  EXPECT_TRUE(world.space().expire_due(world.hold(), 20));
  EXPECT_FALSE(world.space().expire_due(world.hold(), 30));
  EXPECT_EQ(world.counters().expired.get(), 50);
  EXPECT_EQ(world.next_due(), now + 51);
  EXPECT_EQ(world.counters().expire_lag_ms_max.get(), 49);
  world.settings().active_expire = false;
  world.hold().now = now + 1000;
  EXPECT_FALSE(world.space().expire_due(world.hold(), 1000));
  world.settings().active_expire = true;
  EXPECT_FALSE(world.space().expire_due(world.hold(), 1000));
  EXPECT_EQ(world.next_due(), kNever);
  EXPECT_EQ(world.memory(), 0);
}

TEST(KeyspaceKeys, TouchIsForUsersOnly) {
  World world;
  world.set("a", "1");
  world.hold().now += 60'000;
  const auto idle = [&] {
    return world.space().peek(world.hold(), kDb, World::key("a"))->idle_seconds(world.hold().now);
  };
  EXPECT_EQ(idle(), 60);
  world.hold().touch = false;
  world.space().find(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(idle(), 60);
  world.space().touch(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(idle(), 0);
  world.hold().touch = true;
  world.hold().now += 5000;
  EXPECT_EQ(idle(), 5);
  world.space().find_for_write(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(idle(), 0);
}

TEST(KeyspaceKeys, AnyThreadMayReadTheNumbers) {
  World world;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      for (std::uint16_t db = 0; db < 16; ++db) {
        const std::int64_t keys = world.space().keys(DbIndex{db});
        EXPECT_TRUE(keys >= 0 && keys <= 100);
        EXPECT_GE(world.space().keys_with_expiry(DbIndex{db}), 0);
      }
      EXPECT_GT(world.next_due(), 0);
    }
  });
  for (int i = 0; i < 5000; ++i) {
    const DbIndex db(static_cast<std::uint16_t>(i % 16));
    world.set("k" + std::to_string(i % 100), "v", ExpiryChange::at(world.hold().now + 1 + i), db);
    if (i % 50 == 0) world.space().flush(world.hold(), db);
    world.effects();
  }
  done = true;
  reader.join();
}

// --- interest ----------------------------------------------------------------------------------

class KeyspaceWatch : public ::testing::Test {
 protected:
  // Whether `change` marks a watch of `name`.
  template <class Change>
  bool marks(std::string_view name, Change&& change, DbIndex db = kDb) {
    const Key key = World::key(name);
    WatchTable& table = world_.space().watched();
    WatchSet set;
    for (int i = 0; i < 2; ++i) {
      const Entry* entry = world_.space().peek(world_.hold(), db, key);
      EXPECT_EQ(set.add(table, world_.hold(), ShardId{0}, db, key, entry), i == 0);
    }
    EXPECT_EQ(set.size(), 1u);
    change();
    const bool marked = set.is_broken(0);
    EXPECT_TRUE(set.remove_some(table, *world_.hold().counters, ShardId{0}, 1));
    EXPECT_TRUE(table.empty());
    EXPECT_EQ(world_.hold().counters->watches.get(), 0);
    return marked;
  }
  World world_;
};

TEST_F(KeyspaceWatch, EveryChangeMarks) {
  Hold& hold = world_.hold();
  Keyspace& space = world_.space();
  const Key a = World::key("a");
  const Key b = World::key("b");
  EXPECT_TRUE(marks("a", [&] { world_.set("a", "1"); }));
  EXPECT_FALSE(marks("a", [&] { world_.set("b", "1"); }));
  EXPECT_FALSE(marks("a", [&] { world_.set("a", "1", ExpiryChange::clear(), DbIndex{1}); }));
  EXPECT_FALSE(marks("a", [&] { space.find(hold, kDb, a); }));
  EXPECT_TRUE(marks("a", [&] { space.set_integer(hold, kDb, a, 3); }));
  EXPECT_TRUE(marks("a", [&] { space.append(hold, kDb, a, "x"); }));
  EXPECT_TRUE(marks("a", [&] { space.set_range(hold, kDb, a, 0, "x"); }));
  EXPECT_TRUE(marks("a", [&] { space.set_expiry(hold, kDb, a, hold.now + 100); }));
  EXPECT_TRUE(marks("a", [&] { space.clear_expiry(hold, kDb, a); }));
  EXPECT_TRUE(marks("a", [&] { Keyspace::rename(hold, kDb, space, a, space, b); }));
  EXPECT_TRUE(marks("a", [&] { Keyspace::rename(hold, kDb, space, b, space, a); }));
  EXPECT_TRUE(marks("b", [&] { Keyspace::copy(hold, space, kDb, a, space, kDb, b); }));
  EXPECT_FALSE(marks("a", [&] { Keyspace::copy(hold, space, kDb, a, space, kDb, b); }));
  EXPECT_TRUE(marks("a", [&] { space.move(hold, kDb, DbIndex{4}, a); }));
  EXPECT_TRUE(marks("a", [&] { space.move(hold, DbIndex{4}, kDb, a); }));
  EXPECT_TRUE(marks("a", [&] { space.remove(hold, kDb, a); }));
  EXPECT_FALSE(marks("a", [&] { space.remove(hold, kDb, a); }));
  EXPECT_TRUE(marks("b", [&] { space.evict(hold, kDb, b); }));
  world_.set("a", "1", ExpiryChange::at(hold.now + 5));
  EXPECT_TRUE(marks("a", [&] {
    hold.now += 5;
    space.expire_due(hold, 1);
  }));
}

TEST_F(KeyspaceWatch, WholeDatabasesMarkWhatExists) {
  Hold& hold = world_.hold();
  Keyspace& space = world_.space();
  world_.set("a", "1");
  EXPECT_FALSE(marks("none", [&] { space.flush(hold, kDb); }));
  world_.set("a", "1");
  EXPECT_FALSE(marks("a", [&] { space.flush(hold, DbIndex{1}); }));
  EXPECT_TRUE(marks("a", [&] { space.flush(hold, kDb); }));
  world_.set("a", "1", ExpiryChange::clear(), DbIndex{1});
  EXPECT_TRUE(marks("a", [&] { space.swap(hold, kDb, DbIndex{1}); }));
  EXPECT_TRUE(marks(
      "a", [&] { space.swap(hold, kDb, DbIndex{1}); }, DbIndex{1}));
  EXPECT_FALSE(marks("none", [&] { space.swap(hold, kDb, DbIndex{1}); }));
}

}  // namespace
}  // namespace slotcar::keyspace
