// What is large is decided by bytes as well as by elements: a few very long elements, or a very
// long name of a key, are no work for a worker. Each command goes to the slow lane with them, gives
// the same answers there, and stays on the worker with short ones.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/limits.h"
#include "resp/format.h"
#include "shard/work_size.h"
#include "world/live_node.h"

namespace slotcar::bounds {
namespace {

using world::Words;

class LongElements : public testing::Test {
 protected:
  std::string run(const Words& words) { return resp::format(client_.run(words)); }
  // How many calls of a command the threads of the slow lane have run.
  std::int64_t slow_calls(std::string_view name) {
    const std::size_t number = live_.node().registry().find(name)->number;
    std::int64_t sum = 0;
    for (const auto& thread : live_.node().slow_lane().threads()) {
      sum += thread->commands[number].calls.get();
    }
    return sum;
  }
  // Its answer, with long elements as [L] and [M].
  std::string run_slow(const Words& words) {
    const std::int64_t before = slow_calls(words[0]);
    const std::string answer = run(words);
    EXPECT_NE(slow_calls(words[0]), before) << words[0] << " was done by a worker";
    return shortened(answer);
  }
  std::string run_quickly(const Words& words) {
    const std::int64_t before = slow_calls(words[0]);
    const std::string answer = run(words);
    EXPECT_EQ(slow_calls(words[0]), before) << words[0] << " was done by the slow lane";
    return shortened(answer);
  }
  std::string shortened(std::string text) const {
    for (const auto& [element, name] : {std::pair{&long_, "[L]"}, std::pair{&other_, "[M]"}}) {
      const std::string quoted = '"' + *element + '"';
      for (auto at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at)) {
        text.replace(at, quoted.size(), name);
      }
    }
    return text;
  }

