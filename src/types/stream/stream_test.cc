#include "types/stream/stream.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace slotcar::types {
namespace {

using Entries = std::map<StreamId, std::vector<std::string>>;

std::vector<std::string_view> views(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> fields_at(const StreamCursor& at) {
  std::vector<std::string> found;
  at.for_each_field([&](const Element& field, const Element& value) {
    found.push_back(field.copy());
    found.push_back(value.copy());
  });
  return found;
}

Entries entries_of(const StreamObject& stream, const StreamId& from = {},
                   const StreamId& to = StreamId::max(), bool backwards = false) {
  Entries found;
  for (StreamCursor at(stream, from, to, backwards); at.found(); at.next()) {
    EXPECT_EQ(at.fields() * 2, fields_at(at).size());
    found[at.id()] = fields_at(at);
  }
  return found;
}

StreamId some_id() {
  return {*rc::gen::inRange<std::uint64_t>(0, 40), *rc::gen::inRange<std::uint64_t>(0, 4)};
}

std::vector<std::string> some_fields() {
  const std::vector<std::vector<std::string>> names{{"a"}, {"a", "b"}, {"17"}, {"x", "y", "z"}};
  std::vector<std::string> fields;
  for (const std::string& name : *rc::gen::elementOf(names)) {
    fields.push_back(name);
    fields.push_back(std::string(static_cast<std::size_t>(*rc::gen::inRange(0, 90)), 'v'));
  }
  return fields;
}

// A stream beside a plain map.
struct Both {
  Settings settings;
  OwnCell cell;
  Stream stream{cell, settings};
  Entries model;

  const StreamObject& seen() { return *stream.get(); }

  void add() {
    StreamId id = seen().last_id();
    id.ms += *rc::gen::inRange<std::uint64_t>(0, 2);
    id.step_up();
    const auto fields = some_fields();
    stream.add(id, views(fields));
    model[id] = fields;
  }
  void erase() {
    const StreamId id = some_id();
    RC_ASSERT(stream.erase(id) == (model.erase(id) != 0));
  }
  void trim_by_length() {
    StreamTrim trim;
    trim.by = StreamTrim::By::length;
    trim.max_length = *rc::gen::inRange<std::uint64_t>(0, 20);
    trim.whole_leaves = *rc::gen::arbitrary<bool>();
    const std::size_t gone = stream.trim(trim);
    if (!trim.whole_leaves) {
      RC_ASSERT(seen().size() == std::min<std::size_t>(model.size(), trim.max_length));
    }
    for (std::size_t n = 0; n < gone; ++n) model.erase(model.begin());
  }
  void trim_by_id() {
    StreamTrim trim;
    trim.by = StreamTrim::By::id;
    trim.min_id = some_id();
    const std::size_t gone = stream.trim(trim);
    const auto stay = model.lower_bound(trim.min_id);
    RC_ASSERT(static_cast<std::size_t>(std::distance(model.begin(), stay)) == gone);
    model.erase(model.begin(), stay);
  }
  void compare_interval(const StreamId& low, const StreamId& high) {
    Entries between;
    for (const auto& [id, fields] : model) {
      if (low <= id && id <= high) between[id] = fields;
    }
    RC_ASSERT(entries_of(seen(), low, high) == between);
    RC_ASSERT(entries_of(seen(), low, high, true) == between);
    RC_ASSERT(seen().count_between(low, high) == between.size());
  }
  void compare() {
    RC_ASSERT(entries_of(seen()) == model);
    RC_ASSERT(entries_of(seen(), {}, StreamId::max(), true) == model);
    std::size_t leaves = 0;
    seen().for_each_leaf([&](const StreamLeaf& leaf) {
      ++leaves;
      RC_ASSERT(ListpackView::is_valid(leaf.pack().bytes()));
    });
    RC_ASSERT(leaves == seen().leaves());
  }
};

// Through adding, deleting, trimming it stays that map, and pins stay what they were.
RC_GTEST_PROP(Stream, IsAMapOfIds, ()) {
  Both both;
  both.settings.stream_node_max_entries = *rc::gen::inRange(1, 8);
  both.settings.stream_node_max_bytes = *rc::gen::elementOf(std::vector<int>{0, 100, 4096});
  both.stream.make();
  std::vector<std::pair<OwnCell, Entries>> pins;
  const int steps = *rc::gen::inRange(0, 150);
  for (int i = 0; i < steps; ++i) {
    const int what = *rc::gen::inRange(0, 8);
    if (what < 4) both.add();
    if (what == 4) both.erase();
    if (what == 5) both.trim_by_length();
    if (what == 6) both.trim_by_id();
    if (what == 7) pins.emplace_back(OwnCell::pin(both.cell.view()), both.model);
    RC_ASSERT(both.seen().size() == both.model.size());
    RC_ASSERT(both.seen().first_id() ==
              (both.model.empty() ? StreamId{} : both.model.begin()->first));
  }
  both.compare();
  both.compare_interval(some_id(), some_id());
  const StreamId id = some_id();
  RC_ASSERT(both.seen().has(id) == both.model.contains(id));
  for (const auto& [pin, then] : pins) {
    RC_ASSERT(entries_of(static_cast<const StreamObject&>(*pin.view().tree)) == then);
  }
}

// A stream built from the leaves of another is the same; a leaf out of order is refused.
TEST(Stream, IsBuiltFromLeaves) {
  Settings settings;
  settings.stream_node_max_entries = 10;
  OwnCell cell;
  Stream stream(cell, settings);
  stream.make();
  for (std::uint64_t ms = 1; ms <= 95; ++ms) {
    const std::vector<std::string> fields{"n", std::to_string(ms)};
    stream.add({ms, 0}, views(fields));
  }
  stream.erase({3, 0});
  OwnCell other;
  Stream built(other, settings);
  built.make();
  const StreamLeaf* last = nullptr;
  stream.get()->for_each_leaf([&](const StreamLeaf& leaf) {
    ASSERT_TRUE(built.append_leaf(leaf.master_id(), leaf.pack().bytes()));
    last = &leaf;
  });
  EXPECT_EQ(entries_of(*built.get()), entries_of(*stream.get()));
  EXPECT_EQ(built.get()->first_id(), stream.get()->first_id());
  EXPECT_EQ(built.get()->last_id(), stream.get()->last_id());
  EXPECT_FALSE(built.append_leaf(last->master_id(), last->pack().bytes()));
  EXPECT_FALSE(built.append_leaf({1000, 0}, "no listpack"));
}

TEST(Stream, NextId) {
  StreamId id;
  ASSERT_TRUE(next_stream_id({5, 7}, 6, id));
  EXPECT_EQ(id, (StreamId{6, 0}));
  ASSERT_TRUE(next_stream_id({5, 7}, 5, id));
  EXPECT_EQ(id, (StreamId{5, 8}));
  ASSERT_TRUE(next_stream_id({5, UINT64_MAX}, 1, id));
  EXPECT_EQ(id, (StreamId{6, 0}));
  EXPECT_FALSE(next_stream_id(StreamId::max(), 1, id));
}

// --- ids ---------------------------------------------------------------------------------------

TEST(StreamId, ReadsAsRedisDoes) {
  const auto read = [](std::string_view text) {
    StreamId id;
    return read_stream_id(text, 9, id) ? id.text() : "none";
  };
  EXPECT_EQ(read("5-1"), "5-1");
  EXPECT_EQ(read("5"), "5-9");
  EXPECT_EQ(read("007-003"), "7-3");
  EXPECT_EQ(read("+7-+3"), "7-3");
  EXPECT_EQ(read("18446744073709551615-18446744073709551615"), StreamId::max().text());
  EXPECT_EQ(read("18446744073709551616"), "none");
  EXPECT_EQ(read("8--03"), "8-18446744073709551613");
  for (const std::string_view text : {"", "-", "+", "-5", "5-", "5-*", "*", "a", "1-2-3", "5-x"}) {
    EXPECT_EQ(read(text), "none") << text;
  }
  EXPECT_EQ(read(std::string_view("5-1\0x", 5)), "5-1");
  EXPECT_EQ(read(std::string(128, '1')), "none");
}

TEST(StreamId, Steps) {
  StreamId id{3, UINT64_MAX};
  ASSERT_TRUE(id.step_up());
  EXPECT_EQ(id, (StreamId{4, 0}));
  ASSERT_TRUE(id.step_down());
  EXPECT_EQ(id, (StreamId{3, UINT64_MAX}));
  id = {};
  EXPECT_FALSE(id.step_down());
  id = StreamId::max();
  EXPECT_FALSE(id.step_up());
}

}  // namespace
}  // namespace slotcar::types
