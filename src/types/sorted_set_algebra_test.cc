#include "types/sorted_set_algebra.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::types {
namespace {

using Scores = std::map<std::string, double>;

// Operands by their plain contents; those of odd number are sets, and some are trees.
struct Operands {
  explicit Operands(const std::vector<Scores>& contents) : cells(contents.size()) {
    settings.hash_seed = {42};
    for (std::size_t i = 0; i < contents.size(); ++i) {
      settings.zset_max_listpack_entries = i % 3 == 0 ? 0 : 128;
      settings.set_max_listpack_entries = i % 3 == 0 ? 0 : 128;
      const bool is_set = i % 2 == 1;
      for (const auto& [member, score] : contents[i]) {
        if (is_set) {
          Set(cells[i], settings).add(Element::of(member));
        } else {
          SortedSet(cells[i], settings).add(score, member);
        }
      }
      sources.push_back({.seen = cells[i].view(),
                         .type = is_set ? Type::set : Type::sorted_set,
                         .weight = static_cast<double>(i + 1)});
    }
  }
  Settings settings;
  std::vector<OwnCell> cells;
  std::vector<ScoredSource> sources;
};

Scores as_map(const ScoredResult& result) {
  Scores found;
  for (const auto& item : result.items()) {
    EXPECT_TRUE(found.emplace(item.member, item.score).second) << "twice: " << item.member;
  }
  return found;
}

std::vector<Scores> contents_of(const std::vector<std::vector<std::uint8_t>>& drawn) {
  std::vector<Scores> contents;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    Scores scores;
    for (const std::uint8_t n : drawn[i]) {
      const std::string member = n % 3 == 0 ? std::to_string(n % 20) : "m" + std::to_string(n % 20);
      scores[member] = i % 2 == 1 ? 1 : n % 7;  // members of sets have the score 1
    }
    contents.push_back(std::move(scores));
  }
  return contents;
}

RC_GTEST_PROP(SortedSetAlgebra, FollowsTheModel, (std::vector<std::vector<std::uint8_t>> drawn)) {
  if (drawn.empty()) drawn.emplace_back();
  const std::vector<Scores> contents = contents_of(drawn);
  Operands operands(contents);

  Scores sums;
  Scores lowest;
  std::map<std::string, std::size_t> seen_in;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    for (const auto& [member, score] : contents[i]) {
      const double value = score * static_cast<double>(i + 1);
      sums[member] += value;
      lowest[member] = lowest.contains(member) ? std::min(lowest[member], value) : value;
      ++seen_in[member];
    }
  }
  RC_ASSERT(as_map(unite(operands.sources, Aggregate::sum, {7})) == sums);
  RC_ASSERT(as_map(unite(operands.sources, Aggregate::min, {7})) == lowest);
  Scores common = sums;
  std::erase_if(common, [&](const auto& item) { return seen_in[item.first] < contents.size(); });
  RC_ASSERT(as_map(intersect(operands.sources, Aggregate::sum)) == common);
  RC_ASSERT(count_common(operands.sources, 0) == common.size());
  RC_ASSERT(count_common(operands.sources, 2) == std::min<std::size_t>(common.size(), 2));
  Scores rest = contents[0];
  std::erase_if(rest, [&](const auto& item) { return seen_in[item.first] > 1; });
  RC_ASSERT(as_map(subtract(operands.sources)) == rest);
}

TEST(SortedSetAlgebra, NothingComesOfInfinitiesThatMeet) {
  Operands operands({{{"a", INFINITY}, {"b", INFINITY}}, {}, {{"a", -INFINITY}}});
  operands.sources[2].weight = 1;
  EXPECT_EQ(as_map(unite(operands.sources, Aggregate::sum, {7})),
            (Scores{{"a", 0}, {"b", INFINITY}}));
  operands.sources[0].weight = 0;
  EXPECT_EQ(as_map(unite(operands.sources, Aggregate::max, {7})), (Scores{{"a", 0}, {"b", 0}}));
}

TEST(SortedSetAlgebra, AStoredResultIsTheSortedSet) {
  for (const int count : {0, 5, 500}) {
    ScoredResult result;
    Settings settings;
    OwnCell cell;
    SortedSet expected(cell, settings);
    for (int i = 0; i < count; ++i) {
      const std::int64_t member = i * 7919 % 1000;
      result.add(i % 10, Element::of(member));
      expected.add(i % 10, std::to_string(member));
    }
    result.sort();
    OwnCell stored;
    result.store(stored, settings);
    EXPECT_EQ(stored.is_tree(), count > 128);
    std::vector<std::string> a;
    std::vector<std::string> b;
    SortedSetView(stored.view()).walk([&](const Scored& e) { a.push_back(e.member.copy()); });
    expected.view().walk([&](const Scored& e) { b.push_back(e.member.copy()); });
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace slotcar::types
