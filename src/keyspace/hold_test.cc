// A Hold is a proof: without a hold of a shard its keys cannot be reached.
#include "keyspace/hold.h"

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>
#include <vector>

#include "keyspace/edit/hash_edit.h"
#include "keyspace/edit/string_edit.h"
#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

static_assert(!std::is_default_constructible_v<Hold>);
static_assert(!std::is_copy_constructible_v<Hold>);
static_assert(!std::is_constructible_v<Hold, std::span<const ShardId>>);

constexpr ShardId kHere{5};

TEST(Hold, KnowsItsShards) {
  const base::ShardList some{ShardId{3}, kHere, ShardId{900}};
  const Hold hold = Hold::of_sole_owner(some);
  EXPECT_TRUE(hold.holds(ShardId{3}) && hold.holds(kHere) && hold.holds(ShardId{900}));
  EXPECT_FALSE(hold.holds(ShardId{4}));
  EXPECT_FALSE(Hold::of_sole_owner({}).holds(ShardId{0}));
}

TEST(Hold, OfAnotherShardOpensNothing) {
  World world(1024, 16, kHere);
  const base::ShardList other{ShardId{4}, ShardId{6}};
  Hold hold = Hold::of_sole_owner(other);
  hold.now = world.hold().now;
  hold.counters = &world.counters();
  hold.effects = world.hold().effects;
  hold.settings = &world.settings();
  Keyspace& space = world.space();
  const Key key = World::key("k", kHere.value);
  const std::vector<std::function<void()>> all{
      [&] { space.find(hold, kDb, key); },
      [&] { space.find_for_write(hold, kDb, key); },
      [&] { space.peek(hold, kDb, key); },
      [&] { space.set_string(hold, kDb, key, std::string_view("v"), ExpiryChange::clear()); },
      [&] { space.remove(hold, kDb, key); },
      [&] { HashEdit edit(space, hold, kDb, key); },
      [&] { StringEdit edit(space, hold, kDb, key); },
      [&] { space.scan_slot(hold, kDb, key.slot, 0, 10, [](const Entry&) {}); },
      [&] { space.expire_due(hold, 1); },
      [&] { space.flush(hold, kDb); },
      [&] { space.sample_victim(hold, EvictionPolicy::allkeys_lru, 1); },
  };
  for (const auto& touch : all) EXPECT_DEATH(touch(), "holds");
  // Its own hold is accepted.
  EXPECT_EQ(space.find(world.hold(), kDb, key), nullptr);
}

}  // namespace
}  // namespace slotcar::keyspace
