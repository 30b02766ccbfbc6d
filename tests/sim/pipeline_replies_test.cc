// Replies leave as soon as they are final, whatever follows them in the pipeline: each thing that a
// session can wait for stands at the end of a pipeline here, and the replies before it must arrive
// while it still waits. A command that is declared as blocking and has no recipe fails the test.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kSecond;
using world::Answer;
using world::describe;
using world::encode;
using world::SimNodeWorld;
using world::Words;

struct Recipe {
  std::vector<Words> before;  // on another connection
  Words blocks;               // for ever, as long as nothing happens
};

const std::map<std::string, Recipe>& recipes() {
  static const std::map<std::string, Recipe> all{
      {"blpop", {{}, {"BLPOP", "none", "0"}}},
      {"brpop", {{}, {"BRPOP", "none", "0"}}},
      {"blmove", {{}, {"BLMOVE", "none", "to", "LEFT", "RIGHT", "0"}}},
      {"brpoplpush", {{}, {"BRPOPLPUSH", "none", "to", "0"}}},
      {"blmpop", {{}, {"BLMPOP", "0", "1", "none", "LEFT"}}},
      {"bzpopmin", {{}, {"BZPOPMIN", "none", "0"}}},
      {"bzpopmax", {{}, {"BZPOPMAX", "none", "0"}}},
      {"bzmpop", {{}, {"BZMPOP", "0", "1", "none", "MIN"}}},
      {"xread", {{}, {"XREAD", "BLOCK", "0", "STREAMS", "none", "$"}}},
      {"xreadgroup",
       {{{"XGROUP", "CREATE", "stream", "group", "$", "MKSTREAM"}},
        {"XREADGROUP", "GROUP", "group", "me", "BLOCK", "0", "STREAMS", "stream", ">"}}},
      // Not blocking by their declarations, as in Redis.
      {"wait", {{}, {"WAIT", "1", "0"}}},
      {"waitaof", {{}, {"WAITAOF", "0", "1", "0"}}},
  };
  return all;
}

class Pipelines : public ::testing::TestWithParam<bool> {
 protected:
  bool resp3() const { return GetParam(); }
  void greet(SimNodeWorld& world) const {
    if (!resp3()) return;
    ASSERT_EQ(world.run("client", {"HELLO", "3"}).kind, Answer::Kind::reply);
  }
  static void expect_text(SimNodeWorld& world, const std::string& text) {
    const Answer answer = world.receive("client");
    EXPECT_EQ(answer.kind, Answer::Kind::reply) << describe(answer);
    EXPECT_EQ(answer.value.text, text);
  }
};

TEST_P(Pipelines, TheRepliesBeforeABlockingCommandDoNotWaitForIt) {
  std::size_t blocking = 0;
  {
    SimNodeWorld world(1, {});
    for (const schema::Registered& entry : world.node().registry().all()) {
      if (!has(entry.command->access, schema::Access::blocking)) continue;
      ++blocking;
      EXPECT_TRUE(recipes().contains(entry.lower_name))
          << entry.lower_name << " blocks and has no recipe in this test";
    }
  }
  EXPECT_GT(blocking, 0u);
  for (const auto& [name, recipe] : recipes()) {
    SCOPED_TRACE(name);
    SimNodeWorld world(2, {});
    for (const Words& words : recipe.before) world.run("other", words);
    greet(world);
    world.send("client", encode({"SET", "a", "1"}) + encode({"PING"}) + encode({"GET", "a"}) +
                             encode(recipe.blocks));
    expect_text(world, "OK");
    expect_text(world, "PONG");
    expect_text(world, "1");
    world.let_pass(kSecond);
    EXPECT_EQ(world.node().counters().waiting_now, 1);
  }
}

TEST_P(Pipelines, NorForTheEndOfAPause) {
  SimNodeWorld world(3, {});
  greet(world);
  world.send("client", encode({"SET", "a", "1"}) + encode({"CLIENT", "PAUSE", "100000", "WRITE"}) +
                           encode({"PING"}) + encode({"SET", "a", "2"}));
  expect_text(world, "OK");
  expect_text(world, "OK");
  expect_text(world, "PONG");
  world.let_pass(kSecond);
  EXPECT_EQ(world.node().counters().paused_now, 1);
}

TEST_P(Pipelines, NorForTheLogsRoom) {
  world::SimNodeOptions options;
  options.directory = "data";
  SimNodeWorld world(5, options);
  greet(world);
  world.run("client", {"SET", "a", "1"});
  world.let_pass(5 * kSecond);
  // The log's thread does not come back from a sync for a long time, and one record fills the log.
  world.sim().disk().set_options({.sync_time_max = 300 * kSecond});
  world.node().settings().durability.log.backlog_bytes_max = 1;
  world.run("other", {"SET", "b", "1"});
  world.let_pass(kSecond / 10);
  world.run("other", {"SET", "d", "1"});
  const runtime::Nanos begin = world.sim().world().now();
  world.send("client", encode({"GET", "a"}) + encode({"GET", "b"}) + encode({"SET", "c", "1"}) +
                           encode({"GET", "c"}));
  expect_text(world, "1");
  expect_text(world, "1");
  EXPECT_LT(world.sim().world().now() - begin, 5 * kSecond);
  expect_text(world, "OK");
  expect_text(world, "1");
  EXPECT_GT(world.sim().world().now() - begin, 50 * kSecond);
}

// A client that waits for the log's room when the disk begins to fail is refused like those that
// come later, and the reads around it are served.
TEST_P(Pipelines, AWriteThatWaitsForTheLogIsRefusedWhenTheDiskFails) {
  world::SimNodeOptions options;
  options.directory = "data";
  SimNodeWorld world(6, options);
  greet(world);
  bool broken = false;
  world.sim().disk().set_script([&](const runtime::DiskCall&) { return broken; });
  world.sim().disk().set_options({.sync_time_max = 5 * kSecond});
  world.node().settings().durability.log.backlog_bytes_max = 1;
  world.run("other", {"SET", "b", "1"});
  world.let_pass(kSecond / 10);
  world.run("other", {"SET", "d", "1"});  // not written yet: the log's thread is in a sync
  broken = true;
  world.send("client", encode({"GET", "b"}) + encode({"SET", "c", "1"}) + encode({"GET", "c"}));
  expect_text(world, "1");
  const Answer refused = world.receive("client");
  EXPECT_TRUE(refused.value.text.starts_with("MISCONF")) << describe(refused);
  EXPECT_EQ(world.receive("client").value.kind, resp::Value::Kind::null);
  broken = false;
  world.let_pass(10 * kSecond);
  EXPECT_EQ(world.run("client", {"SET", "c", "1"}).value.text, "OK");
}

INSTANTIATE_TEST_SUITE_P(Resp, Pipelines, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "Resp3" : "Resp2"; });

}  // namespace
}  // namespace slotcar::sim
