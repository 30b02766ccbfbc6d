#include "types/hash.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace slotcar::types {
namespace {

struct Kept {
  std::string value;
  UnixMs due = kNever;
  bool operator==(const Kept&) const = default;
};
using Model = std::map<std::string, Kept>;

Model alive(const Model& model, UnixMs now) {
  Model left = model;
  std::erase_if(left, [&](const auto& item) { return item.second.due <= now; });
  return left;
}

void keep(Model& model, const Field& field) {
  EXPECT_TRUE(model.emplace(field.name.copy(), Kept{field.value.copy(), field.due}).second);
}

// Every query of a view agrees with the model.
void compare(const CellView& seen, const Model& model, UnixMs now) {
  const Model expected = alive(model, now);
  const HashView hash(seen, now);
  Model walked;
  hash.for_each([&](const Field& field) { keep(walked, field); });
  ASSERT_EQ(walked, expected);
  ASSERT_EQ(hash.size(), expected.size());
  ASSERT_EQ(hash.count(), expected.size());
  ASSERT_EQ(hash.stored(), model.size());
  Model by_number;
  for (std::size_t i = 0; i < hash.stored(); ++i) {
    if (const auto field = hash.at(i)) keep(by_number, *field);
  }
  ASSERT_EQ(by_number, expected);
  Model scanned;
  std::uint64_t cursor = 0;
  do {
    cursor = hash.scan(cursor, [&](const Field& field) { keep(scanned, field); });
  } while (cursor != 0);
  ASSERT_EQ(scanned, expected);
  if (seen.tree == nullptr && !seen.packed.empty()) {
    ASSERT_TRUE(FrontpackView::is_valid(seen.packed));
  }
  UnixMs earliest = kNever;
  for (const auto& [name, kept] : model) earliest = std::min(earliest, kept.due);
  ASSERT_EQ(seen.tree != nullptr ? seen.tree->next_due() : kNever, earliest);
}

class Life {
 public:
  explicit Life(std::uint32_t seed) : random_(seed), hash_(cell_, settings_) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }
  Settings& settings() { return settings_; }
  OwnCell& cell() { return cell_; }
  const Model& model() const { return model_; }

  std::string some_name() {
    const std::size_t n = below(120);
    switch (n % 4) {
      case 0:
        return std::to_string(static_cast<std::int64_t>(n * n * n * n) - 5000);
      case 1:
        return std::string(n / 2, 'x') + static_cast<char>(n);
      default:
        return "field" + std::to_string(n);
    }
  }
  std::string some_value() {
    if (below(3) == 0) return std::to_string(static_cast<std::int64_t>(random_()) - 1'000'000);
    return std::string(below(below(40) == 0 ? 3000 : 30), 'v');
  }
  UnixMs some_due() { return static_cast<UnixMs>(below(1000)) - 100; }

  void put(bool with_due) {
    const std::string name = some_name();
    const Kept kept{some_value(), with_due ? some_due() : kNever};
    ASSERT_EQ(hash_.put(name, kept.value, kept.due), due_of(name));
    model_[name] = kept;
  }
  void set_due() {
    const std::string name = some_name();
    const UnixMs due = below(3) == 0 ? kNever : some_due();
    ASSERT_EQ(hash_.set_due(name, due), due_of(name));
    if (model_.contains(name)) model_[name].due = due;
  }
  void erase() {
    const std::string name = some_name();
    ASSERT_EQ(hash_.erase(name), due_of(name));
    model_.erase(name);
    ASSERT_EQ(hash_.is_empty(), model_.empty());
  }
  void look() {
    const std::string name = some_name();
    const UnixMs now = some_due();
    const HashView view(cell_.view(), now);
    const auto due = due_of(name);
    const bool there = due && *due > now;
    const auto field = view.find(name);
    Element value;
    ASSERT_EQ(field.has_value(), there);
    ASSERT_EQ(view.find_value(name, value), there);
    if (!there) return;
    ASSERT_EQ(field->value.copy(), model_[name].value);
    ASSERT_EQ(value.copy(), model_[name].value);
    ASSERT_EQ(field->due, *due);
    ASSERT_EQ(field->name.copy(), name);
  }
  void remove_over(UnixMs now) {
    if (!cell_.is_tree()) return;
    auto& tree = static_cast<HashTree&>(*cell_.tree());
    UnixMs before = INT64_MIN;
    while (const auto field = tree.first_over(now)) {
      ASSERT_GE(field->due, before);
      before = field->due;
      const std::string name = field->name.copy();
      ASSERT_EQ(tree.erase(Element::of(name)), due_of(name));
      model_.erase(name);
    }
    for (const auto& [name, kept] : model_) ASSERT_GT(kept.due, now);
  }
  void do_something(bool with_times) {
    const std::size_t what = below(8);
    if (what < 3) {
      put(with_times && below(4) == 0);
    } else if (what == 3) {
      if (with_times) set_due();
    } else if (what < 6) {
      erase();
    } else {
      look();
    }
    if (below(200) == 0) remove_over(some_due());
  }

