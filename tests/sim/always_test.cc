// `appendfsync always` beside a disk that hangs or fails: who waits, and who must not.
#include <gtest/gtest.h>

#include <string>
#include <utility>
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
  void heal() {
    world_.sim().disk().set_options({});
    while (durable() < last()) world_.let_pass(kSecond);
  }
  void expect_unsynced(std::string_view connection) {
    const Answer answer = world_.receive(connection);
    EXPECT_EQ(answer.kind, Answer::Kind::reply);
    EXPECT_TRUE(answer.value.is_error()) << describe(answer);
    EXPECT_TRUE(answer.value.text.starts_with("UNSYNCED")) << describe(answer);
  }
  static std::string encode_all(const std::vector<Words>& requests) {
    std::string bytes;
    for (const Words& words : requests) bytes += encode(words);
    return bytes;
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
  world_.let_pass(4 * kSecond);
  broken_ = false;
  EXPECT_EQ(world_.receive("writer").value.text, "OK");
  EXPECT_GE(durable(), last());
}

// The default of appendonly-sync-timeout, and how often connections are looked at.
constexpr Nanos kBound = 5 * kSecond;
constexpr Nanos kLooked = kSecond;

TEST_F(Always, AnExecWhoseSyncTakesTooLongIsUnsynced) {
  broken_ = true;
  world_.send("plain", encode_all({{"MULTI"}, {"SET", "j", "1"}, {"EXEC"}}));
  EXPECT_EQ(world_.receive("plain").value.text, "OK");
  EXPECT_EQ(world_.receive("plain").value.text, "QUEUED");
  expect_unsynced("plain");
}

// An error in place of the reply would swallow the confirmation of the subscription.
TEST_F(Always, AnExecThatSubscribesIsClosedInstead) {
  broken_ = true;
  world_.send("both", encode_all({{"MULTI"}, {"SET", "k", "1"}, {"SUBSCRIBE", "news"}, {"EXEC"}}));
  EXPECT_EQ(world_.receive("both").value.text, "OK");
  EXPECT_EQ(world_.receive("both").value.text, "QUEUED");
  EXPECT_EQ(world_.receive("both").value.text, "QUEUED");
  const auto last = world_.receive("both");
  EXPECT_EQ(last.kind, Answer::Kind::closed) << last.value.text;
}

TEST_F(Always, AWriterAndItsReadersAreToldAfterTheBoundThatTheOutcomeIsOpen) {
  broken_ = true;
  const Nanos begin = now();
  world_.send("writer", encode({"SET", "k", "1"}));
  world_.let_pass(2 * kSecond);
  world_.send("reader", encode({"GET", "k"}));
  expect_unsynced("writer");
  EXPECT_GE(now() - begin, kBound);
  EXPECT_LE(now() - begin, kBound + kLooked);
  expect_unsynced("reader");
  EXPECT_GE(now() - begin, kBound + 2 * kSecond);
  EXPECT_LE(now() - begin, kBound + 2 * kSecond + kLooked);
  EXPECT_TRUE(world_.run("writer", {"SET", "k", "2"}).value.text.starts_with("MISCONF"));
  // Both connections go on, and by themselves.
  broken_ = false;
  world_.let_pass(3 * kSecond);
  EXPECT_GE(durable(), last());
  EXPECT_EQ(world_.run("reader", {"GET", "k"}).value.text, "1");
  EXPECT_EQ(world_.run("writer", {"SET", "k", "3"}).value.text, "OK");
  EXPECT_EQ(world_.run("reader", {"GET", "k"}).value.text, "3");
}

