// Whatever writers do while a snapshot walks, it gets each key once, as it was at the moment.
// And whatever a script has written, its undo restores all of it.
#include "keyspace/cut.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "keyspace/edit/hash_edit.h"
#include "keyspace/edit/list_edit.h"
#include "keyspace/testing/test_world.h"
#include "keyspace/undo.h"

namespace slotcar::keyspace {
namespace {

constexpr int kKeys = 400;
constexpr std::uint16_t kDatabases = 3;
constexpr unsigned kLongest = 200'000;
const std::string kLong(400, 'x');

// A value as text: enough to distinguish two states of a key.
std::string shown(const Entry& entry) {
  std::string text = entry.has_expiry() ? std::to_string(entry.expires_at()) + " " : "";
  if (entry.is_string()) {
    types::StringRef::Scratch scratch;
    return text + "string " + std::string(entry.string().view(scratch));
  }
  if (entry.type() == types::Type::list) {
    text += "list";
    const types::ListView list(entry.cell());
    list.visit(0, list.size(),
               [&](const types::Element& element) { text += " " + element.copy(); });
    return text;
  }
  std::map<std::string, std::string> fields;
  types::HashView(entry.cell(), types::HashView::kBeforeAll)
      .for_each([&](const types::Field& field) { fields[field.name.copy()] = field.value.copy(); });
  text += "hash";
  for (const auto& [name, value] : fields) text += " " + name + "=" + value;
  return text;
}

std::string shown(const EntryImage& image) {
  if (image.reading() == nullptr) return shown(image.entry());
  std::string value(image.reading()->size(), '\0');
  image.reading()->read(0, value.data(), value.size());
  return shown(image.entry()) + value;
}

using Picture = std::map<std::pair<std::uint16_t, std::string>, std::string>;

class CutTest : public testing::TestWithParam<unsigned> {
 protected:
  CutTest() : world_(1, kDatabases), dice_(GetParam()) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(dice_() % n); }
  static Key key(const std::string& name) {
    return World::key(name, static_cast<std::uint16_t>(name.size() * 37 % 64));
  }

  // One random operation of a client.
  void write() {
    Keyspace& space = world_.space();
    Hold& hold = world_.hold();
    const DbIndex db{static_cast<std::uint16_t>(below(kDatabases))};
    const std::string name = "k" + std::to_string(below(kKeys));
    const Key k = key(name);
    const std::string value = std::to_string(dice_());
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        space.set_string(hold, db, k, std::string_view(value), ExpiryChange::clear());
        break;
      case 3:
        space.set_string(hold, db, k, std::string_view(kLong).substr(0, 200 + below(200)),
                         ExpiryChange::at(hold.now + 1000 + below(5000)));
        break;
      case 4:
      case 5:
        space.remove(hold, db, k);
        break;
      case 6: {
        HashEdit hash(space, hold, db, k);
        // Long enough to become a tree, which is pinned.
        for (int i = 0; !hash.wrong_type() && i < 150; ++i) {
          hash.set("f" + std::to_string(below(300)), value);
        }
        break;
      }
      case 7: {
        ListEdit list(space, hold, db, k);
        if (!list.wrong_type()) list.push(ListEdit::End::tail, value);
        break;
      }
      case 8:
        if (space.peek(hold, db, k)) space.set_expiry(hold, db, k, hold.now + 1000 + below(9000));
        break;
      case 9: {
        const std::string other = "k" + std::to_string(below(kKeys));
        if (other != name && space.peek(hold, db, k)) {
          Keyspace::rename(hold, db, space, k, space, key(other));
        }
        break;
      }
      case 10:
        hold.now += below(50);
        space.expire_due(hold, 5);
        break;
      case 11:
        if (hold.undo != nullptr) break;  // which knows no whole databases
        if (below(40) == 0) space.flush(hold, db);
        if (below(40) == 0) space.swap(hold, db, DbIndex{0});
        break;
      case 12:  // the keys of few names are long strings mostly
        space.set_range(hold, db, key(long_name()), below(kLongest), value);
        break;
      case 13:
        space.append(hold, db, key(long_name()), std::string(below(100), 'y'));
        break;
    }
  }

  Picture picture() {
    Picture seen;
    for (std::uint16_t db = 0; db < kDatabases; ++db) {
      for (auto slot = world_.space().next_slot(DbIndex{db}, Slot{0}); slot;) {
        std::optional<std::uint64_t> at = 0;
        while (at) {
          // Without a clock: expired keys that still exist belong to the moment, too.
          const UnixMs now = std::exchange(world_.hold().now, 0);
          at = world_.space().scan_slot(world_.hold(), DbIndex{db}, *slot, *at, 50,
                                        [&](const Entry& entry) {
                                          seen[{db, std::string(entry.key())}] = shown(entry);
                                        });
          world_.hold().now = now;
        }
        if (slot->value == 16383) break;
        slot = world_.space().next_slot(DbIndex{db},
                                        Slot{static_cast<std::uint16_t>(slot->value + 1)});
      }
    }
    return seen;
  }

  void give(DbIndex db, std::string_view name, std::string value, Picture& given) {
    const bool first = given.emplace(std::pair{db.value, std::string(name)}, value).second;
    EXPECT_TRUE(first) << name << " was given twice";
  }
  std::string long_name() { return "long" + std::to_string(below(3)); }

