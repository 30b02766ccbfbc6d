// A change that turns out to be long is no work for a worker: it goes to the slow lane, and does
// there all that a small one does.
#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "resp/format.h"
#include "world/live_node.h"

namespace slotcar::bounds {
namespace {

using world::Words;

constexpr int kMany = 3 * limits::kQuickElementsMax;
const std::string kCount = std::to_string(kMany - 1);

class LargeChanges : public testing::Test {
 protected:
  std::string run(const Words& words) { return resp::format(client_.run(words)); }
  // How many calls of a command the threads of the slow lane have run.
  std::int64_t slow_calls(const Words& words) {
    const schema::Registry& registry = live_.node().registry();
    const schema::Registered* command = registry.find(words[0]);
    if (!command->subcommands.empty()) command = registry.find_subcommand(*command, words[1]);
    std::int64_t sum = 0;
    for (const auto& thread : live_.node().slow_lane().threads()) {
      sum += thread->commands[command->number].calls.get();
    }
    return sum;
  }
  // Its answer.
  std::string run_slow(const Words& words) {
    const std::int64_t before = slow_calls(words);
    std::string answer = run(words);
    EXPECT_NE(slow_calls(words), before) << words[0] << " was done by a worker";
    return answer;
  }
  std::string run_quickly(const Words& words) {
    const std::int64_t before = slow_calls(words);
    std::string answer = run(words);
    EXPECT_EQ(slow_calls(words), before) << words[0] << " was done by the slow lane";
    return answer;
  }
  void fill_set(const std::string& key) {
    Words words{"ZADD", key};
    for (int i = 0; i < kMany; ++i) {
      words.push_back(std::to_string(i));
      words.push_back("m" + std::to_string(i));
    }
    run({"DEL", key});
    run(words);
  }
  // Everything of it is pending for ann.
  void fill_stream() {
    run({"DEL", "stream"});
    for (int i = 1; i <= kMany; ++i) run({"XADD", "stream", std::to_string(i) + "-1", "f", "v"});
    run({"XGROUP", "CREATE", "stream", "group", "0"});
    run({"XREADGROUP", "GROUP", "group", "ann", "COUNT", std::to_string(kMany), "STREAMS", "stream",
         ">"});
  }
  std::string pending_of(const std::string& consumer) {
    return run({"XPENDING", "stream", "group", "-", "+", "1", consumer});
  }

