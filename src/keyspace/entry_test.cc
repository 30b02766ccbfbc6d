#include "keyspace/entry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/limits.h"
#include "keyspace/access_stamp.h"
#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {
namespace {

using types::Encoding;

std::string text_of(const Entry& entry) {
  types::StringRef::Scratch scratch;
  return std::string(entry.string().view(scratch));
}

Entry* make(std::string_view key, std::string_view value, std::optional<UnixMs> when = {}) {
  return EntryEditor::make(key, EntryEditor::encode(value, nullptr), when);
}

struct Case {
  std::size_t key_size;
  std::string value;
  std::optional<UnixMs> when;
};

// Every layout: short and long keys, every form of value, with and without an expiry.
std::vector<Case> all_layouts() {
  std::vector<Case> cases;
  for (const std::size_t key_size : {0, 1, 16, 255, 256, 70'000}) {
    for (const std::size_t value_size : {0, 1, 44, 45, 255, 256, 512, 513, 100'000}) {
      for (const std::optional<UnixMs> when :
           {std::optional<UnixMs>(), std::optional<UnixMs>(99)}) {
        cases.push_back({key_size, std::string(value_size, 'v'), when});
      }
    }
    for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808"}) {
      cases.push_back({key_size, number, std::nullopt});
      cases.push_back({key_size, number, kNever - 1});
    }
  }
  return cases;
}

TEST(Entry, KeepsWhatItWasGivenInEveryLayout) {
  for (const Case& c : all_layouts()) {
    const std::string key(c.key_size, 'k');
    Entry* entry = make(key, c.value, c.when);
    EXPECT_EQ(entry->key(), key);
    EXPECT_EQ(text_of(*entry), c.value);
    EXPECT_EQ(entry->has_expiry(), c.when.has_value());
    EXPECT_EQ(entry->expires_at(), c.when.value_or(kNever));
    EXPECT_TRUE(entry->is_string());
    if (c.when) {
      EntryEditor::set_place(*entry, 0xdeadbeef);
      EntryEditor::set_expires_at(*entry, 12345);
      EXPECT_EQ(EntryEditor::place(*entry), 0xdeadbeef);
      EXPECT_EQ(entry->expires_at(), 12345);
      EXPECT_EQ(entry->key(), key);
      EXPECT_EQ(text_of(*entry), c.value);
    }
    EXPECT_GE(entry->footprint(), c.key_size + (c.value.size() > 20 ? c.value.size() : 0));
    EntryEditor::release(entry);
  }
}

// Any value over any other, in place or not: key and expiry are kept.
TEST(Entry, AssignKeepsKeyAndExpiry) {
  const auto cases = all_layouts();
  for (const Case& from : cases) {
    if (from.key_size > 256) continue;
    for (const Case& to : cases) {
      if (to.key_size != 0) continue;
      const std::string key(from.key_size, 'k');
      Entry* entry = make(key, from.value, from.when);
      EntryEditor::Content content = EntryEditor::encode(std::string_view(to.value), nullptr);
      const bool assigned = EntryEditor::assign(*entry, content);
      EXPECT_EQ(entry->key(), key);
      EXPECT_EQ(entry->expires_at(), from.when.value_or(kNever));
      EXPECT_EQ(text_of(*entry), assigned ? to.value : from.value);
      EXPECT_TRUE(assigned || to.value != from.value);
      EntryEditor::release(entry);
    }
  }
}

TEST(Entry, AssignsAPartOfItself) {
  Entry* entry = make("key", "a value of some length");
  EntryEditor::Content content = EntryEditor::encode(entry->string().text.substr(2, 20), nullptr);
  ASSERT_TRUE(EntryEditor::assign(*entry, content));
  EXPECT_EQ(text_of(*entry), "value of some length");
  EntryEditor::release(entry);

  const std::string long_text = "just 8 b" + std::string(1000, 'x');  // as long as the pointer
  entry = make("key", long_text);
  content = EntryEditor::encode(entry->string().text.substr(0, 8), nullptr);
  ASSERT_TRUE(EntryEditor::assign(*entry, content));
  EXPECT_EQ(text_of(*entry), "just 8 b");
  EntryEditor::release(entry);
}

Encoding encoding_after_set(std::string_view value) {
  Entry* entry = make("k", value);
  const Encoding encoding = entry->encoding();
  EntryEditor::release(entry);
  return encoding;
}

TEST(Entry, EncodingIsRedis) {
  EXPECT_EQ(encoding_after_set("123"), Encoding::integer);
  EXPECT_EQ(encoding_after_set("-9223372036854775808"), Encoding::integer);
  EXPECT_EQ(encoding_after_set("9223372036854775808"), Encoding::embstr);
  EXPECT_EQ(encoding_after_set("012"), Encoding::embstr);
  EXPECT_EQ(encoding_after_set("+1"), Encoding::embstr);
  EXPECT_EQ(encoding_after_set(""), Encoding::embstr);
  EXPECT_EQ(encoding_after_set(std::string(44, 'x')), Encoding::embstr);
  EXPECT_EQ(encoding_after_set(std::string(45, 'x')), Encoding::raw);
  EXPECT_EQ(encoding_after_set(std::string(513, 'x')), Encoding::raw);

  Entry* entry = EntryEditor::make("k", EntryEditor::embedded_raw("12"), std::nullopt);
  EXPECT_EQ(entry->encoding(), Encoding::raw);
  EntryEditor::Content content = EntryEditor::encode(std::string_view("ab"), nullptr);
  ASSERT_TRUE(EntryEditor::assign(*entry, content));
  EXPECT_EQ(entry->encoding(), Encoding::embstr);  // SET clears the mark
  EntryEditor::release(entry);
}

TEST(Entry, KeepsALongBufferWithoutACopy) {
  const auto buffer = base::SharedBytes::copy_of(std::string(40'000, 'b'), nullptr);
  Entry* entry = EntryEditor::make(
      "k", EntryEditor::encode(types::StringInput(buffer.view(), &buffer), nullptr), std::nullopt);
  EXPECT_EQ(entry->string().text.data(), buffer.data());
  EXPECT_FALSE(buffer.sole_owner());
  EXPECT_EQ(EntryEditor::writable(*entry, 40'000, 0, 1), nullptr);  // it is shared
  EntryEditor::release(entry);
  EXPECT_TRUE(buffer.sole_owner());
}

TEST(Entry, TakesItsBufferAlong) {
  Entry* entry = make("from", std::string(5000, 'z'), 17);
  const void* data = entry->string().text.data();
  Entry* moved = EntryEditor::make("to", EntryEditor::take_content(*entry), std::nullopt);
  EntryEditor::free_shell(entry);
  EXPECT_EQ(moved->string().text.data(), data);
  EXPECT_NE(EntryEditor::writable(*moved, 4000, 0, 1),
            nullptr);  // sole owner: no reference was left over
  EXPECT_EQ(text_of(*moved), std::string(4000, 'z'));
  EntryEditor::release(moved);
}

// A packed value against a string, grown and shrunk at both ends alternately; a long one has room
// at its head, so that most pushes move nothing.
TEST(Entry, APackedValueChangesAtBothEnds) {
  std::mt19937 random(7);
  for (const std::size_t key_size : {1u, 300u}) {
    for (const bool expires : {false, true}) {
      const std::string key(key_size, 'k');
      std::optional<UnixMs> when;
      if (expires) when = 1'700'000'000'000;
      std::string model = "begin";
      Entry* entry = EntryEditor::make(key, EntryEditor::packed(types::Type::list, model), when);
      int heads = 0;
      int moves = 0;
      for (int i = 0; i < 20'000; ++i) {
        // It grows for a while, then shrinks for a while, to almost nothing.
        const bool grows = random() % 8 < (i / 2000 % 2 == 0 ? 5u : 3u);
        const std::size_t bytes = 1 + random() % 40;
        const std::size_t size =
            grows ? model.size() + bytes : model.size() - std::min(bytes, model.size() - 1);
        const bool at_head = random() % 4 != 0;
        Entry* fresh = at_head ? EntryEditor::resize_packed_front(entry, size)
                               : EntryEditor::resize_packed(entry, size);
        if (fresh != entry) EntryEditor::free_shell(entry);
        if (at_head && grows && size > 1024) ++heads, moves += fresh != entry ? 1 : 0;
        entry = fresh;
        char* data = EntryEditor::packed_data(*entry);
        if (grows) {
          const std::string more(size - model.size(), static_cast<char>('a' + i % 26));
          std::copy(more.begin(), more.end(), at_head ? data : data + model.size());
          model = at_head ? more + model : model + more;
        } else {
          model = at_head ? model.substr(model.size() - size) : model.substr(0, size);
        }
        ASSERT_EQ(entry->cell().packed, model) << i;
        ASSERT_EQ(entry->key(), key);
        ASSERT_EQ(entry->expires_at(), when.value_or(kNever));
        ASSERT_LE(entry->footprint(), 2 * (model.size() + key_size) + 600);
      }
      EXPECT_GT(heads, 1000);
      EXPECT_LT(moves, heads / 4);
      EntryEditor::release(entry);
    }
  }
}

// --- stamps ------------------------------------------------------------------------------------

TEST(AccessStamp, LruCountsIdleTime) {
  const UnixMs now = 1'700'000'000'000;
  EXPECT_EQ(lru_idle(lru_stamp(now), now), 0u);
  EXPECT_EQ(lru_idle(lru_stamp(now), now + 5000), 50u);
  EXPECT_EQ(lru_idle(lru_stamp(now), now - 5000), 0u);  // the clock was set back
  const UnixMs three_years = UnixMs{3} * 365 * 86'400'000;
  EXPECT_EQ(lru_idle(lru_stamp(now), now + three_years), three_years / kLruUnitMs);
}

TEST(AccessStamp, LfuDecaysAndGrowsAsRedisDoes) {
  const UnixMs now = 1'700'000'000'000;
  const UnixMs minute = 60'000;
  const std::uint32_t fresh = lfu_stamp(now, kLfuInitial);
  EXPECT_EQ(lfu_frequency(fresh, now, 1), 5);
  EXPECT_EQ(lfu_frequency(fresh, now + 3 * minute, 1), 2);
  EXPECT_EQ(lfu_frequency(fresh, now + 300 * minute, 1), 0);
  EXPECT_EQ(lfu_frequency(fresh, now + 300 * minute, 0), 5);
  EXPECT_EQ(lfu_frequency(fresh, now + 3 * minute, 2), 4);
  // At the start every use counts; later ever fewer do.
  std::uint32_t stamp = lfu_touched(fresh, now, 1, 10, UINT32_MAX);
  EXPECT_EQ(lfu_frequency(stamp, now, 1), 6);
  EXPECT_EQ(lfu_frequency(lfu_touched(stamp, now, 1, 10, UINT32_MAX / 10), now, 1), 6);
  EXPECT_EQ(lfu_frequency(lfu_touched(stamp, now, 1, 10, UINT32_MAX / 12), now, 1), 7);
  EXPECT_EQ(lfu_frequency(lfu_touched(lfu_stamp(now, 255), now, 1, 10, 0), now, 1), 255);
  EXPECT_EQ(lfu_frequency(lfu_touched(lfu_stamp(now, 254), now, 1, 10, 0), now, 1), 255);
}

TEST(AccessStamp, FollowsAChangeOfPolicy) {
  KeyspaceSettings settings;
  Hold hold = Hold::of_sole_owner({});
  hold.now = 1'700'000'000'000;
  hold.settings = &settings;
  Entry* entry = make("k", "v");
  EntryEditor::stamp_new(*entry, hold);
  EXPECT_EQ(entry->idle_seconds(hold.now + 9000), 9);
  EXPECT_EQ(entry->frequency(hold.now, 1), kLfuInitial);
  settings.policy = EvictionPolicy::allkeys_lfu;
  EntryEditor::stamp_use(*entry, hold);
  EXPECT_EQ(entry->frequency(hold.now, 1), kLfuInitial);
  EntryEditor::stamp_use(*entry, hold);
  EXPECT_EQ(entry->frequency(hold.now, 1), kLfuInitial + 1);
  EXPECT_EQ(entry->idle_seconds(hold.now + 120'000), 120);
  EntryEditor::release(entry);
}

}  // namespace
}  // namespace slotcar::keyspace
