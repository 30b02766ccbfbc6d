#include "types/stream/stream_leaf.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace slotcar::types {
namespace {

struct Free {
  void operator()(StreamLeaf* leaf) const { StreamLeaf::free(leaf); }
};
using Owned = std::unique_ptr<StreamLeaf, Free>;

void append(Owned& owned, const StreamId& id, const std::vector<std::string_view>& fields) {
  StreamLeaf* leaf = owned.release();
  StreamLeaf::append(leaf, id, fields);
  owned.reset(leaf);
}

void remove(Owned& owned, const StreamId& id) {
  StreamLeaf* leaf = owned.release();
  StreamLeaf::Record record;
  bool found = leaf->first(record);
  while (found && record.id != id) found = leaf->next(record);
  ASSERT_TRUE(found);
  StreamLeaf::mark_deleted(leaf, record);
  owned.reset(leaf);
}

std::string bytes_of(const Owned& leaf) {
  return std::string(leaf->pack().bytes());
}

// The contents of DUMP of Redis 7.0 after the same calls.
TEST(StreamLeaf, IsRedisNode) {
  const std::string v70(70, 'v');
  const std::vector<std::string_view> first{"name", "ann", "age", "12"};
  Owned leaf(StreamLeaf::make({1000, 5}, first));
  append(leaf, {1000, 6}, {"name", "bob", "age", "-70000"});
  append(leaf, {1001, 0}, {"other", v70});
  append(leaf, {99999999999, 3}, {"name", "9223372036854775807", "age", "x"});
  remove(leaf, {1000, 6});

  const char head[] =
      "\xb4\x00\x00\x00\x1f\x00\x03\x01\x01\x01\x02\x01\x84name\x05\x83"
      "age\x04\x00\x01\x02\x01"
      "\x00\x01\x00\x01\x83"
      "ann\x04\x0c\x01\x05\x01\x03\x01\x00\x01\x01\x01\x83"
      "bob\x04\xf2\x90"
      "\xee\xfe\x04\x05\x01\x00\x01\x01\x01\xdf\xfb\x02\x01\x01\x85other\x06\xe0"
      "F";
  const char tail[] =
      "H\x06\x01\x02\x01\xf4\x17\xe4vH\x17\x00\x00\x00\t\xdf\xfe\x02\xf4\xff\xff\xff\xff\xff\xff"
      "\xff\x7f\t\x81x\x02\x05\x01\xff";
  const std::string expected =
      std::string(head, sizeof head - 1) + v70 + std::string(tail, sizeof tail - 1);
  EXPECT_EQ(bytes_of(leaf), expected);
  EXPECT_EQ(leaf->items(), 3u);
  EXPECT_EQ(leaf->deleted(), 1u);
  EXPECT_EQ(leaf->last_id(), (StreamId{99999999999, 3}));
}

// The counts in the master entry take more bytes from 128 on, and fewer again below.
TEST(StreamLeaf, CountsMayGrowAndShrink) {
  const std::vector<std::string_view> fields{"f", "v"};
  Owned leaf(StreamLeaf::make({1, 0}, fields));
  for (std::uint64_t ms = 2; ms <= 300; ++ms) append(leaf, {ms, 0}, {"f", "v"});
  for (std::uint64_t ms = 1; ms <= 290; ++ms) {
    remove(leaf, {ms, 0});
    ASSERT_TRUE(ListpackView::is_valid(leaf->pack().bytes()));
    ASSERT_EQ(leaf->items(), 300 - ms);
    ASSERT_EQ(leaf->deleted(), ms);
  }
  StreamLeaf::Record record;
  std::size_t living = 0;
  for (bool found = leaf->last(record); found; found = leaf->prev(record)) {
    living += !record.deleted;
  }
  EXPECT_EQ(living, 10u);
}

TEST(StreamLeaf, TrimsFromTheFront) {
  const std::vector<std::string_view> fields{"f", "v"};
  Owned leaf(StreamLeaf::make({1, 0}, fields));
  for (std::uint64_t ms = 2; ms <= 10; ++ms) append(leaf, {ms, 0}, {"f", "v"});
  remove(leaf, {2, 0});
  StreamLeaf* raw = leaf.release();
  EXPECT_EQ(StreamLeaf::mark_front(raw, 2, StreamId::max()), 2u);  // 1 and 3
  EXPECT_EQ(StreamLeaf::mark_front(raw, 100, {5, 0}), 2u);         // 4 and 5
  EXPECT_EQ(StreamLeaf::mark_front(raw, 100, {5, 0}), 0u);
  leaf.reset(raw);
  EXPECT_EQ(leaf->items(), 5u);
  EXPECT_EQ(leaf->deleted(), 5u);
}

TEST(StreamLeaf, ShrinkKeepsEverything) {
  const std::vector<std::string_view> fields{"field", "a value that is not short"};
  Owned leaf(StreamLeaf::make({1, 0}, fields));
  for (std::uint64_t ms = 2; ms <= 20; ++ms) append(leaf, {ms, 0}, fields);
  const std::string before = bytes_of(leaf);
  StreamLeaf* raw = leaf.release();
  StreamLeaf::shrink(raw);
  leaf.reset(raw);
  EXPECT_EQ(bytes_of(leaf), before);
  EXPECT_EQ(leaf->items(), 20u);
  EXPECT_LT(leaf->footprint(), before.size() + before.size() / 4 + 64);
}

// Untrusted bytes: a leaf made here is accepted unchanged. With one byte changed it is refused, or
// can be walked in both directions over the same entries.
TEST(StreamLeaf, TakesOnlyWhatIsOne) {
  const std::vector<std::string_view> fields{"name", "ann", "age", "12"};
  Owned leaf(StreamLeaf::make({7, 1}, fields));
  append(leaf, {7, 2}, {"name", "bob", "age", "13"});
  append(leaf, {8, 0}, {"other", "x"});
  remove(leaf, {7, 2});
  const std::string good = bytes_of(leaf);
  Owned again(StreamLeaf::from_outside({7, 1}, good));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(bytes_of(again), good);
  EXPECT_EQ(again->items(), 2u);

  std::size_t taken = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = good;
      changed[at] = static_cast<char>(value);
      Owned other(StreamLeaf::from_outside({7, 1}, changed));
      if (!other) continue;
      ++taken;
      std::size_t forwards = 0;
      std::size_t backwards = 0;
      std::size_t living = 0;
      StreamId before;
      StreamLeaf::Record record;
      for (bool found = other->first(record); found; found = other->next(record)) {
        ASSERT_LT(before, record.id);
        before = record.id;
        living += !record.deleted;
        ++forwards;
        other->for_each_field(record, [](const Element& f, const Element& v) {
          (void)f.copy();
          (void)v.copy();
        });
      }
      for (bool found = other->last(record); found; found = other->prev(record)) ++backwards;
      ASSERT_EQ(forwards, backwards);
      ASSERT_EQ(living, other->items());
    }
  }
  EXPECT_GT(taken, good.size());  // at least itself, once for each byte
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(StreamLeaf::from_outside({7, 1}, good.substr(0, size)), nullptr);
  }
}

}  // namespace
}  // namespace slotcar::types
