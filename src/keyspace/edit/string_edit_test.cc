#include "keyspace/edit/string_edit.h"

#include <gtest/gtest.h>

#include <string>

#include "base/shared_bytes.h"
#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

using Commands = std::vector<std::vector<std::string>>;

struct StringEdits : testing::Test {
  World world;
  StringEdit edit(std::string_view name) {
    return StringEdit(world.space(), world.hold(), kDb, World::key(name));
  }
};

TEST_F(StringEdits, MakesAnAbsentKey) {
  {
    auto string = edit("k");
    EXPECT_FALSE(string.existed());
    EXPECT_EQ(string.size(), 0u);
    string.claim(3, 2, 1)[2] = 'x';
    string.effect_range(2, 1);
  }
  EXPECT_EQ(world.get("k"), std::string("\0\0x", 3));
  EXPECT_EQ(world.encoding("k"), "raw");
  EXPECT_EQ(world.commands(), (Commands{{"SELECT", "0"}, {"SETRANGE", "k", "2", "x"}}));
}

TEST_F(StringEdits, LeavesNothingBehindIfNothingIsClaimed) {
  { edit("k"); }
  EXPECT_EQ(world.get("k"), "(nil)");
  EXPECT_TRUE(world.commands().empty());
}

TEST_F(StringEdits, WritesNumbersAsTheirDigitsAndKeepsTheExpiry) {
  world.set("k", "12", ExpiryChange::at(1'800'000'000'000));
  world.commands();
  {
    auto string = edit("k");
    EXPECT_EQ(string.packed(), "12");
    string.claim(1, 0, 1)[0] = '7';
    string.effect_whole();
  }
  EXPECT_EQ(world.get("k"), "72");
  EXPECT_EQ(world.expiry("k"), 1'800'000'000'000);
  EXPECT_EQ(world.commands(), (Commands{{"SELECT", "0"}, {"SET", "k", "72", "KEEPTTL"}}));
}

// A reader that has pinned the value still sees what it pinned.
TEST_F(StringEdits, CopiesABufferThatSomebodyReads) {
  const std::string old(5000, 'a');
  world.set("k", old);
  const Entry* entry = world.space().peek(world.hold(), kDb, World::key("k"));
  const base::SharedBytes pin = base::SharedBytes::share(entry->string().buffer);
  {
    auto string = edit("k");
    string.resize(string.size())[10] = 'b';
    string.effect_range(10, 1);
  }
  EXPECT_EQ(pin.view(), old);
  EXPECT_EQ(world.get("k")[10], 'b');
}

TEST_F(StringEdits, GrowsAndShrinksThroughAllForms) {
  world.set("k", "ab");
  const auto resize = [&](std::size_t size) {
    auto string = edit("k");
    const std::string before(string.packed());
    string.claim(size, 0, size);
    if (size < before.size()) string.resize(size);
    EXPECT_EQ(string.packed().substr(0, before.size()), before.substr(0, size));
    string.effect_whole();
  };
  for (const std::size_t size : {40u, 45u, 300u, 512u, 513u, 5000u, 100u, 600u, 3u}) {
    resize(size);
    EXPECT_EQ(world.get("k").size(), size);
    EXPECT_EQ(world.get("k").substr(0, 2), "ab");
  }
}

TEST_F(StringEdits, TellsWhoeverWatchesOnlyOfChanges) {
  world.set("k", "value");
  WatchSet set;
  WatchTable& table = world.space().watched();
  const Entry* entry = world.space().peek(world.hold(), kDb, World::key("k"));
  set.add(table, world.hold(), ShardId{0}, kDb, World::key("k"), entry);
  { edit("k"); }
  EXPECT_FALSE(set.is_broken(0));
  {
    auto string = edit("k");
    string.claim(1, 0, 1)[0] = 'x';
    string.effect_whole();
  }
  EXPECT_TRUE(set.is_broken(0));
  set.remove_some(table, *world.hold().counters, ShardId{0}, 1);
}

TEST_F(StringEdits, StoresRawBytesOverAnything) {
  world.set("k", "old", ExpiryChange::at(1'800'000'000'000));
  StringEdit::store_raw(world.space(), world.hold(), kDb, World::key("k"),
                        base::SharedBytes::copy_of("10", nullptr));
  EXPECT_EQ(world.get("k"), "10");
  EXPECT_EQ(world.encoding("k"), "raw");
  EXPECT_EQ(world.expiry("k"), kNever);
}

}  // namespace
}  // namespace slotcar::keyspace