TEST_F(Always, EveryRequestOfAPipelineGetsOneAnswer) {
  hang();
  world_.send("writer", encode_all({{"SET", "a", "1"},
                                    {"GET", "a"},
                                    {"PING", "one"},
                                    {"INCR", "a"},
                                    {"MULTI"},
                                    {"INCR", "a"},
                                    {"GET", "a"},
                                    {"EXEC"},
                                    {"CLIENT", "REPLY", "SKIP"},
                                    {"INCR", "a"},
                                    {"RPUSH", "l", "x", "y"},
                                    {"BLPOP", "l", "0"},
                                    {"LRANGE", "l", "0", "-1"},
                                    {"GET", "before"},
                                    {"PING", "two"}}));
  expect_unsynced("writer");
  expect_unsynced("writer");
  EXPECT_EQ(world_.receive("writer").value.text, "one");
  expect_unsynced("writer");
  EXPECT_EQ(world_.receive("writer").value.text, "OK");
  EXPECT_EQ(world_.receive("writer").value.text, "QUEUED");
  EXPECT_EQ(world_.receive("writer").value.text, "QUEUED");
  for (int i = 0; i < 5; ++i) expect_unsynced("writer");
  EXPECT_EQ(world_.receive("writer").value.text, "two");
  heal();
  EXPECT_EQ(world_.run("writer", {"GET", "a"}).value.text, "4");
  EXPECT_EQ(world_.run("writer", {"LRANGE", "l", "0", "-1"}).value.items.size(), 1u);
}

TEST_F(Always, MessagesBehindAHeldReplyAreNotLost) {
  EXPECT_EQ(world_.run("both", {"HELLO", "3"}).kind, Answer::Kind::reply);
  EXPECT_EQ(world_.run("both", {"SUBSCRIBE", "channel"}).kind, Answer::Kind::reply);
  hang();
  world_.send("both", encode({"SET", "a", "1"}));
  world_.let_pass(10 * kMillisecond);
  EXPECT_EQ(world_.run("other", {"PUBLISH", "channel", "hello"}).value.integer, 1);
  expect_unsynced("both");
  const Answer message = world_.receive("both");
  ASSERT_EQ(message.value.items.size(), 3u) << describe(message);
  EXPECT_EQ(message.value.items[2].text, "hello");
}

// Nothing can be answered in the place of an event; a closed connection says that some may be
// missing.
TEST_F(Always, WhoIsToBeToldOfAnUnsyncedWriteIsClosedAfterTheBound) {
  EXPECT_EQ(world_.run("listener", {"CONFIG", "SET", "notify-keyspace-events", "KEA"}).value.text,
            "OK");
  EXPECT_EQ(world_.run("listener", {"SUBSCRIBE", "__keyevent@0__:set"}).kind, Answer::Kind::reply);
  EXPECT_EQ(world_.run("tracker", {"HELLO", "3"}).kind, Answer::Kind::reply);
  EXPECT_EQ(world_.run("tracker", {"CLIENT", "TRACKING", "ON", "BCAST"}).value.text, "OK");
  hang();
  EXPECT_EQ(world_.receive("listener").kind, Answer::Kind::reply);
  EXPECT_EQ(world_.receive("tracker").kind, Answer::Kind::reply);
  const Nanos begin = now();
  world_.send("writer", encode({"SET", "k", "1"}));
  EXPECT_EQ(world_.receive("listener").kind, Answer::Kind::closed);
  EXPECT_EQ(world_.receive("tracker").kind, Answer::Kind::closed);
  EXPECT_LE(now() - begin, kBound + kLooked);
}

// A message may speak of what its script or transaction has written.
TEST_F(Always, MessagesOfScriptsAndTransactionsWaitForTheirWrites) {
  EXPECT_EQ(world_.run("ear", {"SUBSCRIBE", "news"}).kind, Answer::Kind::reply);
  world_.sim().disk().set_options({.sync_time_max = 3 * kSecond});
  const std::string script =
      "redis.call('set', KEYS[1], 'x') return redis.call('publish', 'news', 'of a script')";
  const std::vector<std::pair<std::string, std::string>> cases{
      {encode({"EVAL", script, "1", "k"}), "of a script"},
      {encode_all({{"MULTI"}, {"SET", "k", "1"}, {"PUBLISH", "news", "of EXEC"}, {"EXEC"}}),
       "of EXEC"}};
  for (const auto& [request, message] : cases) {
    SCOPED_TRACE(message);
    const Lsn before = last();
    world_.send("writer", request);
    const Answer heard = world_.receive("ear");
    EXPECT_NE(describe(heard).find(message), std::string::npos) << describe(heard);
    EXPECT_GT(durable(), before);
  }
  // One that has seen no key can speak of none.
  hang();
  world_.send("writer", encode({"SET", "k", "2"}));
  world_.let_pass(10 * kMillisecond);
  ASSERT_LT(durable(), last());
  world_.send("other", encode_all({{"MULTI"}, {"PUBLISH", "news", "alone"}, {"EXEC"}}));
  EXPECT_NE(describe(world_.receive("ear")).find("alone"), std::string::npos);
  ASSERT_LT(durable(), last());
}

