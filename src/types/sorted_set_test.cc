// Sorted sets against a plain model, packed and as trees, with pins taken on the way.
#include "types/sorted_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace slotcar::types {
namespace {

using Elements = std::vector<std::pair<double, std::string>>;

struct Model {
  std::map<std::string, double> scores;
  std::set<std::pair<double, std::string>> order;

  void set(const std::string& member, double score) {
    erase(member);
    scores[member] = score;
    order.insert({score, member});
  }
  bool erase(const std::string& member) {
    const auto found = scores.find(member);
    if (found == scores.end()) return false;
    order.erase({found->second, member});
    scores.erase(found);
    return true;
  }
  Elements elements() const { return {order.begin(), order.end()}; }
};

Elements read(const SortedSetView& view, std::size_t from, std::size_t count, bool backwards) {
  Elements found;
  view.walk(from, count, backwards, [&](const Scored& element) {
    found.emplace_back(element.score, element.member.copy());
  });
  return found;
}
Elements read(const SortedSetView& view) {
  return read(view, 0, view.size(), false);
}

// Few scores and members, so that ties, re-additions and long common prefixes are frequent.
std::string member_of(std::mt19937_64& random, int members) {
  const auto n = static_cast<int>(random() % static_cast<std::uint64_t>(members));
  const auto size = static_cast<std::size_t>(n);
  switch (n % 6) {
    case 0:
      return std::to_string(n);
    case 1:
      return "a common beginning " + std::to_string(n);
    case 2:
      return std::string(size % 11, 'x') + std::string(1, '\0') + std::to_string(n);
    case 3:
      return std::string(100 + size % 60, 'y') + std::to_string(n);
    case 4:
      return n % 30 == 4 ? std::string(1020 + size % 9, 'z') + std::to_string(n)
                         : "m" + std::to_string(n);
    default:
      return std::string(size % 9, '\xff') + std::to_string(n);
  }
}
double score_of(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
      return INFINITY;
    case 1:
      return -INFINITY;
    case 2:
      return static_cast<double>(random() % 1000) / 7;
    case 3:
      return random() % 2 == 0 ? 0.0 : -0.0;
    default:
      return static_cast<double>(static_cast<std::int64_t>(random() % 20) - 10);
  }
}

void check_looks(const SortedSetView& view, const Model& model, std::mt19937_64& random,
                 int members) {
  ASSERT_EQ(view.size(), model.order.size());
  const std::string member = member_of(random, members);
  const auto known = model.scores.find(member);
  double score = 0;
  const auto rank = view.rank_of(member, score);
  ASSERT_EQ(rank.has_value(), known != model.scores.end());
  if (rank) {
    ASSERT_EQ(score, known->second);
    const auto place = model.order.find({known->second, member});
    ASSERT_EQ(*rank, static_cast<std::size_t>(std::distance(model.order.begin(), place)));
  }
  const ScoreCut cut{score_of(random), random() % 2 == 0};
  std::size_t before = 0;
  for (const auto& [other, name] : model.order) before += cut.lies_behind(other) ? 1 : 0;
  ASSERT_EQ(view.rank_of(cut), before);
  if (view.size() == 0) return;
  const std::size_t from = random() % view.size();
  const std::size_t count = random() % (view.size() - from) + 1;
  const Elements all = model.elements();
  const auto at = all.begin() + static_cast<std::ptrdiff_t>(from);
  ASSERT_EQ(read(view, from, count, false), Elements(at, at + static_cast<std::ptrdiff_t>(count)));
  const std::size_t back = random() % (from + 1) + 1;
  Elements backwards(at + 1 - static_cast<std::ptrdiff_t>(back), at + 1);
  std::reverse(backwards.begin(), backwards.end());
  ASSERT_EQ(read(view, from, back, true), backwards);
}

void change(SortedSet& set, Model& model, std::mt19937_64& random, int members, bool shrink) {
  const std::string member = member_of(random, members);
  const std::uint64_t dice = random() % 100;
  if (dice < (shrink ? 20 : 70)) {
    double score = score_of(random);
    const bool was_there = model.scores.contains(member);
    const double old = was_there ? model.scores[member] : 0;
    const AddOutcome outcome = set.add(score, member, AddRules{});
    ASSERT_EQ(outcome, !was_there     ? AddOutcome::added
                       : old == score ? AddOutcome::unchanged
                                      : AddOutcome::updated);
    if (outcome != AddOutcome::unchanged) model.set(member, score);
  } else if (dice < 97) {
    ASSERT_EQ(set.erase(member), model.erase(member));
  } else if (!model.order.empty()) {
    const std::size_t from = random() % model.order.size();
    const std::size_t count =
        random() % std::min<std::size_t>(model.order.size() - from, shrink ? 300 : 12) + 1;
    const Elements all = model.elements();
    for (std::size_t i = from; i < from + count; ++i) model.erase(all[i].second);
    set.erase_ranks(from, count);
  }
}

