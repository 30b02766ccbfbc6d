#include "keyspace/edit/set_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

using types::Element;

class SetEditTest : public testing::Test {
 protected:
  SetEdit open(std::string_view name) {
    return SetEdit(world_.space(), world_.hold(), kDb, World::key(name));
  }
  void add(std::string_view name, int from, int to) {
    auto set = open(name);
    for (int i = from; i < to; ++i) set.add(Element::of(fmt::format("m{}", i)));
  }
  bool exists(std::string_view name) {
    return world_.space().peek(world_.hold(), kDb, World::key(name)) != nullptr;
  }
  std::set<std::string> members(std::string_view name) {
    std::set<std::string> found;
    open(name).view_set().for_each([&](const Element& member) {
      found.insert(member.copy());
      return true;
    });
    return found;
  }

  World world_;
};

TEST_F(SetEditTest, ChangesAreRecordedOnALineEach) {
  {
    auto set = open("s");
    EXPECT_FALSE(set.existed());
    EXPECT_TRUE(set.add(Element::of("a")));
    EXPECT_TRUE(set.add(Element::of("7")));
    EXPECT_FALSE(set.add(Element::of("a")));
  }
  EXPECT_EQ(world_.effects(), "SELECT 0\nSADD s a 7\n");
  {
    auto set = open("s");
    EXPECT_TRUE(set.remove(Element::of("7")));
    EXPECT_FALSE(set.remove(Element::of("7")));
  }
  EXPECT_EQ(world_.effects(), "SELECT 0\nSREM s 7\n");
  open("s").remove_at(0);
  EXPECT_EQ(world_.effects(), "SELECT 0\nSREM s a\n");
  EXPECT_FALSE(exists("s"));
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SetEditTest, EditsOfDifferentKeysDoNotShareALine) {
  for (const char* name : {"s", "t"}) {
    auto set = open(name);
    set.add(Element::of("a"));
  }
  EXPECT_EQ(world_.effects(), "SELECT 0\nSADD s a\nSADD t a\n");
}

TEST_F(SetEditTest, WhatWasNeverFilledIsNotLeftBehind) {
  {
    auto set = open("s");
    set.expect(Element::of("a"), 1000);
    EXPECT_FALSE(set.remove(Element::of("a")));
  }
  EXPECT_FALSE(exists("s"));
  EXPECT_EQ(world_.effects(), "");
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SetEditTest, MemoryIsCountedInEveryForm) {
  std::int64_t before = 0;
  for (const int size : {1, 10, 100, 200, 3000}) {
    add("s", 0, size);
    EXPECT_GT(world_.memory(), before);
    before = world_.memory();
  }
  for (int i = 0; i < 2999; ++i) open("s").remove(Element::of(fmt::format("m{}", i)));
  EXPECT_LT(world_.memory(), before / 50);
  open("s").remove(Element::of("m2999"));
  EXPECT_FALSE(exists("s"));
  EXPECT_EQ(world_.memory(), 0);
}

TEST_F(SetEditTest, ATreeIsExchangedForWhatIsLeftOfIt) {
  for (const std::size_t left : {1000u, 1u}) {
    add("s", 0, 2000);
    world_.space().set_expiry(world_.hold(), kDb, World::key("s"), world_.hold().now + 9);
    world_.effects();
    std::vector<std::size_t> ranks;
    for (std::size_t i = left; i < 2000; ++i) ranks.push_back(i);
    {
      auto set = open("s");
      types::OwnCell rest;
      types::Set made(rest, set.settings());
      for (std::size_t i = 0; i < left; ++i) made.add(set.view_set().at_rank(i));
      set.exchange_after_removal(std::move(rest), ranks);
    }
    const auto after = members("s");
    EXPECT_EQ(after.size(), left);
    EXPECT_EQ(world_.expiry("s"), world_.hold().now + 9);
    // The record contains exactly the removed members.
    std::set<std::string> told;
    for (const auto& command : world_.commands()) {
      if (command[0] != "SREM") continue;
      EXPECT_EQ(command[1], "s");
      told.insert(command.begin() + 2, command.end());
    }
    EXPECT_EQ(told.size(), 2000 - left);
    for (const std::string& member : after) EXPECT_FALSE(told.contains(member));
    world_.space().remove(world_.hold(), kDb, World::key("s"));
    EXPECT_EQ(world_.memory(), 0);
  }
}

TEST_F(SetEditTest, AWholeSetIsRecordedSomeMembersALine) {
  types::OwnCell cell;
  types::Set made(cell, world_.settings().types);
  for (int i = 0; i < 150; ++i) made.add(Element::of(std::int64_t{i}));
  world_.set("s", "something else");
  world_.effects();
  world_.space().set_collection(world_.hold(), kDb, World::key("s"), types::Type::set,
                                std::move(cell), world_.hold().now + 5);
  const auto commands = world_.commands();
  std::set<std::string> told;
  std::size_t lines = 0;
  for (const auto& command : commands) {
    if (command[0] != "SADD") continue;
    ++lines;
    told.insert(command.begin() + 2, command.end());
  }
  EXPECT_EQ(lines, 3u);
  EXPECT_EQ(told, members("s"));
  EXPECT_EQ(told.size(), 150u);
  EXPECT_EQ(commands.back()[0], "PEXPIREAT");
}

}  // namespace
}  // namespace slotcar::keyspace
