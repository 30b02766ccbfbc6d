// Calls on very many keys see one moment, although they hold their tokens for that moment only
// (shard/shard_reads.h). In a simulated node a test can stop between the moment and the reading:
// each shard then still has its part.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "shard/shard_reads.h"
#include "world/sim_node.h"

namespace slotcar::bounds {
namespace {

using world::Answer;
using world::encode;
using world::Words;

constexpr int kKeys = 3'000;
constexpr int kShards = 64;

class ReadParts : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    Words ids{"RPUSH", "ids"};
    for (int i = 0; i < kKeys; ++i) ids.push_back(std::to_string(i));
    set_all("a");
    world_.run("admin", ids);
  }

  static std::string key(int i) { return "k:" + std::to_string(i); }
  static Words request(const std::string& command) {
    Words words{command};
    for (int i = 0; i < kKeys; ++i) words.push_back(key(i));
    return words;
  }
  void set_all(const std::string& value) {
    Words words{"MSET"};
    for (int i = 0; i < kKeys; ++i) {
      words.push_back(key(i));
      words.push_back(value + std::to_string(i));
    }
    world_.run("admin", words);
  }
  // Shards in which something is left to be read.
  int left() {
    int count = 0;
    for (std::uint16_t i = 0; i < kShards; ++i) {
      count += world_.node().shards()[ShardId{i}].unread_parts != nullptr;
    }
    return count;
  }
  // Sends the request, and stops after its moment, before most of it is read.
  void stop_in(std::string_view client, const Words& words) {
    world_.send(client, encode(words));
    ASSERT_TRUE(world_.sim().world().run_until([this] { return left() > kShards / 2; }, 1'000'000));
  }
  static bool all_are(const Answer& answer, const std::string& value) {
    if (answer.value.items.size() != kKeys) return false;
    for (std::size_t i = 0; i < kKeys; ++i) {
      if (answer.value.items[i].text != value + std::to_string(i)) return false;
    }
    return true;
  }