  const std::string long_ = std::string(shard::kQuickBytesMax + 1024, 'L');
  const std::string other_ = std::string(shard::kQuickBytesMax + 1024, 'M');
  world::LiveNode live_;
  world::LiveClient client_{live_.port()};
};

TEST_F(LongElements, OfAHash) {
  EXPECT_EQ(run_slow({"HSET", "h", "f", long_}), ":1");
  EXPECT_EQ(run_slow({"HSETNX", "h", "f", long_}), ":0");
  EXPECT_EQ(run_slow({"HGET", "h", "f"}), "[L]");
  EXPECT_EQ(run_slow({"HMGET", "h", "f", "none"}), "1) [L]\n2) (nil)");
  EXPECT_EQ(run_slow({"HVALS", "h"}), "1) [L]");
  EXPECT_EQ(run_slow({"HGETALL", "h"}), "1) \"f\"\n2) [L]");
  EXPECT_EQ(run_slow({"HRANDFIELD", "h", "1", "WITHVALUES"}), "1) \"f\"\n2) [L]");
  EXPECT_EQ(run_slow({"HSCAN", "h", "0"}), "1) \"0\"\n2) 1) \"f\"\n   2) [L]");
  EXPECT_EQ(run_quickly({"HSTRLEN", "h", "f"}), ":" + std::to_string(long_.size()));
  run({"HSET", "h", "short", "v"});
  EXPECT_EQ(run_quickly({"HGET", "h", "short"}), "\"v\"");
  EXPECT_EQ(run_quickly({"HGET", "h", "none"}), "(nil)");
}

TEST_F(LongElements, OfAList) {
  EXPECT_EQ(run_slow({"RPUSH", "l", long_, other_}), ":2");
  EXPECT_EQ(run_slow({"LINDEX", "l", "-1"}), "[M]");
  EXPECT_EQ(run_quickly({"LINDEX", "l", "2"}), "(nil)");
  EXPECT_EQ(run_slow({"LRANGE", "l", "0", "0"}), "1) [L]");
  EXPECT_EQ(run_slow({"LSET", "l", "0", other_}), "+OK");
  EXPECT_EQ(run_slow({"LMOVE", "l", "l", "LEFT", "RIGHT"}), "[M]");
  EXPECT_EQ(run_slow({"RPOPLPUSH", "l", "to"}), "[M]");
  EXPECT_EQ(run_slow({"LPOP", "l"}), "[M]");
  EXPECT_EQ(run({"EXISTS", "l"}), ":0");
  EXPECT_EQ(run_slow({"RPOP", "to", "1"}), "1) [M]");
  EXPECT_EQ(run({"EXISTS", "to"}), ":0");
}

TEST_F(LongElements, OfASet) {
  EXPECT_EQ(run_slow({"SADD", "s", long_}), ":1");
  EXPECT_EQ(run_slow({"SMEMBERS", "s"}), "1) [L]");
  EXPECT_EQ(run_slow({"SRANDMEMBER", "s"}), "[L]");
  EXPECT_EQ(run_slow({"SRANDMEMBER", "s", "1"}), "1) [L]");
  EXPECT_EQ(run_slow({"SUNION", "s", "none"}), "1) [L]");
  EXPECT_EQ(run_slow({"SUNIONSTORE", "t", "s", "none"}), ":1");
  EXPECT_EQ(run_slow({"SPOP", "s"}), "[L]");
  EXPECT_EQ(run({"EXISTS", "s"}), ":0");
  run({"SADD", "t", other_});
  EXPECT_TRUE(run_slow({"SPOP", "t", "1"}).starts_with("1) ["));
  EXPECT_EQ(run({"SCARD", "t"}), ":1");
  EXPECT_TRUE(run_slow({"SPOP", "t"}).starts_with("["));
  EXPECT_EQ(run({"EXISTS", "t"}), ":0");
}

TEST_F(LongElements, OfASortedSetAndAStream) {
  EXPECT_EQ(run_slow({"ZADD", "z", "1", long_}), ":1");
  EXPECT_EQ(run_slow({"ZINCRBY", "z", "1", long_}), "\"2\"");
  EXPECT_EQ(run_slow({"ZRANGE", "z", "0", "-1"}), "1) [L]");
  EXPECT_EQ(run_slow({"ZRANDMEMBER", "z"}), "[L]");
  EXPECT_EQ(run_slow({"ZUNION", "1", "z"}), "1) [L]");
  EXPECT_EQ(run_slow({"ZPOPMIN", "z"}), "1) [L]\n2) \"2\"");
  EXPECT_EQ(run({"EXISTS", "z"}), ":0");
  EXPECT_EQ(run_slow({"XADD", "x", "1-1", "f", long_}), "\"1-1\"");
  EXPECT_EQ(run_slow({"XRANGE", "x", "-", "+"}), "1) 1) \"1-1\"\n   2) 1) \"f\"\n      2) [L]");
}

TEST_F(LongElements, InATransaction) {
  run({"RPUSH", "l", long_, other_});
  run({"MULTI"});
  run({"INCR", "n"});
  run({"LINDEX", "l", "0"});
  run({"LPOP", "l"});
  run({"HSET", "h", "f", long_});
  run({"INCR", "n"});
  EXPECT_EQ(shortened(run({"EXEC"})), "1) :1\n2) [L]\n3) [L]\n4) :1\n5) :2");
  EXPECT_EQ(run({"LLEN", "l"}), ":1");
}

TEST_F(LongElements, NamesOfKeys) {
  EXPECT_EQ(run_slow({"SET", long_, "v"}), "+OK");
  EXPECT_EQ(run_slow({"GET", long_}), "\"v\"");
  EXPECT_EQ(run_slow({"MGET", "none", long_}), "1) (nil)\n2) \"v\"");
  EXPECT_EQ(run_slow({"RENAME", long_, other_}), "+OK");
  EXPECT_EQ(run_slow({"DEL", long_, other_}), ":1");
  // A long value is no long name.
  EXPECT_EQ(run_quickly({"SET", "k", long_}), "+OK");
  EXPECT_EQ(run_quickly({"GET", "k"}), "[L]");
}

// Those who may not use the key are refused there, too.
TEST_F(LongElements, NamesOfKeysThatAUserMayNotUse) {
  run({"ACL", "SETUSER", "u", "on", "nopass", "+@all", "~M*"});
  run({"AUTH", "u", "x"});
  EXPECT_TRUE(run({"SET", long_, "v"}).starts_with("-NOPERM"));
  EXPECT_EQ(run({"SET", other_, "v"}), "+OK");
}

TEST_F(LongElements, ManyKeysOfEveryCommandAreLookedForThere) {
  const std::string count = std::to_string(limits::kQuickElementsMax + 1);
  for (Words words : {Words{"BITOP", "AND", "d"}, Words{"SUNION"}, Words{"ZUNION", count},
                      Words{"EVAL", "return #KEYS", count}, Words{"PFCOUNT"}}) {
    for (std::size_t i = 0; i <= limits::kQuickElementsMax; ++i) {
      words.push_back("k" + std::to_string(i));
    }
    EXPECT_NE(run_slow(words).front(), '-') << words[0];
  }
}

// --- others --------------------------------------------------------------------------------------

TEST_F(LongElements, AreEchoed) {
  EXPECT_EQ(shortened(run({"ECHO", long_})), "[L]");
  EXPECT_EQ(shortened(run({"PING", long_})), "[L]");
  EXPECT_EQ(run({"ECHO", "short"}), "\"short\"");
  run({"MULTI"});
  run({"ECHO", long_});
  EXPECT_EQ(shortened(run({"EXEC"})), "1) [L]");
}

}  // namespace
}  // namespace slotcar::bounds