 private:
  std::optional<UnixMs> due_of(const std::string& name) const {
    const auto found = model_.find(name);
    if (found == model_.end()) return std::nullopt;
    return found->second.due;
  }

  std::mt19937 random_;
  Settings settings_;
  OwnCell cell_;
  Hash hash_;
  Model model_;
};

RC_GTEST_PROP(Hash, HoldsWhatAMapHolds, (std::uint32_t seed)) {
  Life life(seed);
  life.settings().hash_max_listpack_entries = *rc::gen::inRange(0, 100);
  life.settings().hash_max_listpack_value = *rc::gen::element(5, 64, 5000);
  const auto steps = *rc::gen::inRange<std::size_t>(1, 1500);
  const bool with_times = *rc::gen::arbitrary<bool>();
  struct Pin {
    OwnCell cell;
    Model model;
  };
  std::vector<Pin> pins;
  for (std::size_t i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
    life.do_something(with_times);
    if (life.below(100) != 0) continue;
    pins.push_back({OwnCell::pin(life.cell().view()), life.model()});
    compare(life.cell().view(), life.model(), life.some_due());
  }
  compare(life.cell().view(), life.model(), HashView::kBeforeAll);
  for (const Pin& pin : pins) compare(pin.cell.view(), pin.model, life.some_due());
  RC_ASSERT(!testing::Test::HasFatalFailure() && !testing::Test::HasNonfatalFailure());
}

class HashForms : public testing::Test {
 protected:
  Settings settings_;
  OwnCell cell_;
  Hash hash_{cell_, settings_};
};

TEST_F(HashForms, PackedUntilAThresholdIsPassed) {
  settings_.hash_max_listpack_entries = 2;
  settings_.hash_max_listpack_value = 4;
  hash_.put("a", "1234");
  hash_.put("b", "2");
  hash_.put("a", "3");
  EXPECT_EQ(encoding_of(Type::hash, cell_.view()), Encoding::listpack);
  hash_.put("c", "3");
  EXPECT_EQ(encoding_of(Type::hash, cell_.view()), Encoding::hashtable);
  EXPECT_EQ(hash_.stored(), 3u);
}

TEST_F(HashForms, LongNamesAndValuesAreNotPacked) {
  settings_.hash_max_listpack_value = 4;
  hash_.put("a", "1");
  hash_.put("b", "12345");
  EXPECT_TRUE(cell_.is_tree());
  OwnCell other;
  Hash named(other, settings_);
  named.put("12345", "");
  EXPECT_TRUE(other.is_tree());
}

TEST_F(HashForms, PackedBytesAreBounded) {
  settings_.hash_max_listpack_entries = 1'000'000;
  settings_.hash_max_listpack_value = 1'000'000;
  for (int i = 0; i < 100; ++i) hash_.put("field" + std::to_string(i), std::string(1000, 'v'));
  EXPECT_TRUE(cell_.is_tree());
  EXPECT_EQ(hash_.stored(), 100u);
}

TEST_F(HashForms, ATimeMakesATree) {
  hash_.put("a", "1");
  EXPECT_EQ(hash_.set_due("b", 5), std::nullopt);
  EXPECT_EQ(hash_.set_due("a", kNever), kNever);
  EXPECT_FALSE(cell_.is_tree());
  EXPECT_EQ(hash_.set_due("a", 5), kNever);
  EXPECT_TRUE(cell_.is_tree());
  EXPECT_EQ(cell_.tree()->next_due(), 5);
  // A new value without a time removes the time.
  EXPECT_EQ(hash_.put("a", "2"), 5);
  EXPECT_EQ(cell_.tree()->next_due(), kNever);
}

TEST_F(HashForms, MemoryComesBack) {
  settings_.hash_max_listpack_entries = 0;
  for (int i = 0; i < 5000; ++i) hash_.put("f" + std::to_string(i), "value", i % 2 ? i : kNever);
  const auto pin = OwnCell::pin(cell_.view());
  EXPECT_TRUE(cell_.tree()->same_version(*pin.view().tree));
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(hash_.erase("f" + std::to_string(i)));
  EXPECT_EQ(cell_.tree()->footprint(), sizeof(HashTree));
  EXPECT_EQ(HashView(pin.view(), HashView::kBeforeAll).count(), 5000u);
  EXPECT_EQ(HashView(pin.view(), 2500).size(), 3750u);
}

}  // namespace
}  // namespace slotcar::types
