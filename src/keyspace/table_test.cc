#include "keyspace/table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {
namespace {

// In these tests a key begins with the eight bytes of its own hash, so that a test can choose
// hashes that a good hash function would never give.
std::string key_with_hash(std::uint64_t hash, std::uint64_t number) {
  std::string key(16, '\0');
  std::memcpy(key.data(), &hash, 8);
  std::memcpy(key.data() + 8, &number, 8);
  return key;
}

std::uint64_t chosen_hash(std::string_view key, base::HashSeed) {
  std::uint64_t hash;
  std::memcpy(&hash, key.data(), 8);
  return hash;
}

// A table beside a model of it.
class Checked {
 public:
  Checked() : tally_(memory_, bytes_) {}
  ~Checked() {
    table_.clear([](Entry* entry) { EntryEditor::release(entry); }, tally_);
    EXPECT_EQ(memory_.get(), 0);
    EXPECT_EQ(bytes_, 0);
  }

  bool insert(const std::string& key) {
    if (model_.contains(key)) return false;
    Entry* entry = EntryEditor::make(key, EntryEditor::integer(7), std::nullopt);
    table_.insert(entry, hash(key), hasher_, tally_);
    model_.emplace(key, entry);
    return true;
  }
  void erase(const std::string& key) {
    const auto found = model_.find(key);
    Table::Word* word = table_.find(key, hash(key));
    ASSERT_EQ(word != nullptr, found != model_.end());
    if (!word) return;
    ASSERT_EQ(Table::entry_of(*word), found->second);
    table_.erase(word, hash(key), tally_);
    EntryEditor::release(found->second);
    model_.erase(found);
  }
  void check() const {
    ASSERT_EQ(table_.size(), model_.size());
    for (const auto& [key, entry] : model_) {
      const Table::Word* word = table_.find(key, hash(key));
      ASSERT_NE(word, nullptr);
      ASSERT_EQ(Table::entry_of(*word), entry);
    }
  }
  std::multiset<std::string> scanned(std::size_t count) const {
    std::multiset<std::string> seen;
    std::optional<std::uint64_t> from = 0;
    while (from && table_.size() > 0) {
      const Table::Slice slice = table_.slice(*from, count);
      Table::visit(slice, [&](const Entry* entry) { seen.emplace(entry->key()); });
      EXPECT_TRUE(!slice.next || *slice.next > *from);
      from = slice.next;
    }
    return seen;
  }

  static std::uint64_t hash(const std::string& key) { return chosen_hash(key, {}); }
  Table& table() { return table_; }
  const std::unordered_map<std::string, Entry*>& model() const { return model_; }
  std::int64_t memory() const { return memory_.get(); }

