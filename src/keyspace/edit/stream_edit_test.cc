#include "keyspace/edit/stream_edit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

using types::StreamId;
using types::StreamTrim;
using Lines = std::vector<std::vector<std::string>>;

class StreamEdits : public testing::Test {
 protected:
  StreamEdit edit(std::string_view name = "s") {
    return StreamEdit(world_.space(), world_.hold(), kDb, World::key(name));
  }
  void add(std::uint64_t ms, std::string_view value = "v") {
    const std::vector<std::string_view> fields{"f", value};
    edit().add({ms, 0}, fields);
  }
  // Without the SELECT in front.
  Lines commands() {
    Lines all = world_.commands();
    if (!all.empty() && all.front().front() == "SELECT") all.erase(all.begin());
    return all;
  }

  World world_;
};

TEST_F(StreamEdits, EntriesAreRecordedWithTheirIds) {
  const std::vector<std::string_view> fields{"a", "1", "b", "2"};
  edit().add({5, 7}, fields);
  EXPECT_EQ(commands(), (Lines{{"XADD", "s", "5-7", "a", "1", "b", "2"}}));
  add(6);
  add(7);
  EXPECT_EQ(commands(), (Lines{{"XADD", "s", "6-0", "f", "v"}, {"XADD", "s", "7-0", "f", "v"}}));
}

TEST_F(StreamEdits, DeletionsAndTrimsAreExact) {
  for (std::uint64_t ms = 1; ms <= 6; ++ms) add(ms);
  commands();
  {
    StreamEdit s = edit();
    EXPECT_TRUE(s.erase({2, 0}));
    EXPECT_FALSE(s.erase({2, 0}));
    EXPECT_TRUE(s.erase({3, 0}));
  }
  EXPECT_EQ(commands(), (Lines{{"XDEL", "s", "2-0", "3-0"}}));
  StreamTrim trim;
  trim.by = StreamTrim::By::id;
  trim.min_id = {5, 0};
  EXPECT_EQ(edit().trim(trim), 2u);
  EXPECT_EQ(commands(), (Lines{{"XTRIM", "s", "MAXLEN", "=", "2"}}));
  EXPECT_EQ(edit().trim(trim), 0u);
  EXPECT_EQ(commands(), Lines{});
  edit().set_ids({9, 9}, {4, 0}, 17);
  EXPECT_EQ(commands(),
            (Lines{{"XSETID", "s", "9-9", "ENTRIESADDED", "17", "MAXDELETEDID", "4-0"}}));
}

TEST_F(StreamEdits, GroupsAreRecordedByOutcome) {
  const std::string now = std::to_string(world_.hold().now);
  add(1);
  commands();
  EXPECT_TRUE(edit().make_group("g", {}, -1));
  EXPECT_FALSE(edit().make_group("g", {}, -1));
  EXPECT_EQ(commands(),
            (Lines{{"XGROUP", "CREATE", "s", "g", "0-0", "MKSTREAM", "ENTRIESREAD", "-1"}}));
  {
    StreamEdit s = edit();
    const auto ann = s.see_consumer("g", "ann");
    EXPECT_TRUE(ann.made);
    EXPECT_FALSE(s.see_consumer("g", "ann").made);
    s.pass("g", {1, 0});
    s.assign("g", {{1, 0}, s.now(), 1, ann.number}, true);
    s.record_position("g");
  }
  EXPECT_EQ(commands(), (Lines{{"XGROUP", "CREATECONSUMER", "s", "g", "ann"},
                               {"XCLAIM", "s", "g", "ann", "0", "1-0", "TIME", now, "RETRYCOUNT",
                                "1", "FORCE", "JUSTID", "LASTID", "1-0"},
                               {"XGROUP", "SETID", "s", "g", "1-0", "ENTRIESREAD", "1"}}));
  EXPECT_TRUE(edit().acknowledge("g", {1, 0}));
  EXPECT_FALSE(edit().acknowledge("g", {1, 0}));
  EXPECT_EQ(edit().remove_consumer("g", "ann"), 0u);
  EXPECT_TRUE(edit().remove_group("g"));
  EXPECT_EQ(commands(), (Lines{{"XACK", "s", "g", "1-0"},
                               {"XGROUP", "DELCONSUMER", "s", "g", "ann"},
                               {"XGROUP", "DESTROY", "s", "g"}}));
}

// A stream lives on without entries; a key that was only read is not created.
TEST_F(StreamEdits, EmptyStreamsStay) {
  { EXPECT_EQ(edit().stream(), nullptr); }
  EXPECT_EQ(world_.space().keys(kDb), 0);
  add(1);
  EXPECT_TRUE(edit().erase({1, 0}));
  EXPECT_EQ(world_.space().keys(kDb), 1);
  EXPECT_EQ(world_.encoding("s"), "stream");
}

// All memory of a stream is freed with it.
TEST_F(StreamEdits, MemoryIsCounted) {
  world_.set("other", "x");  // the table exists
  const auto before = world_.memory();
  for (std::uint64_t ms = 1; ms <= 1000; ++ms) add(ms, "some value");
  edit().make_group("g", {}, -1);
  {
    StreamEdit s = edit();
    const auto ann = s.see_consumer("g", "ann").number;
    for (std::uint64_t ms = 1; ms <= 1000; ++ms) s.assign("g", {{ms, 0}, 1, 1, ann}, true);
  }
  EXPECT_GT(world_.memory(), before + 1000 * 30);
  for (std::uint64_t ms = 1; ms <= 500; ++ms) edit().acknowledge("g", {ms, 0});
  StreamTrim trim;
  trim.by = StreamTrim::By::length;
  trim.max_length = 10;
  edit().trim(trim);
  world_.space().remove(world_.hold(), kDb, World::key("s"));
  EXPECT_EQ(world_.memory(), before);
}

}  // namespace
}  // namespace slotcar::keyspace