  world::SimNodeWorld world_{GetParam(), {.workers = 2, .shards = kShards, .pause_ppm = 300'000}};
};

TEST_P(ReadParts, AreReadBeforeAnythingChanges) {
  stop_in("reader", request("MGET"));
  set_all("b");
  EXPECT_EQ(left(), 0);
  EXPECT_TRUE(all_are(world_.receive("reader"), "a"));
  EXPECT_TRUE(all_are(world_.run("reader", request("MGET")), "b"));
}

TEST_P(ReadParts, AreReadBeforeAllIsRemoved) {
  for (const std::string command : {"EXISTS", "TOUCH"}) {
    set_all("a");
    stop_in("reader", request(command));
    world_.run("admin", {"FLUSHALL"});
    EXPECT_EQ(world_.receive("reader").value.integer, kKeys) << command;
    EXPECT_EQ(world_.run("reader", request(command)).value.integer, 0) << command;
  }
}

TEST_P(ReadParts, OfASortAreThoseOfOneMoment) {
  stop_in("reader", {"SORT", "ids", "BY", "nosort", "GET", "k:*"});
  set_all("b");
  EXPECT_TRUE(all_are(world_.receive("reader"), "a"));
  stop_in("reader", {"SORT", "ids", "BY", "k:*", "ALPHA", "LIMIT", "0", "2", "GET", "k:*"});
  world_.run("admin", {"FLUSHALL"});
  const Answer few = world_.receive("reader");
  ASSERT_EQ(few.value.items.size(), 2u);
  EXPECT_EQ(few.value.items[0].text, "b0");
  EXPECT_EQ(few.value.items[1].text, "b1");
}

// A short call that changes one key pays for the part of one shard.
TEST_P(ReadParts, OfOtherShardsStay) {
  stop_in("reader", request("EXISTS"));
  const int before = left();
  EXPECT_EQ(world_.run("writer", {"DEL", key(kKeys - 1)}).value.integer, 1);
  EXPECT_LT(left(), before);
  EXPECT_EQ(world_.receive("reader").value.integer, kKeys);
}

// Several calls leave parts in the same shards; who comes later does not read for who came before.
TEST_P(ReadParts, OfSeveralCallsAreOfTheirOwnMoments) {
  stop_in("first", request("MGET"));
  world_.send("second", encode(request("MGET")));
  world_.send("third", encode(request("EXISTS")));
  set_all("b");
  EXPECT_TRUE(all_are(world_.receive("first"), "a"));
  const Answer second = world_.receive("second");
  EXPECT_TRUE(all_are(second, "a") || all_are(second, "b"));
  EXPECT_EQ(world_.receive("third").value.integer, kKeys);
}

TEST_P(ReadParts, OfAClientThatLeavesAreRead) {
  stop_in("reader", request("MGET"));
  world_.disconnect("reader");
  world_.run("admin", {"FLUSHALL"});
  EXPECT_EQ(left(), 0);
  EXPECT_EQ(world_.run("admin", request("EXISTS")).value.integer, 0);
}

// Reading changes nothing, so a key whose time is over is left for others to remove.
TEST_P(ReadParts, RemoveNoKey) {
  world_.node().settings().execution.keyspace.active_expire = false;
  for (const int i : {0, 1, 2}) world_.run("admin", {"PEXPIRE", key(i), "10"});
  world_.let_pass(runtime::kSecond);
  EXPECT_EQ(world_.run("reader", request("EXISTS")).value.integer, kKeys - 3);
  EXPECT_EQ(world_.run("admin", {"DBSIZE"}).value.integer, kKeys + 1);  // and the ids
  EXPECT_EQ(world_.run("admin", {"EXISTS", key(0)}).value.integer, 0);
  EXPECT_EQ(world_.run("admin", {"DBSIZE"}).value.integer, kKeys);
}

// A key that ends after the moment is still there for it, however late it is read.
TEST_P(ReadParts, SeeTheTimeOfTheirMoment) {
  for (int i = 0; i < kKeys; i += 100) world_.run("admin", {"PEXPIRE", key(i), "5000"});
  stop_in("reader", request("EXISTS"));
  world_.sim().world().clock().advance(10 * runtime::kSecond);
  EXPECT_EQ(world_.receive("reader").value.integer, kKeys);
  EXPECT_EQ(world_.run("reader", request("EXISTS")).value.integer, kKeys - kKeys / 100);
}

// Who listens to misses hears of each.
TEST_P(ReadParts, TellOfMisses) {
  world_.run("admin", {"CONFIG", "SET", "notify-keyspace-events", "Em"});
  world_.run("listener", {"SUBSCRIBE", "__keyevent@0__:keymiss"});
  world_.run("admin", {"DEL", key(7), key(8)});
  stop_in("reader", request("MGET"));
  world_.run("admin", {"FLUSHALL"});
  std::set<std::string> missed;
  for (int i = 0; i < 2; ++i) missed.insert(world_.receive("listener").value.items.back().text);
  EXPECT_EQ(missed, (std::set<std::string>{key(7), key(8)}));
}

// What is nearly all in one shard is read under its token: no other call shall pay for that.
TEST_P(ReadParts, AreNotLeftWhereTheyAreLong) {
  Words words{"MGET", "elsewhere"};
  for (int i = 0; i < 5'000; ++i) words.push_back(std::to_string(i) + "{one}");
  world_.send("reader", encode(words));
  int most = 0;
  const auto answered = [&] {
    most = std::max(most, left());
    return false;
  };
  world_.sim().world().run_until(answered, 2'000);
  EXPECT_EQ(most, 0);
  EXPECT_EQ(world_.receive("reader").value.items.size(), 5'001u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReadParts, ::testing::Range<std::uint64_t>(1, 9));

// --- the plan ----------------------------------------------------------------------------------

class Plan final : public shard::ShardReads {
 public:
  std::vector<std::uint32_t> items(std::size_t part) {
    return {parts()[part].items.begin(), parts()[part].items.end()};
  }

 private:
  void read_items(const shard::ReadPart&, keyspace::Hold&, shard::Shard&) override {}
};

TEST(ReadPlan, PutsEachItemIntoThePartOfItsShard) {
  Plan plan;
  const auto odd = [](std::size_t i) { return ShardId{static_cast<std::uint16_t>(i % 2 * 5)}; };
  plan.plan(7, 16, odd);
  ASSERT_EQ(plan.part_count(), 2u);
  EXPECT_EQ(plan.parts()[0].shard, ShardId{0});
  EXPECT_EQ(plan.parts()[1].shard, ShardId{5});
  EXPECT_EQ(plan.items(0), (std::vector<std::uint32_t>{0, 2, 4, 6}));
  EXPECT_EQ(plan.items(1), (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_TRUE(plan.is_spread());
  plan.plan(2 * shard::ShardReads::kPartItemsMax + 1, 16, odd);
  EXPECT_FALSE(plan.is_spread());
}

}  // namespace
}  // namespace slotcar::bounds
