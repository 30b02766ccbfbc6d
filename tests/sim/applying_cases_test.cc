// What was acknowledged is there after a start with other settings, or the start says which setting
// it needs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "resp/format.h"
#include "sim/random_values.h"
#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_writer.h"
#include "types/stream/stream.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using world::Words;

enum class Kept { by_log, by_snapshot };

class AfterAStart : public testing::TestWithParam<Kept> {
 protected:
  std::string run(const Words& words) {
    const world::Answer answer = world_.run("", words);
    return world::describe(answer);
  }
  Status restart(const world::SimNode::Changes& changes = {}) {
    if (GetParam() == Kept::by_snapshot) {
      EXPECT_EQ(run({"SAVE"}), "+OK");
    }
    world_.disconnect("");
    return world_.sim().restart(changes);
  }

  static world::SimNodeOptions options() {
    world::SimNodeOptions made;
    made.directory = "data";
    made.appendonly = GetParam() == Kept::by_log;
    return made;
  }
  world::SimNodeWorld world_{1, options()};
};

TEST_P(AfterAStart, StringsMayBeLongerThanTodaysLimit) {
  EXPECT_EQ(run({"CONFIG", "SET", "proto-max-bulk-len", "4mb"}), "+OK");
  EXPECT_EQ(run({"SETRANGE", "range", "3000000", "x"}), ":3000001");
  EXPECT_EQ(run({"SETBIT", "bit", "24000000", "1"}), ":0");
  EXPECT_EQ(run({"BITFIELD", "field", "SET", "u8", "24000000", "7"}), "1) :0");
  EXPECT_EQ(run({"APPEND", "range", "more"}), ":3000005");
  ASSERT_TRUE(restart({{"proto-max-bulk-len", "1mb"}}));
  EXPECT_EQ(run({"STRLEN", "range"}), ":3000005");
  EXPECT_EQ(run({"GETRANGE", "range", "3000000", "-1"}), "\"xmore\"");
  EXPECT_EQ(run({"STRLEN", "bit"}), ":3000001");
  EXPECT_EQ(run({"STRLEN", "field"}), ":3000001");
  // For clients the limit is today's.
  EXPECT_EQ(run({"APPEND", "range", "x"}).substr(0, 4), "-ERR");
}

TEST_P(AfterAStart, MissingDatabasesAreNamedAndNothingIsLost) {
  EXPECT_EQ(run({"SET", "a", "1"}), "+OK");
  EXPECT_EQ(run({"COPY", "a", "b", "DB", "12"}), ":1");
  EXPECT_EQ(run({"SELECT", "9"}), "+OK");
  EXPECT_EQ(run({"SET", "c", "2"}), "+OK");
  EXPECT_EQ(run({"SELECT", "0"}), "+OK");
  for (const char* databases : {"4", "10", "12"}) {
    const Status refused = restart({{"databases", databases}});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("start with 'databases 13' or more"), std::string::npos)
        << refused.error().message;
    if (GetParam() == Kept::by_snapshot) break;  // no client can ask for another
  }
  ASSERT_TRUE(world_.sim().restart({{"databases", "13"}}));
  EXPECT_EQ(run({"GET", "a"}), "\"1\"");
  EXPECT_EQ(run({"SELECT", "12"}), "+OK");
  EXPECT_EQ(run({"GET", "b"}), "\"1\"");
  EXPECT_EQ(run({"SELECT", "9"}), "+OK");
  EXPECT_EQ(run({"GET", "c"}), "\"2\"");
}

TEST_P(AfterAStart, MovedAndExchangedDatabasesAreNamed) {
  EXPECT_EQ(run({"SET", "a", "1"}), "+OK");
  EXPECT_EQ(run({"MOVE", "a", "3"}), ":1");
  EXPECT_EQ(run({"SWAPDB", "3", "14"}), "+OK");
  const Status refused = restart({{"databases", "3"}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("start with 'databases 15' or more"), std::string::npos)
      << refused.error().message;
  ASSERT_TRUE(world_.sim().restart({{"databases", "15"}}));
  EXPECT_EQ(run({"SELECT", "14"}), "+OK");
  EXPECT_EQ(run({"GET", "a"}), "\"1\"");
}

std::string odd_stream() {
  const types::Settings settings;
  types::OwnCell cell;
  types::Stream stream(cell, settings);
  stream.make();
  stream.add({0, 1}, {});  // without fields
  const std::vector<std::string_view> fields = {"f", "v"};
  stream.add({5, 0}, fields);
  stream.add({6, 0}, fields);
  stream.make_group("g", {6, 0}, 3);
  stream.change_group("g", [](types::ConsumerGroup& group) {
    const auto ann = group.make_consumer("ann", 1000);
    group.make_consumer("bob", 1000);
    for (const types::StreamId& id : {types::StreamId{5, 0}, types::StreamId{6, 0}}) {
      group.assign({.id = id, .delivered_at = 2000, .deliveries = 3, .consumer = ann});
    }
  });
  stream.erase({5, 0});  // and still pending
  std::string payload;
  storage::RdbWriter out(payload);
  storage::write_collection(out, types::Type::stream, cell.view());
  storage::seal_payload(payload);
  return payload;
}

TEST_P(AfterAStart, AStreamHasItsDeletedEntriesPending) {
  EXPECT_EQ(run({"RESTORE", "x", "0", odd_stream()}), "+OK");
  const auto seen = [&] {
    return run({"XPENDING", "x", "g"}) +
           run({"XPENDING", "x", "g", "-", "+", "9", "ann"}).substr(0, 30) +
           run({"XRANGE", "x", "-", "+"}) + run({"XINFO", "STREAM", "x"});
  };
  const std::string before = seen();
  EXPECT_NE(before.find(":2"), std::string::npos);
  ASSERT_TRUE(restart());
  EXPECT_EQ(seen(), before);
}

// Whatever RESTORE accepts.
TEST_P(AfterAStart, RestoredValuesAreTheSame) {
  runtime::SimDice dice(7);
  constexpr int kKeys = 300;
  std::vector<std::string> before;
  const auto digest = [&](int i) { return run({"DEBUG", "DIGEST-VALUE", std::to_string(i)}); };
  ASSERT_TRUE(world_.sim().restart({{"enable-debug-command", "yes"}}));
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_EQ(run({"RESTORE", std::to_string(i), "0", random_payload(dice, Ends::no)}), "+OK");
    before.push_back(digest(i));
  }
  ASSERT_TRUE(restart({{"enable-debug-command", "yes"}, {"proto-max-bulk-len", "1mb"}}));
  for (int i = 0; i < kKeys; ++i) EXPECT_EQ(digest(i), before[static_cast<std::size_t>(i)]) << i;
}

INSTANTIATE_TEST_SUITE_P(All, AfterAStart, testing::Values(Kept::by_log, Kept::by_snapshot),
                         [](const auto& one) {
                           return one.param == Kept::by_log ? "Log" : "Snapshot";
                         });

}  // namespace
}  // namespace slotcar::sim