  world::LiveNode live_;
  world::LiveClient client_{live_.port()};
};

TEST_F(LargeChanges, MembersThatArePopped) {
  fill_set("set");
  EXPECT_NE(run_slow({"ZPOPMIN", "set", kCount}).find("1) \"m0\"\n"), std::string::npos);
  EXPECT_EQ(run({"ZCARD", "set"}), ":1");
  fill_set("set");
  EXPECT_NE(run_slow({"ZPOPMAX", "set", kCount}).find("m" + kCount), std::string::npos);
  EXPECT_EQ(run({"ZRANGE", "set", "0", "-1"}), "1) \"m0\"");
  for (const Words& pop : {Words{"ZMPOP", "2", "none", "set", "MIN", "COUNT", kCount},
                           Words{"BZMPOP", "0", "2", "none", "set", "MIN", "COUNT", kCount}}) {
    fill_set("set");
    EXPECT_TRUE(run_slow(pop).starts_with("1) \"set\"\n")) << pop[0];
    EXPECT_EQ(run({"ZRANGE", "set", "0", "-1"}), "1) \"m" + kCount + "\"") << pop[0];
  }
}

TEST_F(LargeChanges, OfASmallSetManyAreFew) {
  run({"ZADD", "small", "1", "a", "2", "b"});
  run_quickly({"ZPOPMIN", "small", "1000000"});
  run({"ZADD", "small", "1", "a", "2", "b"});
  run_quickly({"ZMPOP", "1", "small", "MAX", "COUNT", "1000000"});
  fill_set("set");
  run_quickly({"ZPOPMIN", "set", "3"});
  run_quickly({"ZPOPMAX", "set"});
  run_quickly({"ZMPOP", "1", "set", "MAX"});
}

TEST_F(LargeChanges, PendingEntriesThatAreClaimed) {
  fill_stream();
  EXPECT_TRUE(run_slow({"XAUTOCLAIM", "stream", "group", "bob", "0", "0", "COUNT", kCount})
                  .starts_with("1) \"" + std::to_string(kMany) + "-1\"\n"));
  EXPECT_TRUE(pending_of("bob").starts_with("1) 1) \"1-1\""));
  EXPECT_TRUE(pending_of("ann").starts_with("1) 1) \"" + std::to_string(kMany) + "-1\""));
  run_quickly({"XAUTOCLAIM", "stream", "group", "ann", "0", "0"});
  run_quickly({"XAUTOCLAIM", "stream", "group", "ann", "0", "0", "COUNT", "5"});
}

TEST_F(LargeChanges, PendingEntriesOfAConsumerThatGoes) {
  fill_stream();
  run({"XGROUP", "CREATECONSUMER", "stream", "group", "bob"});
  EXPECT_EQ(run_quickly({"XGROUP", "DELCONSUMER", "stream", "group", "bob"}), ":0");
  EXPECT_EQ(run_slow({"XGROUP", "DELCONSUMER", "stream", "group", "ann"}),
            ":" + std::to_string(kMany));
  EXPECT_EQ(run({"XPENDING", "stream", "group", "-", "+", "1"}), "(empty array)");
}

// An EXEC moves there in the middle.
TEST_F(LargeChanges, InATransaction) {
  fill_set("set");
  fill_stream();
  run({"MULTI"});
  run({"SET", "before", "1"});
  run({"ZPOPMIN", "set", kCount});
  run({"XAUTOCLAIM", "stream", "group", "bob", "0", "0", "COUNT", kCount});
  run({"XGROUP", "DELCONSUMER", "stream", "group", "bob"});
  run({"INCR", "before"});
  EXPECT_TRUE(run({"EXEC"}).ends_with(":" + kCount + "\n5) :2"));
  EXPECT_EQ(run({"ZCARD", "set"}), ":1");
}

TEST_F(LargeChanges, PiecesOfAFilter) {
  run({"BF.RESERVE", "filter", "0.001", "1000000"});
  run({"BF.ADD", "filter", "x"});
  const resp::Value header = client_.run({"BF.SCANDUMP", "filter", "0"});
  const resp::Value bits = client_.run({"BF.SCANDUMP", "filter", "1"});
  const std::string at = std::to_string(bits.items[0].integer);
  EXPECT_EQ(run_quickly({"BF.LOADCHUNK", "copy", "1", header.items[1].text}), "+OK");
  EXPECT_EQ(run_slow({"BF.LOADCHUNK", "copy", at, bits.items[1].text}), "+OK");
  EXPECT_EQ(run({"BF.EXISTS", "copy", "x"}), ":1");
}

TEST_F(LargeChanges, GroupsAndConsumersAreAnsweredThere) {
  run({"XADD", "s", "1-1", "f", "v"});
  run({"XGROUP", "CREATE", "s", "crowd", "0"});
  run({"XGROUP", "CREATE", "s", "few", "0"});
  for (int i = 0; i < kMany; ++i) {
    run({"XGROUP", "CREATECONSUMER", "s", "crowd", "c" + std::to_string(i)});
  }
  EXPECT_NE(run_slow({"XINFO", "CONSUMERS", "s", "crowd"}).find("c" + kCount), std::string::npos);
  EXPECT_EQ(run_quickly({"XINFO", "CONSUMERS", "s", "few"}), "(empty array)");
  EXPECT_NE(run_slow({"XINFO", "STREAM", "s", "FULL"}).find("c" + kCount), std::string::npos);
  run_quickly({"XINFO", "GROUPS", "s"});
  for (int i = 0; i < kMany; ++i) run({"XGROUP", "CREATE", "s", "g" + std::to_string(i), "0"});
  EXPECT_NE(run_slow({"XINFO", "GROUPS", "s"}).find("g" + kCount), std::string::npos);
}

TEST_F(LargeChanges, NamesOfManyCommands) {
  run({"PING"});
  for (Words words :
       {Words{"COMMAND", "INFO"}, Words{"COMMAND", "DOCS"}, Words{"LATENCY", "HISTOGRAM"}}) {
    words.push_back("PING");
    run_quickly(words);
    words.resize(kMany, "PING");
    EXPECT_NE(run_slow(words).find("ping"), std::string::npos) << words[1];
  }
}

TEST_F(LargeChanges, AValueThatIsCompared) {
  const std::string value(2 << 20, 'v');
  run({"SET", "key", value});
  EXPECT_EQ(run_slow({"DELIFEQ", "key", value}), ":1");
  EXPECT_EQ(run_quickly({"DELIFEQ", "key", "v"}), ":0");
}

TEST_F(LargeChanges, KeysOfALongCommand) {
  for (const char* which : {"GETKEYS", "GETKEYSANDFLAGS"}) {
    Words words{"COMMAND", which, "MGET"};
    for (int i = 0; i < kMany; ++i) words.push_back("k" + std::to_string(i));
    EXPECT_NE(run_slow(words).find("k" + kCount), std::string::npos);
    words.resize(6);
    run_quickly(words);
  }
}

}  // namespace
}  // namespace slotcar::bounds
