// The tree itself, with leaves so small that a few thousand items make four levels: items by
// position against a vector, with pins that are compared later.
#include "types/tree/tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace slotcar::types {
namespace {

struct TinyLeaf : TreeNode {
  using Separator = NoSeparator;
  static constexpr std::size_t kMax = 4;

  std::vector<int> numbers;

  static TinyLeaf* make(std::vector<int> numbers) {
    auto* leaf = new TinyLeaf();
    leaf->numbers = std::move(numbers);
    return leaf;
  }
  static TinyLeaf* clone(const TinyLeaf& leaf) { return make(leaf.numbers); }
  static void free(TinyLeaf* leaf) { delete leaf; }
  std::size_t items() const { return numbers.size(); }
  std::size_t footprint() const { return 100 + 4 * numbers.size(); }
  bool is_full() const { return numbers.size() > kMax; }
  bool is_sparse() const { return numbers.size() < 2; }
  static TinyLeaf* split(TinyLeaf*& leaf, bool rightmost, Separator&) {
    const auto kept = static_cast<std::ptrdiff_t>(rightmost ? kMax : kMax / 2);
    TinyLeaf* right = make({leaf->numbers.begin() + kept, leaf->numbers.end()});
    leaf->numbers.resize(static_cast<std::size_t>(kept));
    return right;
  }
  static bool fit_together(const TinyLeaf& left, const TinyLeaf& right) {
    return left.items() + right.items() <= kMax - 1;
  }
  static void join(TinyLeaf*& left, const TinyLeaf& right) {
    left->numbers.insert(left->numbers.end(), right.numbers.begin(), right.numbers.end());
  }
};

using TinyTree = Tree<TinyLeaf>;

std::vector<int> read(const TinyTree& tree) {
  std::vector<int> numbers;
  TinyTree::Path path;
  if (!tree.first(path)) return numbers;
  do {
    EXPECT_EQ(tree.rank_of(path), numbers.size());
    EXPECT_GT(path.leaf().items(), 0u);
    numbers.insert(numbers.end(), path.leaf().numbers.begin(), path.leaf().numbers.end());
  } while (tree.next(path));
  return numbers;
}

std::vector<int> read_backwards(const TinyTree& tree) {
  std::vector<int> numbers;
  TinyTree::Path path;
  if (!tree.last(path)) return numbers;
  do {
    const auto& leaf = path.leaf().numbers;
    numbers.insert(numbers.end(), leaf.rbegin(), leaf.rend());
  } while (tree.prev(path));
  std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

class Life {
 public:
  explicit Life(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  void insert(std::size_t rank) {
    const int number = static_cast<int>(random_());
    model_.insert(model_.begin() + static_cast<std::ptrdiff_t>(rank), number);
    TinyTree::Path path;
    const bool at_end = rank == tree_.size();
    std::size_t place = at_end && rank > 0 ? rank - 1 : rank;
    if (!tree_.at_rank(path, place)) return tree_.append_leaf(TinyLeaf::make({number}), {});
    if (at_end) ++place;
    TinyLeaf* leaf = tree_.writable(path);
    leaf->numbers.insert(leaf->numbers.begin() + static_cast<std::ptrdiff_t>(place), number);
    tree_.update(path, leaf);
  }
  void erase(std::size_t rank) {
    model_.erase(model_.begin() + static_cast<std::ptrdiff_t>(rank));
    TinyTree::Path path;
    std::size_t place = rank;
    ASSERT_TRUE(tree_.at_rank(path, place));
    TinyLeaf* leaf = tree_.writable(path);
    leaf->numbers.erase(leaf->numbers.begin() + static_cast<std::ptrdiff_t>(place));
    tree_.update(path, leaf);
  }
  void append_leaf() {
    tree_.append_leaf(TinyLeaf::make({1, 2, 3}), {});
    model_.insert(model_.end(), {1, 2, 3});
  }
  void prepend_leaf() {
    tree_.prepend_leaf(TinyLeaf::make({4, 5}), {});
    model_.insert(model_.begin(), {4, 5});
  }
  void pin() { pins_.push_back({tree_, model_}); }
  void drop_a_pin() {
    if (pins_.empty()) return;
    std::swap(pins_[below(pins_.size())], pins_.back());
    ASSERT_EQ(read(pins_.back().tree), pins_.back().model);
    pins_.pop_back();
  }
  void look() {
    std::size_t rank = below(model_.size() + 2);
    const std::size_t asked = rank;
    TinyTree::Path path;
    ASSERT_EQ(tree_.at_rank(path, rank), asked < model_.size());
    if (asked >= model_.size()) return;
    ASSERT_EQ(path.leaf().numbers[rank], model_[asked]);
    ASSERT_EQ(tree_.rank_of(path) + rank, asked);
  }
  void compare() {
    ASSERT_EQ(tree_.size(), model_.size());
    ASSERT_EQ(read(tree_), model_);
    ASSERT_EQ(read_backwards(tree_), model_);
    for (const Pin& pin : pins_) ASSERT_EQ(read(pin.tree), pin.model);
  }
  std::size_t size() const { return model_.size(); }
  const TinyTree& tree() const { return tree_; }

 private:
  struct Pin {
    TinyTree tree;
    std::vector<int> model;
  };
  std::mt19937 random_;
  TinyTree tree_;
  std::vector<int> model_;
  std::vector<Pin> pins_;
};

void live_through(std::uint32_t seed, std::size_t steps, std::size_t phase, bool at_ends) {
  Life life(seed);
  std::size_t growth = 9;
  for (std::size_t i = 0; i < steps; ++i) {
    if (i % phase == phase - 1) growth = life.below(11);
    const std::size_t what = life.below(10);
    if (what < growth) {
      const std::size_t size = life.size();
      if (life.below(20) == 0) {
        life.below(2) ? life.append_leaf() : life.prepend_leaf();
      } else {
        life.insert(!at_ends ? life.below(size + 1) : life.below(2) ? size : 0);
      }
    } else if (life.size() > 0) {
      life.erase(!at_ends ? life.below(life.size()) : life.below(2) ? life.size() - 1 : 0);
    }
    if (life.below(steps / 6 + 1) == 0) life.pin();
    if (life.below(steps / 4 + 1) == 0) life.drop_a_pin();
    if (life.below(8) == 0) life.look();
  }
  life.compare();
  while (life.size() > 0) {
    life.erase(at_ends ? 0 : life.below(life.size()));
    if (life.below(life.size() + 50) == 0) life.pin();
  }
  EXPECT_EQ(life.tree().bytes(), 0u);
  EXPECT_TRUE(life.tree().empty());
  life.compare();
}

RC_GTEST_PROP(Tree, HoldsWhatAVectorHolds, (std::uint32_t seed, bool at_ends)) {
  const auto steps = *rc::gen::inRange<std::size_t>(1, 6000);
  const auto phase = *rc::gen::inRange<std::size_t>(1, 3000);
  live_through(seed, steps, phase, at_ends);
  RC_ASSERT(!testing::Test::HasFatalFailure() && !testing::Test::HasNonfatalFailure());
}

TEST(Tree, HoldsManyLevels) {
  live_through(1, 30'000, 20'000, false);
  live_through(2, 50'000, 40'000, true);
}

// The root is replaced by its only child, twice, while a pin still needs all of it.
TEST(Tree, CollapsesBesideAPin) {
  Life life(1);
  const std::size_t full = kTreeFanout * TinyLeaf::kMax;
  while (life.size() < full) life.insert(life.size());
  // One more leaf than fits into an inner node: the second has two children, then one.
  for (int i = 0; i < 8; ++i) life.insert(life.size());
  while (life.size() > full - TinyLeaf::kMax + 1) life.erase(life.size() - 1);
  life.pin();
  while (life.size() > 1) life.erase(0);
  life.compare();
  life.insert(1);
  life.compare();
}

// A tree is freed from its end, a few nodes at a time; what a pin can reach stays.
TEST(Tree, IsFreedInSlices) {
  constexpr std::size_t kSlice = 7;
  const auto free_all = [](TinyTree& tree, std::size_t& nodes) {
    for (bool all = false; !all;) {
      std::size_t left = kSlice;
      all = tree.free_some(left);
      EXPECT_TRUE(all || left == 0);
      nodes += kSlice - left;
    }
    EXPECT_TRUE(tree.empty());
  };
  TinyTree tree;
  std::vector<int> numbers;
  for (int i = 0; i < 4000; i += 4) {
    tree.append_leaf(TinyLeaf::make({i, i + 1, i + 2, i + 3}), {});
    for (int k = 0; k < 4; ++k) numbers.push_back(i + k);
  }
  const TinyTree pin = tree;
  // A leaf and the two nodes above it become unshared.
  TinyTree::Path path;
  std::size_t rank = 2000;
  ASSERT_TRUE(tree.at_rank(path, rank));
  TinyLeaf* leaf = tree.writable(path);
  leaf->numbers[rank] = -1;
  tree.update(path, leaf);
  std::size_t nodes = 0;
  free_all(tree, nodes);
  EXPECT_EQ(nodes, 3u);
  EXPECT_EQ(read(pin), numbers);

  TinyTree last = pin;
  std::size_t left = kSlice;
  EXPECT_TRUE(last.free_some(left));  // not the only one: nothing to free
  EXPECT_EQ(left, kSlice);
}

TEST(Tree, AllNodesAreFreedInSlices) {
  TinyTree tree;
  for (int i = 0; i < 4000; ++i) tree.append_leaf(TinyLeaf::make({i}), {});
  std::size_t nodes = 0;
  std::size_t slices = 0;
  for (bool all = false; !all; ++slices) {
    std::size_t left = 10;
    all = tree.free_some(left);
    nodes += 10 - left;
  }
  EXPECT_GE(nodes, 4000u + 63);
  EXPECT_GE(slices, 406u);
}

}  // namespace
}  // namespace slotcar::types