 private:
  Table table_;
  TableHasher hasher_{{}, chosen_hash};
  base::Counter memory_;
  std::int64_t bytes_ = 0;
  MemoryTally tally_;
  std::unordered_map<std::string, Entry*> model_;
};

// Families of hashes, from those of xxHash to those that an attacker with the seed could make.
std::uint64_t draw_hash(int family, std::mt19937_64& random) {
  switch (family) {
    case 0:
      return random();
    case 1:  // one home: the same h16 at depth 0
      return 0xabcd'0000'0000'0000 | (random() & 0xffff'ffff'ffff);
    case 2:  // one tag and few homes
      return (random() & 0x0007'0000'0000'0000) << 13 | 0x42;
    case 3:  // all of it equal
      return 0x1234'5678'9abc'def0;
    case 4:  // the last homes of a segment, so that overflow wraps around
      return 0xfff0'0000'0000'0000 | (random() & 0x000f'ffff'ffff'ffff);
    default:  // half of the space empty at each level
      return random() & 0x5555'5555'5555'5555;
  }
}

RC_GTEST_PROP(TableProperty, DoesWhatAMapDoes, ()) {
  const int family = *rc::gen::inRange(0, 6);
  const int steps = *rc::gen::inRange(1, family == 0 || family == 5 ? 6000 : 1500);
  const int erase_percent = *rc::gen::element(0, 30, 48, 60);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Checked checked;
  std::vector<std::string> keys;
  for (int i = 0; i < steps; ++i) {
    if (!keys.empty() && static_cast<int>(random() % 100) < erase_percent) {
      std::swap(keys[random() % keys.size()], keys.back());
      checked.erase(keys.back());
      keys.pop_back();
    } else {
      const std::string key = key_with_hash(draw_hash(family, random), random());
      if (checked.insert(key)) keys.push_back(key);
    }
    // A key that was never there, with a hash that others have.
    checked.erase(key_with_hash(draw_hash(family, random), ~std::uint64_t{0}));
    if (i % 997 == 0) checked.check();
  }
  checked.check();
  const auto seen = checked.scanned(10);
  RC_ASSERT(seen.size() == checked.model().size());
  for (const auto& key : keys) RC_ASSERT(seen.count(key) == 1u);
  while (!keys.empty()) {
    checked.erase(keys.back());
    keys.pop_back();
    if (keys.size() % 509 == 0) checked.check();
  }
  RC_ASSERT(checked.memory() == 0);
  RC_ASSERT(checked.table().depth() == 0u);
}

// Redis's guarantee: a key that exists from the first step to the last is seen, whatever else
// happens.
RC_GTEST_PROP(TableProperty, AScanSeesEveryKeyThatStays, ()) {
  const int family = *rc::gen::inRange(0, 6);
  const std::size_t staying = *rc::gen::inRange<std::size_t>(1, 1500);
  const std::size_t count = *rc::gen::element<std::size_t>(1, 10, 100);
  const int swing = *rc::gen::inRange(1, count == 1 ? 20 : 200);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Checked checked;
  std::set<std::string> stay;
  while (stay.size() < std::min<std::size_t>(staying, family == 0 || family == 5 ? 1500 : 300)) {
    const std::string key = key_with_hash(draw_hash(family, random), random());
    if (checked.insert(key)) stay.insert(key);
  }
  std::vector<std::string> passing;
  std::set<std::string> seen;
  std::optional<std::uint64_t> from = 0;
  bool growing = true;
  while (from) {
    const Table::Slice slice = checked.table().slice(*from, count);
    Table::visit(slice, [&](const Entry* entry) { seen.emplace(entry->key()); });
    RC_ASSERT(!slice.next || *slice.next > *from);
    from = slice.next;
    // Between the steps the table swings between much larger and just the staying keys.
    for (int i = 0; i < swing; ++i) {
      if (growing) {
        const std::string key = key_with_hash(draw_hash(family, random), random());
        if (checked.insert(key)) passing.push_back(key);
      } else if (!passing.empty()) {
        checked.erase(passing.back());
        passing.pop_back();
      }
    }
    if (passing.size() > (family == 0 || family == 5 ? 4000u : 500u)) growing = false;
    if (passing.empty()) growing = true;
  }
  for (const auto& key : stay) RC_ASSERT(seen.contains(key));
}

TEST(Table, SplitsIntoADirectoryAndBack) {
  Checked checked;
  std::mt19937_64 random(1);
  std::vector<std::string> keys;
  for (int i = 0; i < 50'000; ++i) {
    keys.push_back(key_with_hash(random(), static_cast<std::uint64_t>(i)));
    checked.insert(keys.back());
  }
  checked.check();
  EXPECT_GE(checked.table().depth(), 6u);
  // 9.14 bytes a key at full load; the load is at least 0.65 on average.
  EXPECT_LT(checked.memory(), 50'000 * 14);
  for (std::size_t i = 0; i + 100 < keys.size(); ++i) checked.erase(keys[i]);
  checked.check();
  EXPECT_EQ(checked.table().depth(), 0u);
  EXPECT_LT(checked.memory(), 100 * 40);
}

// With one segment for all there is nothing to split by: it must neither loop nor double its
// directory for nothing.
TEST(Table, EqualHashesMakeOneBigSegment) {
  Checked checked;
  for (std::uint64_t i = 0; i < 2000; ++i) checked.insert(key_with_hash(77, i));
  checked.check();
  EXPECT_EQ(checked.table().depth(), 0u);
}

// As they come from another table with the same seed, in the order of SCAN. (The server ended.)
TEST(Table, KeysMayComeInTheOrderOfTheirHashes) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> hashes(100'000);
  for (std::uint64_t& hash : hashes) hash = random();
  std::sort(hashes.begin(), hashes.end());
  for (const bool ascending : {true, false}) {
    Checked checked;
    for (const std::uint64_t hash : hashes) checked.insert(key_with_hash(hash, hash));
    checked.check();
    EXPECT_EQ(checked.scanned(100).size(), hashes.size());
    EXPECT_LE(checked.table().depth(), 10u) << ascending;
    EXPECT_LT(checked.memory(), 100'000 * 16);
    std::reverse(hashes.begin(), hashes.end());
    for (const std::uint64_t hash : hashes) checked.erase(key_with_hash(hash, hash));
    EXPECT_EQ(checked.table().depth(), 0u);
  }
}

// They share the first bits, whatever the order: parted as soon as it must be.
TEST(Table, AFarBitPartsKeysOfOneSegment) {
  Checked checked;
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < 20'000; ++i) checked.insert(key_with_hash(random() >> 12, i));
  checked.check();
  EXPECT_EQ(checked.scanned(100).size(), 20'000u);
  EXPECT_LE(checked.table().depth(), 12u + 8u);
}

TEST(Table, AScanStepIsAboutAsLargeAsAsked) {
  Checked checked;
  std::mt19937_64 random(5);
  for (std::uint64_t i = 0; i < 20'000; ++i) checked.insert(key_with_hash(random(), i));
  std::size_t steps = 0;
  std::size_t largest = 0;
  std::optional<std::uint64_t> from = 0;
  while (from) {
    const Table::Slice slice = checked.table().slice(*from, 10);
    std::size_t here = 0;
    Table::visit(slice, [&](const Entry*) { ++here; });
    largest = std::max(largest, here);
    ++steps;
    from = slice.next;
  }
  EXPECT_LT(largest, 60u);
  EXPECT_NEAR(static_cast<double>(steps), 2000.0, 400.0);
}

TEST(Table, SamplesEveryKeyAboutEquallyOften) {
  Checked checked;
  std::mt19937_64 random(9);
  constexpr int kKeys = 3000;
  for (std::uint64_t i = 0; i < kKeys; ++i) checked.insert(key_with_hash(random(), i));
  std::map<std::string, int> drawn;
  for (int i = 0; i < kKeys * 100; ++i) {
    ++drawn[std::string(checked.table().sample(random())->key())];
  }
  EXPECT_EQ(drawn.size(), static_cast<std::size_t>(kKeys));
  for (const auto& [key, times] : drawn) {
    EXPECT_GT(times, 30);
    EXPECT_LT(times, 250);
  }
}

TEST(Table, AnEmptyTableAnswersEverything) {
  Table table;
  EXPECT_EQ(table.find("k", 1), nullptr);
  EXPECT_EQ(table.sample(1), nullptr);
  EXPECT_EQ(table.size(), 0u);
  table.prefetch_bucket(1);
  table.prefetch_entry(1);
}

}  // namespace
}  // namespace slotcar::keyspace
