// `appendfsync always` beside a disk that hangs or fails: who waits, and who must not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kMillisecond;
using runtime::kSecond;
using runtime::Nanos;
using world::Answer;
using world::describe;
using world::encode;
using world::SimNodeWorld;
using world::Words;

class Always : public ::testing::Test {
 protected:
  Always() {
    world_.node().settings().durability.log.fsync = storage::Fsync::always;
    world_.sim().disk().set_script([this](const runtime::DiskCall&) { return broken_; });
    EXPECT_EQ(world_.run("first", {"SET", "before", "1"}).value.text, "OK");
    world_.let_pass(2 * kSecond);
  }
  static world::SimNodeOptions options() {
    world::SimNodeOptions options;
    options.directory = "data";
    options.pause_ppm = 0;
    return options;
  }
  // The log's thread does not come back from the next sync for a long time.
  void hang() {
    world_.sim().disk().set_options({.sync_time_max = 300 * kSecond});
    EXPECT_EQ(world_.run("first", {"SET", "before", "1"}).value.text, "OK");
    world_.let_pass(10 * kMillisecond);
  }
  Nanos now() { return world_.sim().world().now(); }
  Lsn durable() { return world_.node().scheduler().log()->durable(); }
  Lsn last() { return world_.node().scheduler().log()->last(); }
  // What an administrator asks while something is wrong, each on a connection of its own.
  void expect_administration() {
    const std::vector<Words> asked{{"INFO"},
                                   {"INFO", "persistence"},
                                   {"CONFIG", "GET", "*"},
                                   {"CONFIG", "SET", "slowlog-max-len", "100"},
                                   {"CLIENT", "LIST"},
                                   {"CLIENT", "ID"},
                                   {"TIME"},
                                   {"DBSIZE"},
                                   {"SLOWLOG", "GET"},
                                   {"SLOWLOG", "LEN"},
                                   {"LATENCY", "HISTOGRAM"},
                                   {"MEMORY", "STATS"},
                                   {"LASTSAVE"},
                                   {"COMMAND", "COUNT"},
                                   {"PING"},
                                   {"PUBLISH", "channel", "message"},
                                   {"PUBSUB", "CHANNELS"}};
    for (std::size_t i = 0; i < asked.size(); ++i) {
      SCOPED_TRACE(asked[i][0]);
      const Nanos begin = now();
      const Answer answer = world_.run("admin" + std::to_string(i), asked[i]);
      EXPECT_EQ(answer.kind, Answer::Kind::reply) << describe(answer);
      EXPECT_NE(answer.value.kind, resp::Value::Kind::error) << describe(answer);
      EXPECT_LT(now() - begin, 5 * kSecond);
    }
    const Words many[] = {{"MULTI"}, {"INFO"}, {"DBSIZE"}, {"EXEC"}};
    const Nanos begin = now();
    for (const Words& words : many) EXPECT_EQ(world_.run("block", words).kind, Answer::Kind::reply);
    EXPECT_LT(now() - begin, 5 * kSecond);
  }
  bool broken_ = false;
  SimNodeWorld world_{11, options()};
};

TEST_F(Always, AdministrationDoesNotWaitForADiskThatHangs) {
  hang();
  world_.send("writer", encode({"SET", "k", "1"}));
  world_.let_pass(10 * kMillisecond);
  ASSERT_LT(durable(), last());
  expect_administration();
  ASSERT_LT(durable(), last());
}

TEST_F(Always, AdministrationDoesNotWaitForADiskThatFails) {
  broken_ = true;
  world_.send("writer", encode({"SET", "k", "1"}));
  world_.let_pass(100 * kMillisecond);
  ASSERT_LT(durable(), last());
  expect_administration();
}

TEST_F(Always, AWriterThatIsStillThereWhenSpaceReturnsGetsItsReply) {
  broken_ = true;
  world_.send("writer", encode({"SET", "k", "1"}));
  world_.let_pass(5 * kSecond);
  broken_ = false;
  EXPECT_EQ(world_.receive("writer").value.text, "OK");
  EXPECT_GE(durable(), last());
}

}  // namespace
}  // namespace slotcar::sim
