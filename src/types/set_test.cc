#include "types/set.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "types/set_algebra.h"

namespace slotcar::types {
namespace {

using Model = std::set<std::string>;

Model members_of(const CellView& seen) {
  Model found;
  SetView(seen).for_each([&](const Element& member) {
    EXPECT_TRUE(found.insert(member.copy()).second) << member.copy() << " came twice";
    return true;
  });
  EXPECT_EQ(found.size(), SetView(seen).size());
  return found;
}

SetForm form_of(const OwnCell& cell) {
  return SetView(cell.view()).form();
}

void add_numbers(Set set, int from, int to) {
  for (int i = from; i < to; ++i) set.add(Element::of(std::int64_t{i}));
}

TEST(Set, NumbersAreAnIntsetUpToItsLimit) {
  Settings settings;
  OwnCell cell;
  Set set(cell, settings);
  add_numbers(set, 0, 512);
  EXPECT_EQ(form_of(cell), SetForm::intset);
  EXPECT_FALSE(set.add(Element::of("511")));
  EXPECT_EQ(form_of(cell), SetForm::intset);
  EXPECT_TRUE(set.add(Element::of("512")));
  EXPECT_EQ(form_of(cell), SetForm::tree);
  EXPECT_EQ(set.size(), 513u);
}

TEST(Set, AnIntsetThatGetsAWordBecomesAListpackIfItIsSmall) {
  Settings settings;
  OwnCell small;
  add_numbers({small, settings}, 0, 127);
  EXPECT_TRUE(Set(small, settings).add(Element::of("word")));
  EXPECT_EQ(form_of(small), SetForm::listpack);
  EXPECT_EQ(SetView(small.view()).size(), 128u);
  EXPECT_TRUE(Set(small, settings).add(Element::of("one more")));
  EXPECT_EQ(form_of(small), SetForm::tree);
  EXPECT_EQ(SetView(small.view()).size(), 129u);

  OwnCell bigger;
  add_numbers({bigger, settings}, 0, 128);
  EXPECT_TRUE(Set(bigger, settings).add(Element::of("word")));
  EXPECT_EQ(form_of(bigger), SetForm::tree);

  OwnCell with_long_word;
  add_numbers({with_long_word, settings}, 0, 2);
  EXPECT_TRUE(Set(with_long_word, settings).add(Element::of(std::string(65, 'x'))));
  EXPECT_EQ(form_of(with_long_word), SetForm::tree);
  EXPECT_EQ(members_of(with_long_word.view()), (Model{"0", "1", std::string(65, 'x')}));
}

// The shortest possible elements: encodings are distinguished by first bytes, not by sizes.
TEST(Set, OneElementOfOneByteKeepsItsForm) {
  Settings settings;
  OwnCell cell;
  Set set(cell, settings);
  set.add(Element::of(""));
  EXPECT_EQ(form_of(cell), SetForm::listpack);
  set.add(Element::of("7"));
  set.remove(Element::of(""));
  EXPECT_EQ(form_of(cell), SetForm::listpack);
  EXPECT_TRUE(set.view().contains(Element::of("7")));
  EXPECT_EQ(set.size(), 1u);
}

TEST(Set, ALongWordEndsAListpack) {
  Settings settings;
  OwnCell cell;
  Set set(cell, settings);
  EXPECT_TRUE(set.add(Element::of(std::string(64, 'x'))));
  EXPECT_EQ(form_of(cell), SetForm::listpack);
  EXPECT_TRUE(set.add(Element::of(std::string(65, 'x'))));
  EXPECT_EQ(form_of(cell), SetForm::tree);
}

TEST(Set, ManyAnnouncedMembersChooseTheFormAtOnce) {
  Settings settings;
  OwnCell words;
  Set(words, settings).expect(Element::of("a"), 129);
  EXPECT_EQ(form_of(words), SetForm::tree);
  OwnCell numbers;
  Set(numbers, settings).expect(Element::of("1"), 513);
  EXPECT_EQ(form_of(numbers), SetForm::tree);
  OwnCell fewer;
  Set(fewer, settings).expect(Element::of("1"), 512);
  EXPECT_EQ(form_of(fewer), SetForm::intset);
  OwnCell grown;
  Set(grown, settings).add(Element::of("a"));
  Set(grown, settings).expect(Element::of("b"), 129);
  EXPECT_EQ(form_of(grown), SetForm::tree);
  EXPECT_EQ(members_of(grown.view()), Model{"a"});
}

TEST(Set, PackedBytesHaveABoundWhateverTheSettingsSay) {
  Settings settings;
  settings.set_max_intset_entries = 1 << 20;
  settings.set_max_listpack_entries = 1 << 20;
  settings.set_max_listpack_value = 1 << 20;
  OwnCell numbers;
  add_numbers({numbers, settings}, 0, 40000);
  EXPECT_EQ(form_of(numbers), SetForm::tree);
  EXPECT_EQ(SetView(numbers.view()).size(), 40000u);
  OwnCell words;
  Set set(words, settings);
  for (int i = 0; i < 100; ++i) {
    set.add(Element::of(fmt::format("{:01000}x", i)));
    EXPECT_TRUE(words.is_tree() || words.size() <= limits::kPackedBytesMax);
  }
  EXPECT_EQ(form_of(words), SetForm::tree);
  EXPECT_EQ(set.size(), 100u);
}

TEST(Set, WhatIsThereAlreadyLeavesTheVersionAsItIs) {
  Settings settings;
  OwnCell cell;
  Set set(cell, settings);
  for (int i = 0; i < 1000; ++i) set.add(Element::of(fmt::format("m{}", i)));
  const OwnCell pin = OwnCell::pin(cell.view());
  EXPECT_FALSE(set.add(Element::of("m500")));
  EXPECT_FALSE(set.remove(Element::of("nobody")));
  EXPECT_TRUE(cell.tree()->same_version(*pin.view().tree));
  EXPECT_TRUE(set.remove(Element::of("m500")));
  EXPECT_FALSE(cell.tree()->same_version(*pin.view().tree));
}

// --- against a model ---------------------------------------------------------------------------

struct Limits {
  int intset;
  int listpack;
  int value;
};

void apply(Settings& settings, const Limits& limits) {
  settings.set_max_intset_entries = limits.intset;
  settings.set_max_listpack_entries = limits.listpack;
  settings.set_max_listpack_value = limits.value;
  settings.hash_seed = {7};
}

std::string text(int number) {
  switch (number % 4) {
    case 0:
      return std::to_string(number * 1237);
    case 1:
      return std::to_string(-number);
    case 2:
      return "w" + std::to_string(number);
    default:
      return std::string(static_cast<std::size_t>(number % 90), 'x') + std::to_string(number) + "y";
  }
}

class SetModel : public testing::TestWithParam<Limits> {};

// Long random sequences with pins that are compared later. (Seeded, so it is repeatable.)
TEST_P(SetModel, DoesWhatASetDoesAndPinsDoNotChange) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    Settings settings;
    apply(settings, GetParam());
    OwnCell cell;
    Set set(cell, settings);
    Model model;
    std::vector<std::pair<OwnCell, Model>> pins;
    const int range = seed % 3 == 0 ? 3000 : 40;
    // Words come late in some of them, so that intsets live for a while.
    const bool numbers_first = seed % 2 == 0;
    for (int step = 0; step < 4000; ++step) {
      int number = static_cast<int>(random() % static_cast<unsigned>(range));
      if (numbers_first && step < 2000) number = number / 4 * 4;
      const std::string word = text(number);
      const bool growing = step / 1000 % 2 == 0;
      const auto chance = random() % 8;
      if (chance == 0) {
        ASSERT_EQ(set.view().contains(Element::of(word)), model.contains(word));
      } else if (chance == 1 && !model.empty()) {
        const std::size_t rank = random() % model.size();
        const std::string gone = set.view().at_rank(rank).copy();
        ASSERT_EQ(model.erase(gone), 1u);
        set.remove_at(rank);
        ASSERT_FALSE(set.view().contains(Element::of(gone)));
      } else if (chance == 2) {
        if (random() % 20 == 0) pins.emplace_back(OwnCell::pin(cell.view()), model);
        if (random() % 20 == 0 && !pins.empty()) pins.erase(pins.begin());
      } else if (growing || random() % 4 == 0) {
        ASSERT_EQ(set.add(Element::of(word)), model.insert(word).second);
      } else {
        ASSERT_EQ(set.remove(Element::of(word)), model.erase(word) == 1);
      }
      ASSERT_EQ(set.size(), model.size());
    }
    ASSERT_EQ(members_of(cell.view()), model);
    for (const auto& [pin, then] : pins) ASSERT_EQ(members_of(pin.view()), then);
  }
}