  World world_;
  std::mt19937 dice_;
};

TEST_P(CutTest, AnUndoPutsEveryKeyBack) {
  for (int i = 0; i < 1000; ++i) write();
  for (int round = 0; round < 20; ++round) {
    const Picture wanted = picture();
    const UnixMs now = world_.hold().now;
    const UnixMs due = world_.next_due();
    const std::int64_t keys = world_.space().keys(kDb);
    const std::int64_t timed = world_.space().keys_with_expiry(kDb);
    static_cast<void>(world_.effects());
    Undo undo(nullptr);
    world_.hold().undo = &undo;
    for (unsigned i = 1 + below(60); i > 0; --i) write();
    undo.take_back(world_.hold());
    world_.hold().undo = nullptr;
    world_.hold().now = now;
    ASSERT_EQ(picture(), wanted);
    EXPECT_EQ(world_.effects(), "");
    EXPECT_EQ(world_.next_due(), due);
    EXPECT_EQ(world_.space().keys(kDb), keys);
    EXPECT_EQ(world_.space().keys_with_expiry(kDb), timed);
    EXPECT_TRUE(undo.empty());
    for (unsigned i = below(20); i > 0; --i) write();
  }
}

TEST_P(CutTest, AnUndoAndASnapshotDoNotDisturbEachOther) {
  for (int i = 0; i < 1000; ++i) write();
  const Picture wanted = picture();
  world_.space().begin_cut();
  Picture given;
  Cut& cut = *world_.space().cut();
  bool more = true;
  while (more) {
    const UnixMs now = world_.hold().now;
    Undo undo(nullptr);
    world_.hold().undo = &undo;
    for (unsigned i = below(30); i > 0; --i) write();
    undo.take_back(world_.hold());
    world_.hold().undo = nullptr;
    world_.hold().now = now;
    for (const Cut::Saved& saved : cut.take_saved()) {
      give(saved.db, saved.image.entry().key(), shown(saved.image), given);
    }
    more = cut.visit(1 + below(20), [&](DbIndex db, const Entry& entry) {
      give(db, entry.key(), shown(entry), given);
    });
  }
  for (const Cut::Saved& saved : cut.take_saved()) {
    give(saved.db, saved.image.entry().key(), shown(saved.image), given);
  }
  EXPECT_EQ(given, wanted);
  EXPECT_EQ(picture(), wanted);
}

TEST_P(CutTest, GivesEachKeyOnceAsItWas) {
  for (int i = 0; i < 2000; ++i) write();
  const Picture wanted = picture();
  world_.space().begin_cut();
  Picture given;
  std::vector<Cut::Saved> pinned;
  Cut& cut = *world_.space().cut();
  bool more = true;
  while (more) {
    for (unsigned i = below(60); i > 0; --i) write();
    for (Cut::Saved& saved : cut.take_saved()) pinned.push_back(std::move(saved));
    more = cut.visit(1 + below(20), [&](DbIndex db, const Entry& entry) {
      if (is_better_pinned(entry)) {
        pinned.push_back({db, EntryImage(entry)});
      } else {
        give(db, entry.key(), shown(entry), given);
      }
    });
  }
  // Pins are compared last, after everything that was written since.
  for (int i = 0; i < 500; ++i) write();
  EXPECT_TRUE(cut.take_saved().empty());
  for (const Cut::Saved& saved : pinned) {
    give(saved.db, saved.image.entry().key(), shown(saved.image), given);
  }
  world_.space().end_cut();
  EXPECT_EQ(given.size(), wanted.size());
  for (const auto& [name, value] : wanted) {
    const auto at = given.find(name);
    ASSERT_TRUE(at != given.end()) << name.second << " is missing";
    EXPECT_EQ(at->second, value) << name.second;
  }
}

// One table of many segments, which shrinks under the walk: segments are merged, and the walk is in
// the middle of a merged segment.
TEST_P(CutTest, AMergeOfSegmentsBringsNothingBack) {
  constexpr int kMany = 6000;
  Keyspace& space = world_.space();
  const auto many_key = [](const std::string& name) { return World::key(name, 7); };
  for (int i = 0; i < kMany; ++i) {
    const std::string name = "many" + std::to_string(i);
    space.set_string(world_.hold(), DbIndex{0}, many_key(name), std::string_view("v"),
                     ExpiryChange::clear());
  }
  const Picture wanted = picture();
  space.begin_cut();
  Cut& cut = *space.cut();
  Picture given;
  bool more = true;
  while (more) {
    for (unsigned i = below(300); i > 0; --i) {
      const std::string name = "many" + std::to_string(below(kMany));
      space.remove(world_.hold(), DbIndex{0}, many_key(name));
    }
    more = cut.visit(1 + below(40), [&](DbIndex db, const Entry& entry) {
      give(db, entry.key(), shown(entry), given);
    });
    for (const Cut::Saved& saved : cut.take_saved()) {
      give(saved.db, saved.image.entry().key(), shown(saved.image), given);
    }
  }
  space.end_cut();
  EXPECT_EQ(given, wanted);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CutTest, testing::Range(1u, 13u));
// Where a merge makes a slice begin before the walk's place: one in some hundred seeds.
INSTANTIATE_TEST_SUITE_P(SliceBeginsBefore, CutTest, testing::Values(282u));

}  // namespace
}  // namespace slotcar::keyspace
