#include "keyspace/edit/list_edit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

using End = ListEdit::End;

ListEdit edit(World& world, std::string_view name = "k") {
  return ListEdit(world.space(), world.hold(), kDb, World::key(name));
}

std::vector<std::string> elements(World& world, std::string_view name = "k") {
  const Entry* entry = world.space().peek(world.hold(), kDb, World::key(name));
  std::vector<std::string> found;
  if (entry == nullptr) return found;
  const types::ListView list(entry->cell());
  list.visit(0, list.size(), [&](const types::Element& e) { found.push_back(e.copy()); });
  return found;
}

void push(World& world, End end, std::vector<std::string_view> texts) {
  edit(world).push(end, texts);
}

TEST(ListEdit, EveryChangeIsRecorded) {
  World world;
  push(world, End::tail, {"a", "b", "c"});
  push(world, End::head, {"1", "2"});
  EXPECT_EQ(world.effects(), "SELECT 0\nRPUSH k a b c\nLPUSH k 1 2\n");
  edit(world).drop(End::head, 1);
  edit(world).drop(End::tail, 2);
  edit(world).set(0, "x");
  EXPECT_TRUE(edit(world).insert(ListEdit::Side::after, "x", "y"));
  EXPECT_FALSE(edit(world).insert(ListEdit::Side::before, "nothing", "y"));
  EXPECT_EQ(edit(world).remove("x", End::tail, 5), 1u);
  EXPECT_EQ(edit(world).remove("nothing", End::tail, 5), 0u);
  EXPECT_EQ(world.effects(),
            "SELECT 0\nLPOP k\nRPOP k 2\nLSET k 0 x\nLINSERT k AFTER x y\nLREM k -1 x\n");
  EXPECT_EQ(elements(world), (std::vector<std::string>{"y", "a"}));
  edit(world).trim(0, 2);
  EXPECT_EQ(world.effects(), "") << "a trim of nothing is no change";
  edit(world).trim(1, 1);
  edit(world).trim(0, 0);
  EXPECT_EQ(world.effects(), "SELECT 0\nLTRIM k 1 1\nDEL k\n");
  EXPECT_EQ(world.space().keys(kDb), 0);
}

TEST(ListEdit, AnEmptiedListIsGone) {
  World world;
  push(world, End::tail, {"a"});
  edit(world).drop(End::tail, 1);
  EXPECT_EQ(world.space().keys(kDb), 0);
  // Emptied and filled again within one edit it is the same key.
  push(world, End::tail, {"a"});
  world.space().set_expiry(world.hold(), kDb, World::key("k"), world.hold().now + 1000);
  {
    ListEdit list = edit(world);
    list.drop(End::tail, 1);
    list.push(End::head, "a");
  }
  EXPECT_EQ(world.expiry("k"), world.hold().now + 1000);
}

TEST(ListEdit, OtherTypesAreNotOpened) {
  World world;
  world.set("k", "text");
  EXPECT_TRUE(edit(world).wrong_type());
  EXPECT_EQ(world.get("k"), "text");
}

TEST(ListEdit, AWholeListIsRecordedInLines) {
  World world;
  types::OwnCell cell;
  types::List list(cell, world.settings().types);
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("element " + std::to_string(i));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  list.push(End::tail, views);
  world.space().set_collection(world.hold(), kDb, World::key("k"), types::Type::list,
                               std::move(cell));
  std::vector<std::string> recorded;
  for (const auto& command : world.commands()) {
    if (command[0] == "SELECT") continue;
    EXPECT_EQ(command[0], "RPUSH");
    EXPECT_LE(command.size(), 66u);
    recorded.insert(recorded.end(), command.begin() + 2, command.end());
  }
  EXPECT_EQ(recorded, texts);
  EXPECT_EQ(elements(world), texts);
}

// Applies recorded effects, as recovery and replicas do.
void apply_all(World& world, const std::vector<std::vector<std::string>>& commands) {
  for (const auto& command : commands) {
    const std::string& name = command[0];
    if (name == "SELECT") continue;
    const std::vector<std::string_view> words(command.begin() + 2, command.end());
    if (name == "DEL") {
      world.space().remove(world.hold(), kDb, World::key("k"));
      continue;
    }
    ListEdit list = edit(world);
    const auto number = [&](std::size_t i) { return std::stoll(command[i]); };
    if (name == "LPUSH" || name == "RPUSH") {
      list.push(name == "LPUSH" ? End::head : End::tail, words);
    } else if (name == "LPOP" || name == "RPOP") {
      const auto count = words.empty() ? 1 : static_cast<std::size_t>(number(2));
      list.drop(name == "LPOP" ? End::head : End::tail, count);
    } else if (name == "LSET") {
      list.set(static_cast<std::size_t>(number(2)), words[1]);
    } else if (name == "LINSERT") {
      list.insert(words[0] == "BEFORE" ? ListEdit::Side::before : ListEdit::Side::after, words[1],
                  words[2]);
    } else if (name == "LREM") {
      const auto count = number(2);
      list.remove(words[1], count < 0 ? End::tail : End::head,
                  static_cast<std::size_t>(std::abs(count)));
    } else if (name == "LTRIM") {
      const auto from = static_cast<std::size_t>(number(2));
      list.trim(from, static_cast<std::size_t>(number(3)) + 1 - from);
    } else {
      FAIL() << name;
    }
  }
}

void change(ListEdit& list) {
  const std::string text(*rc::gen::element<std::size_t>(0, 1, 2, 30, 700),
                         static_cast<char>('a' + *rc::gen::inRange(0, 3)));
  const End end = *rc::gen::arbitrary<bool>() ? End::head : End::tail;
  const std::size_t size = list.size();
  const auto below = [](std::size_t bound) { return *rc::gen::inRange<std::size_t>(0, bound); };
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      if (size > 0) list.drop(end, 1 + below(size));
      return;
    case 1:
      if (size > 0) list.set(below(size), text);
      return;
    case 2:
      list.insert(ListEdit::Side::before, text, "inserted");
      return;
    case 3:
      list.remove(text, end, 1 + below(3));
      return;
    case 4:
      if (size > 0) list.trim(below(size), 1);
      return;
    default: {
      const std::vector<std::string_view> texts(1 + below(30), text);
      list.push(end, texts);
    }
  }
}

// Applying the recorded effects elsewhere gives the same list; and all memory is freed in the end.
RC_GTEST_PROP(ListEdit, EffectsRepeatTheChanges, ()) {
  World world;
  World other;
  other.hold().applying = true;
  world.settings().types.list_max_listpack_size = *rc::gen::element(-2, 3, 64);
  // The tables are made with the first key and stay.
  world.set("k", "x");
  world.space().remove(world.hold(), kDb, World::key("k"));
  world.commands();
  const std::int64_t before = world.memory();
  const int edits = *rc::gen::inRange(1, 40);
  for (int i = 0; i < edits; ++i) {
    ListEdit list = edit(world);
    const int changes = *rc::gen::inRange(1, 4);
    for (int j = 0; j < changes; ++j) change(list);
  }
  apply_all(other, world.commands());
  RC_ASSERT(elements(world) == elements(other));
  world.space().remove(world.hold(), kDb, World::key("k"));
  RC_ASSERT(world.memory() == before);
}

}  // namespace
}  // namespace slotcar::keyspace