// Whatever is added and removed between the pages: a member that is always there is seen.
TEST_P(SetModel, AWalkSeesWhoStays) {
  std::mt19937 random(5);
  Settings settings;
  apply(settings, GetParam());
  OwnCell cell;
  Set set(cell, settings);
  for (int i = 0; i < 2000; i += 2) set.add(Element::of(text(i)));
  Model stays;
  for (int i = 0; i < 2000; i += 4) stays.insert(text(i));
  Model seen;
  std::uint64_t cursor = 0;
  do {
    cursor = set.view().scan(cursor, [&](const Element& member) { seen.insert(member.copy()); });
    for (int i = 0; i < 100; ++i) {
      const std::string word = text(static_cast<int>(random() % 2000));
      if (stays.contains(word)) continue;
      random() % 2 == 0 ? set.add(Element::of(word)) : set.remove(Element::of(word));
    }
  } while (cursor != 0);
  EXPECT_TRUE(std::includes(seen.begin(), seen.end(), stays.begin(), stays.end()));
}

struct Operands {
  std::vector<OwnCell> cells;
  std::vector<Model> models;
  std::vector<CellView> sets;
};

void make_operands(Operands& made, std::mt19937& random, const Settings& settings, bool numbers) {
  const std::size_t count = 1 + random() % 4;
  made.cells.resize(count);
  made.models.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned sizes[] = {0, 5, 60, 700};
    const unsigned size = sizes[random() % 4];
    Set set(made.cells[i], settings);
    for (unsigned n = 0; n < size; ++n) {
      const int number = static_cast<int>(random() % (size + size / 4));
      const std::string word = text(numbers ? 4 * number : number);
      set.add(Element::of(word));
      made.models[i].insert(word);
    }
  }
  for (const OwnCell& cell : made.cells) made.sets.push_back(cell.view());
}