TEST_F(Always, FunctionsAreAnsweredWhenTheyAreDurable) {
  world_.sim().disk().set_options({.sync_time_max = 3 * kSecond});
  const std::string library =
      "#!lua name=lib\nredis.register_function('f', function() return 1 end)";
  for (const Words& request : std::vector<Words>{{"FUNCTION", "LOAD", library},
                                                 {"FUNCTION", "DELETE", "lib"},
                                                 {"FUNCTION", "LOAD", library},
                                                 {"FUNCTION", "FLUSH"}}) {
    SCOPED_TRACE(request[1]);
    const Lsn before = last();
    const Answer answer = world_.run("writer", request);
    EXPECT_FALSE(answer.value.is_error()) << describe(answer);
    EXPECT_GT(durable(), before);
  }
}

TEST_F(Always, WithoutABoundRepliesWaitAsLongAsItTakes) {
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "appendonly-sync-timeout", "0"}).value.text,
            "OK");
  hang();
  const Nanos begin = now();
  EXPECT_EQ(world_.run("writer", {"SET", "k", "1"}).value.text, "OK");
  EXPECT_GT(now() - begin, kBound + kLooked);
  EXPECT_GE(durable(), last());
}

// --- CONFIG SET appendfsync always ---------------------------------------------------------------

// What was acknowledged under `everysec` is not durable yet; under `always` no client is shown it.
TEST_F(Always, WhatWasWrittenBeforeTheSwitchIsWaitedForToo) {
  const Words setting{"CONFIG", "SET", "appendonly-sync-timeout", "0"};
  EXPECT_EQ(world_.run("admin", setting).value.text, "OK");
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "appendfsync", "everysec"}).value.text, "OK");
  hang();
  world_.let_pass(2 * kSecond);  // so that there was a sync, from which the log does not come back
  EXPECT_EQ(world_.run("writer", {"SET", "k", "1"}).value.text, "OK");
  const Lsn written = last();
  ASSERT_LT(durable(), written);
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "appendfsync", "always"}).value.text, "OK");
  EXPECT_EQ(world_.run("admin", {"DBSIZE"}).value.integer, 2);
  ASSERT_LT(durable(), written);
  const std::vector<Words> reads{{"GET", "k"}, {"EXISTS", "k", "j"}, {"KEYS", "*"}, {"SCAN", "0"}};
  for (std::size_t i = 0; i < reads.size(); ++i) {
    world_.send("reader" + std::to_string(i), encode(reads[i]));
  }
  for (std::size_t i = 0; i < reads.size(); ++i) {
    SCOPED_TRACE(reads[i][0]);
    const Answer answer = world_.receive("reader" + std::to_string(i));
    EXPECT_FALSE(answer.value.is_error()) << describe(answer);
    EXPECT_GE(durable(), written);
  }
}

TEST_F(Always, TheSwitchItselfAsksForASync) {
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "appendfsync", "no"}).value.text, "OK");
  EXPECT_EQ(world_.run("writer", {"SET", "k", "1"}).value.text, "OK");
  world_.let_pass(2 * kSecond);
  ASSERT_LT(durable(), last());  // unless a client asks, it takes half a minute
  EXPECT_EQ(world_.run("admin", {"CONFIG", "SET", "appendfsync", "always"}).value.text, "OK");
  EXPECT_EQ(world_.run("reader", {"GET", "k"}).value.text, "1");
  EXPECT_GE(durable(), last());
}

}  // namespace
}  // namespace slotcar::sim
