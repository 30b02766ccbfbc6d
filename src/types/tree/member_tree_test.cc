#include "types/tree/member_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace slotcar::types {
namespace {

constexpr base::HashSeed kSeed{7};

// Names whose hashes are all the same, as an attacker who knows the seed can make them: of each 16
// bytes XXH3 multiplies both halves, each mixed with a constant and the seed; where one is zero the
// other does not matter. The constant is the beginning of XXH3's secret.
std::string colliding_name(std::uint64_t n) {
  const std::uint64_t zero = 0xbe4ba423396cfeb8u + kSeed.value;
  std::string name(32, 'x');  // of two times 16 bytes
  std::memcpy(name.data(), &zero, sizeof zero);
  std::memcpy(name.data() + 8, &n, sizeof n);
  return name;
}

struct Kept {
  std::string value;
  UnixMs due = kNever;
  bool operator==(const Kept&) const = default;
};
using Model = std::map<std::string, Kept>;

Model read(const MemberTree& tree) {
  Model model;
  tree.for_each([&](const Member& member) {
    const Kept kept{member.value.copy(), member.due};
    EXPECT_TRUE(model.emplace(member.name.copy(), kept).second) << member.name.copy();
    return true;
  });
  return model;
}

// A tree and its model, changed together at random.
class Twin {
 public:
  Twin(std::uint32_t seed, std::size_t names, bool with_values)
      : random_(seed), names_(names), with_values_(with_values), tree_(with_values, kSeed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  // Numbers, short names, and some that are too long for a leaf.
  std::string some_name() {
    const std::size_t n = below(names_);
    if (n % 3 == 0) return std::to_string(n * 1001);
    if (n % 97 == 1) return std::string(1500, 'n') + std::to_string(n);
    return "name:" + std::to_string(n);
  }
  std::string some_value() {
    switch (below(16)) {
      case 0:
        return std::string(below(3000), 'v');
      case 1:
        return "";
      case 2:
      case 3:
        return std::to_string(static_cast<std::int64_t>(random_()) << below(30));
      default:
        return std::string(below(60), static_cast<char>('a' + below(26)));
    }
  }

  void put() {
    const std::string name = some_name();
    Kept kept;
    if (with_values_) {
      kept.value = some_value();
      if (below(4) == 0) kept.due = static_cast<UnixMs>(below(1000));
    }
    const Element value = with_values_ ? Element::of(kept.value) : Element{};
    ASSERT_EQ(tree_.put({Element::of(name), value, kept.due}), !model_.contains(name));
    model_[name] = kept;
  }
  void erase() {
    const std::string name = some_name();
    ASSERT_EQ(tree_.erase(Element::of(name)), model_.erase(name) == 1);
  }
  void look() {
    const std::string name = some_name();
    const auto found = tree_.find(Element::of(name));
    const auto expected = model_.find(name);
    ASSERT_EQ(found.has_value(), expected != model_.end());
    if (!found) return;
    EXPECT_EQ(found->name.copy(), name);
    EXPECT_EQ(found->due, expected->second.due);
    EXPECT_EQ(found->value.copy(), expected->second.value);
    const std::uint64_t hash = tree_.hash(Element::of(name));
    const auto by_hash = tree_.find_by_hash(hash, [](const Member&) { return true; });
    ASSERT_TRUE(by_hash);
    EXPECT_EQ(by_hash->name.copy(), name);
  }
  void compare() const {
    ASSERT_EQ(tree_.size(), model_.size());
    ASSERT_EQ(read(tree_), model_);
  }
  void drain() {
    std::vector<std::string> left;
    for (const auto& [name, kept] : model_) left.push_back(name);
    std::shuffle(left.begin(), left.end(), random_);
    for (const std::string& name : left) ASSERT_TRUE(tree_.erase(Element::of(name)));
    EXPECT_EQ(tree_.size(), 0u);
    EXPECT_EQ(tree_.bytes(), 0u);
  }

  const MemberTree& tree() const { return tree_; }
  const Model& model() const { return model_; }

 private:
  std::mt19937 random_;
  std::size_t names_;
  bool with_values_;
  MemberTree tree_;
  Model model_;
};

struct Pin {
  MemberTree tree;
  Model model;
};

void compare_pins(const std::vector<Pin>& pins) {
  for (const Pin& pin : pins) {
    ASSERT_EQ(pin.tree.size(), pin.model.size());
    ASSERT_EQ(read(pin.tree), pin.model);
  }
}

void live_through(std::uint32_t seed, std::size_t steps, std::size_t names, bool with_values) {
  Twin twin(seed, names, with_values);
  std::vector<Pin> pins;
  std::size_t puts_of_ten = 8;
  for (std::size_t i = 0; i < steps; ++i) {
    // Phases of growth and of decline, so that leaves split and join.
    if (i % (names + 1) == names) puts_of_ten = twin.below(10);
    twin.below(10) < puts_of_ten ? twin.put() : twin.erase();
    if (twin.below(8) == 0) twin.look();
    if (twin.below(steps / 8 + 1) == 0) {
      pins.push_back({twin.tree(), twin.model()});
      EXPECT_TRUE(pins.back().tree.same_version(twin.tree()));
    }
    if (!pins.empty() && twin.below(steps / 4 + 1) == 0) {
      std::swap(pins[twin.below(pins.size())], pins.back());
      ASSERT_EQ(read(pins.back().tree), pins.back().model);
      pins.pop_back();
    }
  }
  twin.compare();
  compare_pins(pins);
  twin.drain();
  compare_pins(pins);
}

bool failed() {
  return testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure();
}

RC_GTEST_PROP(MemberTree, HoldsWhatAMapHolds, (std::uint32_t seed)) {
  const auto steps = *rc::gen::inRange<std::size_t>(1, 4000);
  const auto names = *rc::gen::inRange<std::size_t>(1, 2000);
  live_through(seed, steps, names, true);
  RC_ASSERT(!failed());
}

// Big enough for three levels.
TEST(MemberTree, HoldsManyMembers) {
  live_through(1, 150'000, 40'000, true);
}

TEST(MemberTree, MembersWithoutValues) {
  std::set<std::string> model;
  MemberTree tree(false, kSeed);
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = std::to_string(random() % 5000) + (random() % 2 ? "x" : "");
    if (random() % 3 == 0) {
      ASSERT_EQ(tree.erase(Element::of(name)), model.erase(name) == 1);
    } else {
      const std::uint64_t hash = tree.hash(Element::of(name));
      ASSERT_EQ(tree.contains(Element::of(name), hash), model.contains(name));
      const MemberTree before = tree;
      const bool fresh = model.insert(name).second;
      ASSERT_EQ(tree.add({Element::of(name), {}, kNever}, hash), fresh);
      ASSERT_EQ(tree.same_version(before), !fresh);
    }
  }
  std::set<std::string> seen;
  tree.for_each([&](const Member& member) { return seen.insert(member.name.copy()).second; });
  EXPECT_EQ(seen, model);
}

TEST(MemberTree, PinsShareWhatDidNotChange) {
  MemberTree tree(true, kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "field:" + std::to_string(i);
    tree.put({Element::of(name), Element::of("value"), kNever});
  }
  const std::size_t bytes = tree.bytes();
  const MemberTree pin = tree;
  EXPECT_TRUE(pin.same_version(tree));
  tree.put({Element::of("field:7"), Element::of("VALUE"), kNever});
  EXPECT_FALSE(pin.same_version(tree));
  EXPECT_EQ(pin.find(Element::of("field:7"))->value.copy(), "value");
  EXPECT_EQ(tree.find(Element::of("field:7"))->value.copy(), "VALUE");
  EXPECT_EQ(pin.bytes(), bytes);
}

TEST(MemberTree, RanksReachEveryMemberOnce) {
  Twin twin(3, 3000, true);
  for (int i = 0; i < 5000; ++i) twin.put();
  std::set<std::string> seen;
  for (std::size_t rank = 0; rank < twin.tree().size(); ++rank) {
    seen.insert(twin.tree().at_rank(rank).name.copy());
  }
  EXPECT_EQ(seen.size(), twin.model().size());
}

// A member that exists during a whole walk is visited, whatever changes between the steps.
RC_GTEST_PROP(MemberTree, ScanMissesNothingThatStays, (std::uint32_t seed)) {
  Twin twin(seed, *rc::gen::inRange<std::size_t>(1, 3000), true);
  const auto filled = *rc::gen::inRange<std::size_t>(0, 4000);
  for (std::size_t i = 0; i < filled; ++i) twin.put();
  std::set<std::string> staying;
  for (const auto& [name, kept] : twin.model()) staying.insert(name);
  std::set<std::string> visited;
  const std::size_t puts_of_ten = twin.below(11);
  std::uint64_t cursor = 0;
  std::size_t steps = 0;
  do {
    const auto visit = [&](const Member& member) { visited.insert(member.name.copy()); };
    cursor = twin.tree().scan(cursor, visit);
    for (std::size_t i = twin.below(60); i > 0; --i) {
      twin.below(10) < puts_of_ten ? twin.put() : twin.erase();
    }
    std::erase_if(staying, [&](const std::string& name) { return !twin.model().contains(name); });
    RC_ASSERT(++steps < 10'000u);
  } while (cursor != 0);
  for (const std::string& name : staying) RC_ASSERT(visited.contains(name));
}

TEST(MemberTree, WalkStopsWhenToldTo) {
  Twin twin(5, 1000, true);
  for (int i = 0; i < 2000; ++i) twin.put();
  int visits = 0;
  twin.tree().for_each([&](const Member&) { return ++visits < 10; });
  EXPECT_EQ(visits, 10);
}

// Long members are outside and counted.
TEST(MemberTree, MemoryOfLongValuesIsCounted) {
  MemberTree tree(true, kSeed);
  const std::string value(100'000, 'x');
  tree.put({Element::of("a"), Element::of(value), kNever});
  EXPECT_GE(tree.bytes(), value.size());
  tree.put({Element::of("a"), Element::of("short"), kNever});
  EXPECT_LT(tree.bytes(), 10'000u);
  tree.put({Element::of("a"), Element::of(value), 55});
  EXPECT_EQ(tree.find(Element::of("a"))->due, 55);
  EXPECT_EQ(tree.remove(Element::of("a"), tree.hash(Element::of("a"))), 55);
  EXPECT_EQ(tree.bytes(), 0u);
}

// Far more than a leaf can contain, among others.
TEST(MemberTree, members_of_one_hash) {
  MemberTree tree(/*with_values=*/true, kSeed);
  Model model;
  constexpr std::uint64_t kCount = 1000;
  const std::uint64_t same = tree.hash(Element::of(colliding_name(0)));
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::string name = colliding_name(i);
    const std::string other = "name:" + std::to_string(i);
    ASSERT_EQ(tree.hash(Element::of(name)), same);
    // Long enough that a leaf is full by bytes, not only by number.
    const std::string value(i % 7 * 100, 'v');
    EXPECT_TRUE(tree.put({Element::of(name), Element::of(value)}));
    EXPECT_FALSE(tree.put({Element::of(name), Element::of(value)}));
    EXPECT_TRUE(tree.put({Element::of(other), Element::of(value)}));
    model[name] = model[other] = {value, kNever};
  }
  EXPECT_EQ(read(tree), model);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::string name = colliding_name(i);
    EXPECT_TRUE(tree.contains(Element::of(name), same));
    const auto found =
        tree.find_by_hash(same, [&](const Member& member) { return member.name.copy() == name; });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value.copy(), model[name].value);
  }
  Model scanned;
  std::uint64_t cursor = 0;
  do {
    cursor = tree.scan(cursor, [&](const Member& member) {
      scanned[member.name.copy()] = {member.value.copy(), member.due};
    });
  } while (cursor != 0);
  EXPECT_EQ(scanned, model);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    EXPECT_TRUE(tree.erase(Element::of(colliding_name(i))));
    EXPECT_FALSE(tree.erase(Element::of(colliding_name(i))));
  }
  EXPECT_EQ(tree.size(), kCount);
}

}  // namespace
}  // namespace slotcar::types