TEST_P(SetModel, AlgebraDoesWhatItSays) {
  for (unsigned seed = 1; seed <= 25; ++seed) {
    std::mt19937 random(seed);
    Settings settings;
    apply(settings, GetParam());
    Operands operands;
    make_operands(operands, random, settings, seed % 3 == 0);
    const std::vector<Model>& models = operands.models;
    const std::vector<CellView>& sets = operands.sets;

    Model united;
    Model common;
    Model rest;
    for (const Model& model : models) united.insert(model.begin(), model.end());
    for (const std::string& word : united) {
      const auto has = [&](const Model& model) { return model.contains(word); };
      if (std::all_of(models.begin(), models.end(), has)) common.insert(word);
      if (has(models[0]) && std::none_of(models.begin() + 1, models.end(), has)) rest.insert(word);
    }
    OwnCell result[3];
    unite(sets, settings, result[0]);
    intersect(sets, settings, result[1]);
    subtract(sets, settings, result[2]);
    EXPECT_EQ(members_of(result[0].view()), united) << seed;
    EXPECT_EQ(members_of(result[1].view()), common) << seed;
    EXPECT_EQ(members_of(result[2].view()), rest) << seed;
    Model found;
    const auto note = [&](const Element& member) { return found.insert(member.copy()).second; };
    for_each_in_all(sets, note);
    EXPECT_EQ(found, common);
    found.clear();
    for_each_in_first_only(sets, settings, note);
    EXPECT_EQ(found, rest);
    // Nothing of that has changed the sets themselves.
    for (std::size_t i = 0; i < sets.size(); ++i) EXPECT_EQ(members_of(sets[i]), models[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, SetModel,
                         testing::Values(Limits{512, 128, 64}, Limits{8, 8, 8}, Limits{0, 0, 0},
                                         Limits{16, 64, 1000}, Limits{100000, 100000, 100000}));

// --- results -----------------------------------------------------------------------------------

TEST(SetAlgebra, ResultsHaveTheFormsOfRedis) {
  Settings settings;
  const auto made = [&](std::initializer_list<std::string> words, std::size_t announced = 1) {
    OwnCell cell;
    Set set(cell, settings);
    set.expect(Element::of(*words.begin()), announced);
    for (const std::string& word : words) set.add(Element::of(word));
    return cell;
  };
  const OwnCell numbers = made({"1", "2"});
  const OwnCell words = made({"1", "a"});
  const OwnCell tree = made({"1", "a", "b"}, 1000);
  const OwnCell number_tree = made({"1", "2"}, 1000);
  ASSERT_EQ(form_of(tree), SetForm::tree);
  ASSERT_EQ(form_of(number_tree), SetForm::tree);
  const auto form_after = [&](auto operation, std::vector<CellView> sets) {
    OwnCell result;
    operation(sets, settings, result);
    return form_of(result);
  };
  EXPECT_EQ(form_after(unite, {numbers.view(), number_tree.view()}), SetForm::intset);
  EXPECT_EQ(form_after(unite, {numbers.view(), tree.view()}), SetForm::listpack);
  EXPECT_EQ(form_after(intersect, {tree.view(), numbers.view()}), SetForm::intset);
  EXPECT_EQ(form_after(intersect, {tree.view(), words.view()}), SetForm::listpack);
  EXPECT_EQ(form_after(intersect, {tree.view()}), SetForm::tree);
  EXPECT_EQ(form_after(intersect, {number_tree.view(), tree.view()}), SetForm::intset);
  EXPECT_EQ(form_after(subtract, {tree.view(), numbers.view()}), SetForm::listpack);
  EXPECT_EQ(form_after(subtract, {tree.view(), tree.view()}), SetForm::empty);
}

}  // namespace
}  // namespace slotcar::types
