#include "keyspace/edit/hash_edit.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "keyspace/restore.h"
#include "keyspace/testing/test_world.h"
#include "keyspace/whole_effects.h"

namespace slotcar::keyspace {
namespace {

class HashEditTest : public testing::Test {
 protected:
  HashEdit open(std::string_view name) {
    return HashEdit(world_.space(), world_.hold(), kDb, World::key(name));
  }
  const Entry* entry(std::string_view name) {
    return world_.space().peek(world_.hold(), kDb, World::key(name));
  }
  // "field=value@due ..." in the order of the names.
  std::string read(std::string_view name) {
    const Entry* found = entry(name);
    if (found == nullptr) return "(nil)";
    std::map<std::string, std::string> fields;
    types::HashView(found->cell(), world_.hold().now).for_each([&](const types::Field& field) {
      std::string text = field.value.copy();
      if (field.due != kNever) text += "@" + std::to_string(field.due - start_);
      fields[field.name.copy()] = text;
    });
    std::string out;
    for (const auto& [field, text] : fields) out += field + "=" + text + " ";
    return out;
  }
  std::string at(UnixMs after) { return std::to_string(start_ + after); }

  World world_;
  const UnixMs start_ = 1'700'000'000'000;
};

TEST_F(HashEditTest, RecordsWhatItDoes) {
  {
    auto hash = open("k");
    EXPECT_TRUE(hash.set("a", "1"));
    EXPECT_TRUE(hash.set("b", "2"));
    EXPECT_FALSE(hash.set("a", "3"));
    EXPECT_TRUE(hash.erase("b"));
    EXPECT_FALSE(hash.erase("b"));
  }
  EXPECT_EQ(read("k"), "a=3 ");
  EXPECT_EQ(world_.effects(), "SELECT 0\nHSET k a 1 b 2 a 3\nHDEL k b\n");
  {
    auto hash = open("k");
    EXPECT_TRUE(hash.expire("a", start_ + 50));
    hash.set_keeping_time(*hash.view().find("a"), "a", "4");
    hash.set_until("c", "5", start_ + 70);
  }
  EXPECT_EQ(read("k"), "a=4@50 c=5@70 ");
  {
    auto hash = open("k");
    hash.persist("c");
    hash.set_keeping_time(*hash.view().find("c"), "c", "6");
    EXPECT_FALSE(hash.expire("a", start_));
  }
  EXPECT_EQ(read("k"), "c=6 ");
  EXPECT_EQ(world_.effects(), "SELECT 0\nHPEXPIREAT k " + at(50) +
                                  " FIELDS 1 a\nHSETEX k KEEPTTL FIELDS 1 a 4\nHSETEX k PXAT " +
                                  at(70) +
                                  " FIELDS 1 c 5\nHPERSIST k FIELDS 1 c\nHSET k c 6\nHDEL k a\n");
}

TEST_F(HashEditTest, EditsOfTwoKeysDoNotShareALine) {
  open("k").set("a", "1");
  open("l").set("a", "1");
  EXPECT_EQ(world_.effects(), "SELECT 0\nHSET k a 1\nHSET l a 1\n");
}

TEST_F(HashEditTest, TheLastFieldTakesTheKeyAlong) {
  const auto empty = world_.memory();
  open("k").set("a", "1");
  EXPECT_TRUE(open("k").erase("a"));
  EXPECT_EQ(entry("k"), nullptr);
  open("k").set_until("a", "1", start_ + 10);
  EXPECT_FALSE(open("k").expire("a", start_ - 1));
  EXPECT_EQ(entry("k"), nullptr);
  // Was never created.
  open("k").set_until("a", "1", start_ - 1);
  EXPECT_EQ(entry("k"), nullptr);
  EXPECT_EQ(world_.space().keys(kDb), 0);
  EXPECT_EQ(world_.next_due(), kNever);
  EXPECT_LE(world_.memory() - empty, 4096);  // memory of the table
}

TEST_F(HashEditTest, WhatIsOverIsAbsentBeforeItIsRemoved) {
  {
    auto hash = open("k");
    hash.set_until("a", "1", start_ + 10);
    hash.set_until("b", "1", start_ + 10);
    hash.set("c", "1");
  }
  world_.hold().now = start_ + 10;
  auto hash = open("k");
  EXPECT_EQ(hash.view().size(), 1u);
  EXPECT_FALSE(hash.erase("a"));
  EXPECT_TRUE(hash.set("b", "2"));
  EXPECT_EQ(hash.view().size(), 2u);
  EXPECT_EQ(hash.view().stored(), 2u);
}

TEST_F(HashEditTest, FieldsExpireOnTimeThroughTheIndex) {
  {
    auto hash = open("k");
    for (int i = 0; i < 200; ++i) hash.set_until("f" + std::to_string(i), "v", start_ + 100 + i);
    hash.set("stays", "v");
  }
  EXPECT_EQ(world_.next_due(), start_ + 100);
  world_.effects();
  EXPECT_FALSE(world_.space().expire_due(world_.hold(), 64));
  EXPECT_EQ(world_.effects(), "");
  world_.hold().now = start_ + 101;
  EXPECT_FALSE(world_.space().expire_due(world_.hold(), 64));
  EXPECT_EQ(world_.effects(), "SELECT 0\nHDEL k f0 f1\n");
  EXPECT_EQ(world_.next_due(), start_ + 102);
  // More than are removed at once.
  world_.hold().now = start_ + 1000;
  while (world_.space().expire_due(world_.hold(), 1)) {
  }
  EXPECT_EQ(read("k"), "stays=v ");
  EXPECT_EQ(world_.next_due(), kNever);
  EXPECT_FALSE(entry("k")->is_timed());
}

TEST_F(HashEditTest, AnEmptiedHashGoesWithItsLastField) {
  open("k").set_until("a", "1", start_ + 10);
  world_.hold().now = start_ + 10;
  world_.space().expire_due(world_.hold(), 64);
  EXPECT_EQ(entry("k"), nullptr);
  EXPECT_EQ(world_.next_due(), kNever);
  EXPECT_EQ(world_.space().keys(kDb), 0);
}

// Before the expirer has run.
TEST_F(HashEditTest, OneWhoseFieldsAreAllOverIsNotThere) {
  {
    auto hash = open("k");
    hash.set_until("a", "1", start_ + 10);
    hash.set_until("b", "1", start_ + 20);
    hash.set("c", "1");
  }
  world_.hold().now = start_ + 20;
  EXPECT_NE(entry("k"), nullptr);
  EXPECT_EQ(read("k"), "c=1 ");
  open("k").erase("c");
  world_.effects();
  EXPECT_EQ(world_.space().find(world_.hold(), kDb, World::key("k")), nullptr);
  EXPECT_EQ(world_.effects(), "SELECT 0\nDEL k\n");
  EXPECT_EQ(world_.space().keys(kDb), 0);
  EXPECT_EQ(world_.next_due(), kNever);
  // And a writer begins with an empty hash.
  open("j").set_until("a", "1", start_ + 30);
  world_.hold().now = start_ + 30;
  world_.effects();
  open("j").set("b", "2");
  EXPECT_EQ(world_.effects(), "SELECT 0\nDEL j\nHSET j b 2\n");
  EXPECT_EQ(read("j"), "b=2 ");
}

TEST_F(HashEditTest, TheKeysOwnTimeAndItsFieldsTimes) {
  open("k").set_until("a", "1", start_ + 50);
  world_.space().set_expiry(world_.hold(), kDb, World::key("k"), start_ + 20);
  EXPECT_EQ(world_.next_due(), start_ + 20);
  EXPECT_EQ(world_.space().keys_with_expiry(kDb), 1);
  world_.space().clear_expiry(world_.hold(), kDb, World::key("k"));
  EXPECT_EQ(world_.next_due(), start_ + 50);
  EXPECT_EQ(world_.space().keys_with_expiry(kDb), 0);
  world_.space().set_expiry(world_.hold(), kDb, World::key("k"), start_ + 90);
  EXPECT_EQ(world_.next_due(), start_ + 50);
  open("k").persist("a");
  EXPECT_EQ(world_.next_due(), start_ + 90);
  EXPECT_EQ(read("k"), "a=1 ");
}

TEST_F(HashEditTest, WhileRecordsAreAppliedNothingIsOver) {
  open("k").set_until("a", "1", start_ + 10);
  world_.hold().now = start_ + 100;
  world_.hold().applying = true;
  auto hash = open("k");
  EXPECT_EQ(hash.view().size(), 1u);
  EXPECT_TRUE(hash.expire("a", start_ + 20));
  hash.set_until("b", "2", start_ + 30);
  hash.remove_due(64);
  EXPECT_EQ(hash.view().size(), 2u);
}

TEST_F(HashEditTest, MemoryIsCountedAndComesBack) {
  const auto before = world_.memory();
  {
    auto hash = open("k");
    for (int i = 0; i < 2000; ++i) hash.set("field" + std::to_string(i), std::string(20, 'v'));
    for (int i = 0; i < 2000; i += 3) hash.expire("field" + std::to_string(i), start_ + 1000);
  }
  EXPECT_GT(world_.memory() - before, 2000 * 30);
  {
    auto hash = open("k");
    for (int i = 0; i < 2000; ++i) EXPECT_TRUE(hash.erase("field" + std::to_string(i)));
  }
  EXPECT_LE(world_.memory() - before, 4096);
}

// RESTORE is recorded as one effect, whatever it restores and whatever it replaces.
TEST_F(HashEditTest, RestoredHashesAsEffects) {
  types::Settings settings;
  types::OwnCell cell;
  types::Hash hash(cell, settings);
  hash.put("a", "1");
  const auto restore = [&](std::optional<UnixMs> expires_at, std::string_view payload) {
    restore_collection(world_.space(), world_.hold(), kDb, World::key("k"),
                       {types::Type::hash, types::OwnCell::pin(cell.view()), expires_at, payload});
  };
  restore(std::nullopt, "bytes");
  EXPECT_EQ(world_.effects(), "SELECT 0\nRESTORE k 0 bytes REPLACE ABSTTL\n");
  hash.put("a", "2", start_ + 60);
  {
    auto other = open("other");
    other.set("f", "v");
  }
  restore(start_ + 90, "more");
  EXPECT_EQ(world_.effects(),
            "SELECT 0\nHSET other f v\nRESTORE k " + at(90) + " more REPLACE ABSTTL\n");
  EXPECT_EQ(world_.next_due(), start_ + 60);
}

TEST_F(HashEditTest, AnotherTypeIsNotTouched) {
  world_.set("s", "text");
  EXPECT_TRUE(open("s").wrong_type());
  EXPECT_EQ(world_.get("s"), "text");
}

}  // namespace
}  // namespace slotcar::keyspace
