#include "keyspace/edit/sorted_set_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

using types::AddOutcome;

class SortedSetEditTest : public testing::Test {
 protected:
  SortedSetEdit open(std::string_view name) {
    return SortedSetEdit(world_.space(), world_.hold(), kDb, World::key(name));
  }
  AddOutcome add(std::string_view name, double score, std::string_view member,
                 const types::AddRules& rules = {}) {
    return open(name).add(score, member, rules);
  }
  const Entry* peek(std::string_view name) {
    return world_.space().peek(world_.hold(), kDb, World::key(name));
  }
  std::vector<std::pair<double, std::string>> elements(std::string_view name) {
    std::vector<std::pair<double, std::string>> found;
    open(name).view().walk([&](const types::Scored& element) {
      found.emplace_back(element.score, element.member.copy());
    });
    return found;
  }

  World world_;
};

// With the final scores: replay needs no arithmetic.
TEST_F(SortedSetEditTest, ChangesAreRecordedWithTheirOutcome) {
  {
    auto set = open("z");
    EXPECT_FALSE(set.existed());
    double score = 1;
    EXPECT_EQ(set.add(score, "a", {}), AddOutcome::added);
    score = 2.5;
    EXPECT_EQ(set.add(score, "b", {}), AddOutcome::added);
    EXPECT_EQ(set.add(score, "b", {}), AddOutcome::unchanged);
  }
  EXPECT_EQ(world_.effects(), "SELECT 0\nZADD z 1 a 2.5 b\n");
  EXPECT_EQ(add("z", 0.5, "b", {.increment = true}), AddOutcome::updated);
  EXPECT_EQ(world_.effects(), "SELECT 0\nZADD z 3 b\n");
  EXPECT_EQ(add("z", 9, "b", {.only_new = true}), AddOutcome::refused);
  EXPECT_EQ(world_.effects(), "");
  open("z").erase_ranks(0, 1);
  EXPECT_EQ(world_.effects(), "SELECT 0\nZREM z a\n");
}

TEST_F(SortedSetEditTest, AnEmptiedOneGoes) {
  add("z", 1, "a");
  EXPECT_NE(peek("z"), nullptr);
  EXPECT_TRUE(open("z").erase("a"));
  EXPECT_EQ(peek("z"), nullptr);
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SortedSetEditTest, ARefusedAdditionLeavesNothingBehind) {
  EXPECT_EQ(add("z", 1, "a", {.only_present = true}), AddOutcome::refused);
  EXPECT_EQ(peek("z"), nullptr);
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SortedSetEditTest, MemoryIsCountedFromPackedToTreeAndBack) {
  {
    auto set = open("z");
    for (int i = 0; i < 1000; ++i) {
      double score = i % 10;
      set.add(score, fmt::format("member {}", i), {});
    }
  }
  EXPECT_EQ(world_.encoding("z"), "skiplist");
  EXPECT_GE(world_.memory(), static_cast<std::int64_t>(peek("z")->cell().tree->footprint()));
  open("z").erase_ranks(1, 999);
  EXPECT_EQ(elements("z").size(), 1u);
  open("z").erase_ranks(0, 1);
  EXPECT_EQ(peek("z"), nullptr);
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SortedSetEditTest, AWholeOneIsRecordedInLinesOfSome) {
  types::OwnCell cell;
  types::SortedSet set(cell, world_.hold().settings->types);
  for (int i = 0; i < 130; ++i) set.add(i, fmt::format("m{}", i));
  world_.space().set_collection(world_.hold(), kDb, World::key("z"), types::Type::sorted_set,
                                std::move(cell));
  const auto commands = world_.commands();
  std::size_t words = 0;
  for (const auto& command : commands) {
    if (command[0] != "ZADD") continue;
    EXPECT_LE(command.size(), 2u + 2 * 64);
    words += command.size() - 2;
  }
  EXPECT_EQ(words, 260u);
  EXPECT_EQ(elements("z").size(), 130u);
}

}  // namespace
}  // namespace slotcar::keyspace
