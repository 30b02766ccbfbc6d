#include "types/tree/pair_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <random>
#include <set>
#include <vector>

namespace slotcar::types {
namespace {

using Model = std::set<Pair>;

std::vector<Pair> read(const PairTree& tree) {
  std::vector<Pair> pairs;
  auto at = tree.first();
  while (at) {
    pairs.push_back(*at);
    if (*at == Pair{UINT64_MAX, UINT64_MAX}) break;
    const bool last_value = at->value == UINT64_MAX;
    at = tree.at_or_after(last_value ? Pair{at->key + 1, 0} : Pair{at->key, at->value + 1});
  }
  return pairs;
}

std::vector<Pair> read(const Model& model) {
  return {model.begin(), model.end()};
}

struct Pin {
  PairTree tree;
  Model model;
};

class Twin {
 public:
  Twin(std::uint32_t seed, std::uint64_t keys) : random_(seed), keys_(keys) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  Pair some_pair() { return {below(keys_), below(50) == 0 ? UINT64_MAX - below(3) : below(20)}; }

  void insert() {
    const Pair pair = some_pair();
    ASSERT_EQ(tree_.insert(pair), model_.insert(pair).second);
    ASSERT_EQ(tree_.size(), model_.size());
  }
  void erase() {
    const Pair pair = some_pair();
    ASSERT_EQ(tree_.erase(pair), model_.erase(pair) == 1);
    ASSERT_EQ(tree_.size(), model_.size());
  }
  void replace() {
    const auto old = model_.lower_bound(some_pair());
    if (old == model_.end()) return;
    const Pair fresh{old->key, some_pair().value};
    const Pair gone = *old;
    model_.erase(old);
    PairTree::Place place;
    ASSERT_TRUE(tree_.any_of(
        gone.key, [&](std::uint64_t value) { return value == gone.value; }, place));
    ASSERT_EQ(tree_.replace(place, fresh), model_.insert(fresh).second);
    ASSERT_EQ(tree_.size(), model_.size());
  }
  void look() {
    const Pair asked = some_pair();
    const auto lower = model_.lower_bound(asked);
    const auto found = tree_.at_or_after(asked);
    ASSERT_EQ(found.has_value(), lower != model_.end());
    if (found) {
      ASSERT_EQ(*found, *lower);
    }
    ASSERT_EQ(tree_.first().has_value(), !model_.empty());
    if (!model_.empty()) {
      ASSERT_EQ(*tree_.first(), *model_.begin());
    }
  }
  void count() {
    const Pair asked = some_pair();
    const auto before = std::distance(model_.begin(), model_.lower_bound(asked));
    ASSERT_EQ(tree_.count_before(asked), static_cast<std::size_t>(before));
    std::vector<std::uint64_t> values;
    tree_.any_of(asked.key, [&](std::uint64_t value) {
      values.push_back(value);
      return false;
    });
    std::vector<std::uint64_t> expected;
    for (const Pair& pair : model_) {
      if (pair.key == asked.key) expected.push_back(pair.value);
    }
    ASSERT_EQ(values, expected);
    std::vector<Pair> visited;
    tree_.visit_from(asked, [&](const Pair& pair) {
      visited.push_back(pair);
      return visited.size() == 200;
    });
    auto from = model_.lower_bound(asked);
    for (const Pair& pair : visited) ASSERT_EQ(pair, *from++);
    ASSERT_TRUE(visited.size() == 200 || from == model_.end());
  }
  void compare() { ASSERT_EQ(read(tree_), read(model_)); }
  void drain() {
    while (!model_.empty()) {
      auto at = model_.lower_bound(some_pair());
      if (at == model_.end()) at = model_.begin();
      ASSERT_TRUE(tree_.erase(*at));
      model_.erase(at);
    }
    EXPECT_EQ(tree_.size(), 0u);
    EXPECT_EQ(tree_.bytes(), 0u);
  }
  Pin pin() const { return {tree_, model_}; }

 private:
  std::mt19937_64 random_;
  std::uint64_t keys_;
  PairTree tree_;
  Model model_;
};

void live_through(std::uint32_t seed, std::size_t steps, std::uint64_t keys) {
  Twin twin(seed, keys);
  std::vector<Pin> pins;
  std::size_t inserts_of_ten = 8;
  for (std::size_t i = 0; i < steps; ++i) {
    if (twin.below(2000) == 0) inserts_of_ten = twin.below(10);
    twin.below(10) < inserts_of_ten ? twin.insert() : twin.erase();
    if (i % 16 == 0) twin.look();
    if (i % 16 == 8) twin.replace();
    if (twin.below(steps / 6 + 1) == 0) pins.push_back(twin.pin());
  }
  twin.compare();
  for (int i = 0; i < 20; ++i) twin.count();
  twin.drain();
  for (const Pin& pin : pins) ASSERT_EQ(read(pin.tree), read(pin.model));
}

RC_GTEST_PROP(PairTree, HoldsWhatASetHolds, (std::uint32_t seed)) {
  const auto steps = *rc::gen::inRange<std::size_t>(1, 5000);
  const auto keys = *rc::gen::inRange<std::uint64_t>(1, 3000);
  live_through(seed, steps, keys);
  RC_ASSERT(!testing::Test::HasFatalFailure());
}

TEST(PairTree, HoldsManyPairs) {
  live_through(1, 100'000, 30'000);
}

TEST(PairTree, WhatGrowsInOrderGrowsDense) {
  PairTree tree;
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(tree.insert({i, 0}));
  EXPECT_LT(tree.bytes(), 100'000 * sizeof(Pair) * 3 / 2);
  EXPECT_EQ(tree.count_before({50'000, 0}), 50'000u);
  EXPECT_EQ(tree.count_before({UINT64_MAX, 0}), 100'000u);
  for (std::uint64_t i = 0; i < 100'000; ++i) ASSERT_TRUE(tree.erase({i, 0}));
  EXPECT_EQ(tree.bytes(), 0u);
}

TEST(PairTree, AnyOfStopsWhenToldTo) {
  PairTree tree;
  for (std::uint64_t i = 0; i < 500; ++i) tree.insert({3, i});
  int visits = 0;
  EXPECT_TRUE(tree.any_of(3, [&](std::uint64_t value) {
    ++visits;
    return value == 70;
  }));
  EXPECT_EQ(visits, 71);
  EXPECT_FALSE(tree.any_of(4, [](std::uint64_t) { return true; }));
}

}  // namespace
}  // namespace slotcar::types
