#include "base/linear_table.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

namespace slotcar::base {
namespace {

struct Node {
  Node* table_next = nullptr;
  std::uint64_t table_hash = 0;
  int number = 0;
};

TEST(LinearTable, FindsWhatIsInItWhileItGrowsAndShrinks) {
  std::mt19937_64 random(1);
  std::deque<Node> nodes(5000);
  std::set<int> in;
  LinearTable<Node> table;
  for (int i = 0; i < 5000; ++i) {
    nodes[i].number = i;
    nodes[i].table_hash = i % 7 == 0 ? 42 : random();  // some have the same hash
  }
  const auto find = [&](int number) {
    return table.find(nodes[number].table_hash, [&](Node& n) { return n.number == number; });
  };
  // Mostly in, then mostly out.
  for (int step = 0; step < 60'000; ++step) {
    const int number = static_cast<int>(random() % nodes.size());
    const bool wants_in = random() % 10 < (step < 30'000 ? 8u : 2u);
    if (wants_in && in.insert(number).second) table.insert(nodes[number]);
    if (!wants_in && in.erase(number) != 0) table.remove(nodes[number]);
    ASSERT_EQ(table.size(), in.size());
    ASSERT_EQ(find(number) != nullptr, in.contains(number));
  }
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(find(i) != nullptr, in.contains(i)) << i;
  for (const int number : in) table.remove(nodes[number]);
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.find(42, [](Node&) { return true; }), nullptr);
  // The memory of an empty table does not depend on what it once held.
  LinearTable<Node> fresh;
  Node one;
  fresh.insert(one);
  EXPECT_EQ(table.footprint(), fresh.footprint());
  fresh.remove(one);
}

// A hash that counts how often it is looked at: once for each node that is compared or moved.
struct CountedHash {
  std::uint64_t value = 0;
  std::int64_t* looks = nullptr;
  operator std::uint64_t() const {
    ++*looks;
    return value;
  }
};
struct CountedNode {
  CountedNode* table_next = nullptr;
  CountedHash table_hash;
};

// A million in one table: a step is as short at the end as at the beginning, and none is long.
TEST(LinearTable, NoStepTakesLongHoweverManyThereAre) {
  constexpr std::size_t kNodes = 1'000'000;
  constexpr std::int64_t kLongest = 40;
  std::mt19937_64 random(2);
  std::deque<CountedNode> nodes(kNodes);
  LinearTable<CountedNode> table;
  std::int64_t sum = 0;
  std::int64_t looks = 0;
  const auto count = [&](auto&& step) {
    looks = 0;
    step();
    ASSERT_LE(looks, kLongest);
    sum += looks;
  };
  for (CountedNode& node : nodes) {
    node.table_hash = {random(), &looks};
    const std::uint64_t hash = node.table_hash.value;
    count([&] { EXPECT_EQ(table.find(hash, [](auto&) { return true; }), nullptr); });
    count([&] { table.insert(node); });
  }
  for (CountedNode& node : nodes) count([&] { table.remove(node); });
  EXPECT_LT(sum, static_cast<std::int64_t>(10 * kNodes));
}

}  // namespace
}  // namespace slotcar::base
