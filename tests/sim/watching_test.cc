// What is watched is forgotten (WATCH): whatever ends it, nothing of it stays in the shards,
// whether the tokens were free or not, and whether few keys were watched or many.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "base/limits.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using world::encode;
using world::SimNodeWorld;
using world::Words;

std::int64_t watches(node::Node& node) {
  std::int64_t sum = 0;
  for (const shard::Thread* thread : node.threads()) sum += thread->keyspace.watches.get();
  return sum;
}

Words watch_of(std::size_t keys) {
  Words words{"WATCH"};
  for (std::size_t i = 0; i < keys; ++i) words.push_back("key" + std::to_string(i));
  return words;
}

enum class How { unwatch, exec, broken_exec, spoilt_exec, discard, reset, close, kill, evict };

class WatchEnds : public ::testing::TestWithParam<std::tuple<std::uint64_t, How>> {
 protected:
  // Others keep the tokens busy, and stop while they hold them.
  void disturb() {
    std::string bytes;
    for (int i = 0; i < 20; ++i) {
      bytes += encode({"MULTI"});
      for (int k = 0; k < 8; ++k) bytes += encode({"SET", "other" + std::to_string(k), "v"});
      bytes += encode({"EXEC"});
    }
    world_.send("busy", bytes);
  }

  void end_watch(How how) {
    disturb();
    switch (how) {
      case How::unwatch:
        world_.run("watcher", {"UNWATCH"});
        return;
      case How::broken_exec:
        world_.run("other", {"SET", "key0", "changed"});
        [[fallthrough]];
      case How::exec: {
        const auto expected = how == How::exec ? resp::Value::Kind::array : resp::Value::Kind::null;
        world_.run("watcher", {"MULTI"});
        world_.run("watcher", {"SET", "key1", "mine"});
        EXPECT_EQ(world_.run("watcher", {"EXEC"}).value.kind, expected);
        return;
      }
      case How::spoilt_exec:
        world_.run("watcher", {"MULTI"});
        world_.run("watcher", {"NOSUCH"});
        EXPECT_TRUE(world_.run("watcher", {"EXEC"}).value.is_error());
        return;
      case How::discard:
        world_.run("watcher", {"MULTI"});
        world_.run("watcher", {"DISCARD"});
        return;
      case How::reset:
        world_.run("watcher", {"RESET"});
        return;
      case How::close:
        return world_.disconnect("watcher");
      case How::kill:
        world_.run("other", {"CLIENT", "KILL", "ID", id_});
        return;
      case How::evict:
        // The one that takes most goes.
        world_.run("other", {"CLIENT", "NO-EVICT", "ON"});
        world_.run("other", {"CONFIG", "SET", "maxmemory-clients", "1"});
        return;
    }
  }

  SimNodeWorld world_{std::get<0>(GetParam()), {.workers = 3, .shards = 16, .pause_ppm = 300'000}};
  std::string id_;
};

TEST_P(WatchEnds, AndNothingStaysInTheShards) {
  const How how = std::get<1>(GetParam());
  for (const std::size_t keys : {std::size_t{2}, limits::kWatchesRemovedAtOnce + 300}) {
    id_ = std::to_string(world_.run("watcher", {"CLIENT", "ID"}).value.integer);
    ASSERT_EQ(world_.run("watcher", watch_of(keys)).value.text, "OK");
    ASSERT_EQ(world_.run("watcher", watch_of(keys)).value.text, "OK");  // twice is once
    ASSERT_EQ(watches(world_.node()), static_cast<std::int64_t>(keys));
    const std::int64_t while_watched = world_.node().used_memory();
    end_watch(how);
    world_.sim().world().run_until([&] { return watches(world_.node()) == 0; }, 10'000'000);
    EXPECT_EQ(watches(world_.node()), 0);
    world_.let_pass(runtime::kSecond);
    EXPECT_EQ(world_.node().scheduler().watch_removals().bytes(), 0);
    if (keys > limits::kWatchesRemovedAtOnce) {  // else the keys of others are more
      EXPECT_LT(world_.node().used_memory(), while_watched);
    }
    for (std::uint16_t i = 0; i < 16; ++i) {
      shard::Shard& shard = world_.node().shards()[ShardId{i}];
      EXPECT_TRUE(!shard.used() || shard.keys().watched().empty());
    }
    if (how == How::evict) break;
    if (how == How::kill) world_.disconnect("watcher");
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, WatchEnds,
                         ::testing::Combine(::testing::Range<std::uint64_t>(1, 9),
                                            ::testing::Values(How::unwatch, How::exec,
                                                              How::broken_exec, How::spoilt_exec,
                                                              How::discard, How::reset, How::close,
                                                              How::kill, How::evict)));

// Registered key by key, shard by shard: a change at any moment after the reply is noticed, and one
// before its key was registered is not needed to be.
class WatchRaces : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(WatchRaces, AChangeAfterTheReplyBreaksTheTransactionAndNoUpdateIsLost) {
  SimNodeWorld world(GetParam(), {.workers = 3, .shards = 16, .pause_ppm = 300'000});
  // Each adds one to a counter, ten times, by WATCH, GET and SET; with many other keys watched.
  struct Adder {
    std::string name;
    int left = 10;
  };
  Words watch = watch_of(400);
  watch.insert(watch.begin() + 200, "counter");
  std::vector<Adder> adders{{"a"}, {"b"}, {"c"}};
  bool some = true;
  while (some) {
    some = false;
    for (Adder& one : adders) {
      if (one.left > 0) world.send(one.name, encode(watch) + encode({"GET", "counter"}));
    }
    for (Adder& one : adders) {
      if (one.left == 0) continue;
      some = true;
      ASSERT_EQ(world.receive(one.name).value.text, "OK");
      const std::string text = world.receive(one.name).value.text;
      const std::string next = std::to_string((text.empty() ? 0 : std::stoi(text)) + 1);
      world.send(one.name, encode({"MULTI"}) + encode({"SET", "counter", next}) + encode({"EXEC"}));
    }
    for (Adder& one : adders) {
      if (one.left == 0) continue;
      world.receive(one.name);
      world.receive(one.name);
      if (!world.receive(one.name).value.is_null()) --one.left;
    }
  }
  EXPECT_EQ(world.run("a", {"GET", "counter"}).value.text, "30");
}

INSTANTIATE_TEST_SUITE_P(Seeds, WatchRaces, ::testing::Range<std::uint64_t>(1, 41));

// Keys that come to their end while they are watched are not looked at again by EXEC.
TEST(Watching, AKeyOrAFieldThatIsOverBreaksTheTransactionEvenIfNobodyRemovedIt) {
  SimNodeWorld world(3, {.workers = 1, .shards = 16});
  world.run("a", {"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
  const auto exec = [&] {
    world.run("a", {"MULTI"});
    world.run("a", {"PING"});
    return world.run("a", {"EXEC"}).value.kind;
  };
  world.run("a", {"SET", "key", "v", "PX", "100"});
  world.run("a", {"WATCH", "key", "none"});
  EXPECT_EQ(exec(), resp::Value::Kind::array);
  world.run("a", {"WATCH", "key", "none"});
  world.let_pass(200 * runtime::kMillisecond);
  EXPECT_EQ(exec(), resp::Value::Kind::null);
  // It was over before it was watched: absent is absent.
  world.run("a", {"WATCH", "key"});
  world.let_pass(200 * runtime::kMillisecond);
  EXPECT_EQ(exec(), resp::Value::Kind::array);
}

}  // namespace
}  // namespace slotcar::sim
