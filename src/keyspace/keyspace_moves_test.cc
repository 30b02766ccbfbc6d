#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyspace/testing/test_world.h"
#include "types/set.h"

namespace slotcar::keyspace {
namespace {

// --- moves -------------------------------------------------------------------------------------

TEST(KeyspaceMoves, RenameTakesValueAndExpiryAlong) {
  World world;
  Hold& hold = world.hold();
  for (const std::string& value : {std::string("12"), std::string("text"), std::string(900, 'x')}) {
    world.set("a", value, ExpiryChange::at(hold.now + 9));
    world.set("b", "old");
    world.effects();
    Keyspace::rename(hold, kDb, world.space(), World::key("a"), world.space(), World::key("b"));
    EXPECT_EQ(world.get("a"), "(nil)");
    EXPECT_EQ(world.get("b"), value);
    EXPECT_EQ(world.expiry("b"), hold.now + 9);
    EXPECT_EQ(world.next_due(), hold.now + 9);
    EXPECT_EQ(world.space().keys(kDb), 1);
    EXPECT_EQ(world.effects(), "SELECT 0\nRENAME a b\n");
    Keyspace::rename(hold, kDb, world.space(), World::key("b"), world.space(), World::key("b"));
    EXPECT_EQ(world.effects(), "");
    world.space().remove(hold, kDb, World::key("b"));
    EXPECT_EQ(world.memory(), 0);
  }
}

TEST(KeyspaceMoves, RenameGoesFromShardToShard) {
  World here;
  World there;
  here.set("a", std::string(700, 'v'), ExpiryChange::at(here.hold().now + 9));
  Keyspace::rename(here.hold(), kDb, here.space(), World::key("a"), there.space(), World::key("b"));
  EXPECT_EQ(here.get("a"), "(nil)");
  EXPECT_EQ(there.get("b"), std::string(700, 'v'));
  EXPECT_EQ(here.next_due(), kNever);
  EXPECT_EQ(there.next_due(), here.hold().now + 9);
  there.space().remove(here.hold(), kDb, World::key("b"));
  EXPECT_EQ(here.memory(), 0);
}

TEST(KeyspaceMoves, CopyLeavesTwoIndependentValues) {
  World world;
  Hold& hold = world.hold();
  for (const std::string& value : {std::string("12"), std::string("text"), std::string(900, 'x')}) {
    world.set("a", value, ExpiryChange::at(hold.now + 9));
    world.set("b", "old", ExpiryChange::clear(), DbIndex{2});
    world.effects();
    Keyspace::copy(hold, world.space(), kDb, World::key("a"), world.space(), DbIndex{2},
                   World::key("b"));
    EXPECT_EQ(world.effects(), "SELECT 0\nCOPY a b DB 2 REPLACE\n");
    world.space().append(hold, kDb, World::key("a"), "!");
    EXPECT_EQ(world.get("b", DbIndex{2}), value);
    EXPECT_EQ(world.get("a"), value + "!");
    EXPECT_EQ(world.expiry("b", DbIndex{2}), hold.now + 9);
    world.space().remove(hold, DbIndex{2}, World::key("b"));
    world.space().remove(hold, kDb, World::key("a"));
    EXPECT_EQ(world.memory(), 0);
  }
}

TEST(KeyspaceMoves, MoveBetweenDatabases) {
  World world;
  Hold& hold = world.hold();
  world.set("a", "v", ExpiryChange::at(hold.now + 9));
  world.set("b", "mine");
  world.set("b", "yours", ExpiryChange::clear(), DbIndex{1});
  world.effects();
  EXPECT_TRUE(world.space().move(hold, kDb, DbIndex{1}, World::key("a")));
  EXPECT_FALSE(world.space().move(hold, kDb, DbIndex{1}, World::key("b")));
  EXPECT_FALSE(world.space().move(hold, kDb, DbIndex{1}, World::key("none")));
  EXPECT_EQ(world.get("a"), "(nil)");
  EXPECT_EQ(world.get("a", DbIndex{1}), "v");
  EXPECT_EQ(world.space().keys_with_expiry(kDb), 0);
  EXPECT_EQ(world.space().keys_with_expiry(DbIndex{1}), 1);
  EXPECT_EQ(world.next_due(), hold.now + 9);
  EXPECT_EQ(world.effects(), "SELECT 0\nMOVE a 1\n");
  hold.now += 9;
  world.space().expire_due(hold, 10);
  EXPECT_EQ(world.effects(), "SELECT 1\nDEL a\n");
}

// --- whole databases ---------------------------------------------------------------------------

TEST(KeyspaceDatabases, FlushGivesEverythingBackLater) {
  World world;
  for (int i = 0; i < 3000; ++i) {
    world.set("k" + std::to_string(i), std::string(static_cast<std::size_t>(i % 700), 'v'),
              i % 2 ? ExpiryChange::clear() : ExpiryChange::at(world.hold().now + i + 1));
  }
  world.set("other", "1", ExpiryChange::at(world.hold().now + 77), DbIndex{1});
  world.effects();
  auto garbage = world.space().flush(world.hold(), kDb);
  EXPECT_EQ(garbage.keys, 3000u);
  EXPECT_EQ(world.space().keys(kDb), 0);
  EXPECT_EQ(world.space().keys_with_expiry(kDb), 0);
  EXPECT_EQ(world.get("k5"), "(nil)");
  EXPECT_EQ(world.next_due(), world.hold().now + 77);
  EXPECT_EQ(world.effects(), "");
  world.set("k5", "again");
  EXPECT_EQ(world.get("k5"), "again");
  garbage.contents.reset();  // needs no hold
  EXPECT_EQ(world.get("k5"), "again");
  world.space().remove(world.hold(), kDb, World::key("k5"));
  world.space().flush(world.hold(), DbIndex{1});
  EXPECT_EQ(world.memory(), 0);
  EXPECT_EQ(world.space().flush(world.hold(), DbIndex{9}).keys, 0u);
}

// In slices of about as many keys as asked for, whatever table they are in; big values are freed
// separately.
TEST(KeyspaceDatabases, FlushedContentsAreFreedInSlices) {
  struct Heap final : base::Reclaimer {
    void free_later(std::unique_ptr<base::Garbage> one) override {
      garbage.push_back(std::move(one));
    }
    std::vector<std::unique_ptr<base::Garbage>> garbage;
  };
  World world;
  constexpr int kKeys = 20'000;
  for (int i = 0; i < kKeys; ++i) world.set("{one slot}" + std::to_string(i), "value");
  types::OwnCell big;
  types::Set set(big, world.settings().types);
  for (int i = 0; i < 20'000; ++i) set.add(types::Element::of("member:" + std::to_string(i)));
  world.space().set_collection(world.hold(), kDb, World::key("{one slot}big"), types::Type::set,
                               std::move(big));
  auto garbage = world.space().flush(world.hold(), kDb);
  Heap heap;
  int slices = 1;
  while (!garbage.contents->free_some(1000, &heap)) ++slices;
  EXPECT_GE(slices, 10);  // a slice ends with the segment in which it reaches a thousand
  EXPECT_LE(slices, 21);
  ASSERT_EQ(heap.garbage.size(), 1u);
  EXPECT_EQ(heap.garbage[0]->objects(), 0);  // the flush has counted it
  EXPECT_EQ(garbage.contents->next_occupied(0), std::nullopt);
  garbage.contents.reset();
  EXPECT_EQ(world.memory(), 0);
}

TEST(KeyspaceDatabases, SwapExchangesEverything) {
  World world;
  Hold& hold = world.hold();
  world.set("a", "zero", ExpiryChange::at(hold.now + 5));
  world.set("b", "one", ExpiryChange::clear(), DbIndex{1});
  world.space().swap(hold, kDb, DbIndex{1});
  EXPECT_EQ(world.get("a", DbIndex{1}), "zero");
  EXPECT_EQ(world.get("b"), "one");
  EXPECT_EQ(world.space().keys_with_expiry(DbIndex{1}), 1);
  world.space().swap(hold, DbIndex{1}, DbIndex{15});  // one that was never used
  EXPECT_EQ(world.get("a", DbIndex{15}), "zero");
  EXPECT_EQ(world.space().keys(DbIndex{1}), 0);
  EXPECT_EQ(world.next_due(), hold.now + 5);
  hold.now += 5;
  world.effects();
  world.space().expire_due(hold, 10);
  EXPECT_EQ(world.effects(), "SELECT 15\nDEL a\n");
  EXPECT_EQ(world.next_due(), kNever);
}

TEST(KeyspaceDatabases, EffectsOfWholeDatabases) {
  World world;
  record_flush(world.hold(), DbIndex{3});
  record_flush(world.hold(), std::nullopt);
  record_swap(world.hold(), DbIndex{0}, DbIndex{12});
  EXPECT_EQ(world.effects(), "SELECT 3\nFLUSHDB\nSELECT 0\nFLUSHALL\nSWAPDB 0 12\n");
}

TEST(KeyspaceDatabases, WithoutALogChangesAreOnlyCounted) {
  World world;
  world.hold().effects->set_recording(false);
  world.set("a", "1");
  world.space().append(world.hold(), kDb, World::key("a"), "x");
  world.space().set_range(world.hold(), kDb, World::key("a"), 1, "x");
  world.space().set_integer(world.hold(), kDb, World::key("a"), 1);
  world.space().set_expiry(world.hold(), kDb, World::key("a"), kNever);
  world.space().remove(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(world.changes(), 6u);
  EXPECT_TRUE(world.hold().effects->payload().empty());
}

TEST(KeyspaceDatabases, AsManyAsTheLimitAllows) {
  World world(1024, 16384);
  const DbIndex far{16383};
  world.set("a", "1", ExpiryChange::at(world.hold().now + 1), far);
  EXPECT_EQ(world.get("a", far), "1");
  EXPECT_EQ(world.space().keys(far), 1);
  EXPECT_EQ(world.space().keys(DbIndex{9000}), 0);
  EXPECT_EQ(world.effects(), "SELECT 16383\nSET a 1 PXAT 1700000000001\n");
}

}  // namespace
}  // namespace slotcar::keyspace
