#include "types/approach.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "types/tree/member_tree.h"
#include "types/tree/pair_tree.h"

namespace slotcar::types {
namespace {

RC_GTEST_PROP(Approach, FindNearFindsFromAnyGuess, (std::vector<std::uint8_t> numbers)) {
  RC_PRE(!numbers.empty());
  std::sort(numbers.begin(), numbers.end());
  const auto last = static_cast<std::uint32_t>(numbers.size() - 1);
  const int wanted = *rc::gen::inRange(0, 257);
  std::uint32_t expected = 0;
  for (std::uint32_t i = 1; i <= last; ++i) {
    if (numbers[i] <= wanted) expected = i;
  }
  for (std::uint32_t guess = 0; guess <= last; ++guess) {
    const auto beyond = [&](std::uint32_t at) { return numbers[at] > wanted; };
    RC_ASSERT(find_near(guess, last, beyond) == expected);
  }
}

RC_GTEST_PROP(Approach, AGuessIsAlwaysOneOfTheParts,
              (std::uint64_t begin, std::uint64_t last, std::uint64_t hash)) {
  const auto parts = *rc::gen::inRange<std::uint32_t>(1, 70);
  RC_ASSERT((HashRange{begin, last}.guess(hash, parts)) < parts);
  RC_ASSERT((HashRange{begin, begin}.guess(hash, parts)) < parts);
}

TEST(Approach, AGuessIsProportional) {
  const HashRange whole;
  EXPECT_EQ(whole.guess(0, 64), 0u);
  EXPECT_EQ(whole.guess((std::uint64_t{1} << 63) - (std::uint64_t{1} << 55), 64), 31u);
  EXPECT_EQ(whole.guess((std::uint64_t{1} << 63) + (std::uint64_t{1} << 55), 64), 32u);
  EXPECT_EQ(whole.guess(UINT64_MAX, 64), 63u);
  const HashRange part{1000, 2000};
  EXPECT_EQ(part.guess(1500, 10), 4u);
  EXPECT_EQ(part.guess(999, 10), 0u);
  EXPECT_EQ(part.guess(2001, 10), 9u);
}

// The steps end at the leaf that has the element, at every depth.
TEST(Approach, LeadsToTheLeafOfAMember) {
  MemberTree tree(/*with_values=*/false, base::HashSeed{7});
  const auto name = [](int i) { return "member:" + std::to_string(i); };
  for (const int size : {1, 60, 1000, 20'000}) {
    while (tree.size() < static_cast<std::size_t>(size)) {
      tree.put({.name = Element::of(name(static_cast<int>(tree.size()))), .value = {}});
    }
    for (int i = 0; i < size; i += 7) {
      const std::string text = name(i);
      Approach approach{.element = text};
      int steps = 1;
      while (tree.fetch_ahead(approach)) ++steps;
      EXPECT_LE(steps, 8);
      const auto& leaf = *static_cast<const MemberLeaf*>(approach.node);
      ASSERT_EQ(leaf.level, 0);
      ASSERT_NE(leaf.find(Encoded(text), approach.hash), MemberLeaf::kNone);
    }
  }
  Approach nowhere{.element = "x"};
  EXPECT_FALSE(MemberTree(false, base::HashSeed{7}).fetch_ahead(nowhere));
}

TEST(Approach, LeadsToTheLeafOfAPair) {
  PairTree tree;
  const auto key = [](std::uint64_t i) { return i * 0x9e3779b97f4a7c15u; };
  for (std::uint64_t i = 0; i < 20'000; ++i) tree.insert({key(i), i});
  for (std::uint64_t i = 0; i < 20'000; i += 7) {
    Approach approach{.hash = key(i)};
    while (tree.fetch_ahead(approach)) {
    }
    const auto& leaf = *static_cast<const PairLeaf*>(approach.node);
    ASSERT_EQ(leaf.level, 0);
    const std::size_t at = leaf.lower_bound({key(i), i}, approach.range);
    ASSERT_LT(at, leaf.items());
    ASSERT_EQ(leaf.pairs()[at], (Pair{key(i), i}));
  }
}

}  // namespace
}  // namespace slotcar::types