// What a pin saw must not change, whatever happens to the original.
struct Pin {
  OwnCell cell;
  Elements elements;
};

void run_against_model(std::uint64_t seed, std::int64_t entries_max, int members, int steps) {
  std::mt19937_64 random(seed);
  Settings settings;
  settings.zset_max_listpack_entries = entries_max;
  settings.zset_max_listpack_value = 2000;
  settings.hash_seed = {random()};
  OwnCell cell;
  SortedSet set(cell, settings);
  Model model;
  std::vector<Pin> pins;
  for (int i = 0; i < steps; ++i) {
    change(set, model, random, members, i % 2000 > 1500);
    check_looks(set.view(), model, random, members);
    if (testing::Test::HasFatalFailure()) return;
    if (random() % 200 == 0 && !cell.is_empty()) {
      pins.push_back({OwnCell::pin(cell.view()), model.elements()});
    }
    if (pins.size() > 5) {
      const std::size_t which = random() % pins.size();
      ASSERT_EQ(read(SortedSetView(pins[which].cell.view())), pins[which].elements);
      pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  ASSERT_EQ(read(set.view()), model.elements());
  for (const Pin& pin : pins) ASSERT_EQ(read(SortedSetView(pin.cell.view())), pin.elements);
}

RC_GTEST_PROP(SortedSet, PackedFollowsTheModel, (std::uint64_t seed)) {
  run_against_model(seed, 1000, 150, 200);
}

RC_GTEST_PROP(SortedSet, TreesFollowTheModel, (std::uint64_t seed)) {
  run_against_model(seed, 0, 400, 300);
}

TEST(SortedSet, BigTreesFollowTheModel) {
  for (std::uint64_t seed = 1; seed < 3; ++seed) run_against_model(seed, 64, 6000, 5000);
}

TEST(SortedSet, BecomesATreeAtTheThresholds) {
  Settings settings;
  OwnCell cell;
  SortedSet set(cell, settings);
  for (int i = 0; i < 128; ++i) set.add(i, std::to_string(i));
  EXPECT_FALSE(cell.is_tree());
  set.add(5, "7");  // no new one
  EXPECT_FALSE(cell.is_tree());
  set.add(1, "one more");
  EXPECT_TRUE(cell.is_tree());

  OwnCell other;
  SortedSet(other, settings).add(1, std::string(64, 'x'));
  EXPECT_FALSE(other.is_tree());
  SortedSet(other, settings).add(1, std::string(65, 'x'));
  EXPECT_TRUE(other.is_tree());
  EXPECT_EQ(SortedSet(other, settings).size(), 2u);

  OwnCell expecting;
  SortedSet(expecting, settings).expect(128);
  EXPECT_FALSE(expecting.is_tree());
  SortedSet(expecting, settings).expect(129);
  EXPECT_TRUE(expecting.is_tree());
}

TEST(SortedSet, RulesDecideWhetherAScoreIsSet) {
  for (const std::int64_t entries_max : {0, 128}) {
    Settings settings;
    settings.zset_max_listpack_entries = entries_max;
    OwnCell cell;
    SortedSet set(cell, settings);
    const auto add = [&](double score, AddRules rules) { return set.add(score, "m", rules); };
    EXPECT_EQ(add(5, {.only_present = true}), AddOutcome::refused);
    EXPECT_EQ(add(5, {.only_new = true}), AddOutcome::added);
    EXPECT_EQ(add(6, {.only_new = true}), AddOutcome::refused);
    EXPECT_EQ(add(5, {.only_greater = true}), AddOutcome::refused);
    EXPECT_EQ(add(4, {.only_greater = true}), AddOutcome::refused);
    EXPECT_EQ(add(6, {.only_greater = true}), AddOutcome::updated);
    EXPECT_EQ(add(7, {.only_less = true}), AddOutcome::refused);
    EXPECT_EQ(add(5, {.only_less = true}), AddOutcome::updated);
    EXPECT_EQ(add(5, {}), AddOutcome::unchanged);
    double score = 2;
    EXPECT_EQ(set.add(score, "m", {.increment = true}), AddOutcome::updated);
    EXPECT_EQ(score, 7);
    EXPECT_EQ(add(INFINITY, {}), AddOutcome::updated);
    EXPECT_EQ(add(-INFINITY, {.increment = true}), AddOutcome::not_a_number);
    double kept = 0;
    EXPECT_TRUE(set.view().find("m", kept));
    EXPECT_EQ(kept, INFINITY);
  }
}

TEST(SortedSet, CutsByMemberCountWhatLiesBefore) {
  for (const std::int64_t entries_max : {0, 1000}) {
    Settings settings;
    settings.zset_max_listpack_entries = entries_max;
    OwnCell cell;
    SortedSet set(cell, settings);
    for (int i = 0; i < 900; ++i) set.add(0, "prefix:" + std::to_string(1000 + i));
    ASSERT_EQ(cell.is_tree(), entries_max == 0);
    using Kind = MemberCut::Kind;
    EXPECT_EQ(set.view().rank_of(MemberCut{Kind::lowest, "", false}), 0u);
    EXPECT_EQ(set.view().rank_of(MemberCut{Kind::highest, "", false}), 900u);
    for (std::size_t i = 0; i < 900; ++i) {
      const std::string member = "prefix:" + std::to_string(1000 + i);
      EXPECT_EQ(set.view().rank_of(MemberCut{Kind::at, member, false}), i);
      EXPECT_EQ(set.view().rank_of(MemberCut{Kind::at, member, true}), i + 1);
    }
  }
}

// Every element that exists throughout is in some page, whatever changes between the pages.
TEST(SortedSet, PagesShowEveryElementThatStays) {
  for (const int scores : {1, 3, 100000}) {
    Settings settings;
    settings.zset_max_listpack_entries = 0;
    OwnCell cell;
    SortedSet set(cell, settings);
    for (int i = 0; i < 5000; ++i) set.add(i % scores, "stays" + std::to_string(i));
    std::set<std::string> seen;
    std::uint64_t from = 0;
    std::size_t looks = 0;
    int round = 0;
    do {
      const auto& tree = static_cast<const SortedSetTree&>(*cell.tree());
      const SortedSetTree::Page page = tree.page(from, 10);
      looks += page.work;
      tree.visit(page, [&](const Scored& element) { seen.insert(element.member.copy()); });
      from = page.next;
      // They change their scores all the time, and others come and go.
      for (int i = 0; i < 50; ++i) {
        const int n = (round * 31 + i * 97) % 5000;
        set.add((n + round) % scores, "stays" + std::to_string(n));
        set.add(i % scores, "goes" + std::to_string(round));
        set.erase("goes" + std::to_string(round - 1));
      }
      ++round;
    } while (from != 0);
    std::size_t stayed = 0;
    for (const std::string& member : seen) stayed += member.starts_with("stays") ? 1 : 0;
    EXPECT_EQ(stayed, 5000u) << scores;
    EXPECT_LT(looks, 200u * 5000) << scores;
  }
}

// Memory of removed elements and of dropped pins is freed.
TEST(SortedSet, AnEmptiedTreeKeepsNothing) {
  Settings settings;
  settings.zset_max_listpack_entries = 0;
  OwnCell cell;
  SortedSet set(cell, settings);
  for (int i = 0; i < 3000; ++i) set.add(i % 17, std::string(30, 'm') + std::to_string(i));
  const std::size_t full = cell.tree()->footprint();
  EXPECT_GT(full, 3000u * 40);
  OwnCell pin = OwnCell::pin(cell.view());
  EXPECT_TRUE(cell.tree()->same_version(*pin.tree()));
  set.erase_ranks(100, 2900);
  EXPECT_FALSE(cell.tree()->same_version(*pin.tree()));
  EXPECT_EQ(pin.tree()->footprint(), full);
  EXPECT_LT(cell.tree()->footprint(), full / 10);
  set.erase_ranks(0, 100);
  EXPECT_EQ(cell.tree()->footprint(), sizeof(SortedSetTree));
}

TEST(PackedScores, OnlyOrderedPairsOfDifferentMembersAreValid) {
  const auto valid = [](std::initializer_list<std::string_view> elements) {
    OwnCell cell;
    Frontpack pack(cell);
    for (const std::string_view element : elements) pack.append(Element::of(element));
    return PackedScoresView::is_valid(cell.packed());
  };
  EXPECT_TRUE(valid({"a", "1", "b", "1", "c", "2.5"}));
  EXPECT_TRUE(valid({"a", "-inf", "b", "0", "c", "inf"}));
  EXPECT_FALSE(valid({}));
  EXPECT_FALSE(valid({"a"}));
  EXPECT_FALSE(valid({"a", "1", "b"}));
  EXPECT_FALSE(valid({"a", "x"}));
  EXPECT_FALSE(valid({"a", "nan"}));
  EXPECT_FALSE(valid({"a", "2", "b", "1"}));
  EXPECT_FALSE(valid({"b", "1", "a", "1"}));
  EXPECT_FALSE(valid({"a", "1", "a", "2"}));
}

}  // namespace
}  // namespace slotcar::types
