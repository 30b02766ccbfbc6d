#include "keyspace/expiry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {
namespace {

Entry* key_until(UnixMs when) {
  return EntryEditor::make("k", EntryEditor::integer(1), when);
}

RC_GTEST_PROP(ExpiryProperty, AlwaysKnowsTheEarliest, ()) {
  const int steps = *rc::gen::inRange(1, 3000);
  const int remove_percent = *rc::gen::inRange(0, 60);
  const UnixMs range = *rc::gen::element<UnixMs>(1, 10, 1'000'000);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  base::Counter memory;
  std::int64_t bytes = 0;
  MemoryTally tally(memory, bytes);
  ExpiryIndex index;
  std::vector<Entry*> entries;
  std::multiset<UnixMs> times;

  for (int i = 0; i < steps; ++i) {
    const auto when = static_cast<UnixMs>(random() % static_cast<std::uint64_t>(range));
    const auto dice = static_cast<int>(random() % 100);
    if (entries.empty() || dice >= remove_percent + 20) {
      entries.push_back(key_until(when));
      index.insert(entries.back(), static_cast<std::uint32_t>(i) % 16384, tally);
      times.insert(when);
    } else {
      Entry*& entry = entries[random() % entries.size()];
      times.erase(times.find(entry->expires_at()));
      if (dice < remove_percent) {
        index.remove(entry, tally);
        EntryEditor::release(entry);
        std::swap(entry, entries.back());
        entries.pop_back();
      } else if (dice % 2 == 0) {  // another time
        EntryEditor::set_expires_at(*entry, when);
        index.update(entry);
        times.insert(when);
      } else {  // another place in memory, and another time
        Entry* moved = key_until(when);
        index.moved(moved, EntryEditor::place(*entry));
        EntryEditor::release(entry);
        entry = moved;
        times.insert(when);
      }
    }
    RC_ASSERT(index.size() == times.size());
    RC_ASSERT(index.next() == (times.empty() ? kNever : *times.begin()));
  }
  for (Entry* entry : entries) {
    const auto& item = index.at(EntryEditor::place(*entry));
    RC_ASSERT(item.entry() == entry);
    RC_ASSERT(item.when == entry->expires_at());
  }
  while (index.size() > 0) {
    Entry* first = index.at(0).entry();
    RC_ASSERT(first->expires_at() == *times.begin());
    times.erase(times.begin());
    index.remove(first, tally);
    EntryEditor::release(first);
  }
  RC_ASSERT(memory.get() == 0);
}

TEST(ExpiryIndex, RemembersTheTable) {
  base::Counter memory;
  std::int64_t bytes = 0;
  MemoryTally tally(memory, bytes);
  ExpiryIndex index;
  Entry* late = key_until(20);
  Entry* early = key_until(10);
  index.insert(late, 16383, tally);
  index.insert(early, 5, tally);
  EXPECT_EQ(index.at(0).table(), 5u);
  EntryEditor::set_expires_at(*early, 30);
  index.update(early);
  EXPECT_EQ(index.at(0).table(), 16383u);
  EXPECT_EQ(index.at(EntryEditor::place(*early)).table(), 5u);
  index.remove(late, tally);
  index.remove(early, tally);
  EntryEditor::release(late);
  EntryEditor::release(early);
}

}  // namespace
}  // namespace slotcar::keyspace
