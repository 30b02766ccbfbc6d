// Scripts beside other calls, with real threads: what makes one begin anew, what a try that was
// undone leaves behind, and who gets BUSY.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "base/numbers.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using resp::Value;
using world::LiveClient;
using world::LiveNode;
using world::LiveOptions;
using world::Words;

class ScriptsBesideOthers : public testing::Test {
 protected:
  ScriptsBesideOthers() : live_(options()), client_(live_.port()) {}

  static LiveOptions options() {
    LiveOptions options;
    options.workers = 2;
    options.slow_lane_threads = 2;
    return options;
  }
  eval::Scripts& scripts() { return live_.node().scripts(); }
  // Runs a script until it is trusted to be quick, which takes some runs on a busy machine.
  std::string trusted(const std::string& text, const Words& words) {
    LiveClient client(live_.port());
    const std::string sha = client.run({"SCRIPT", "LOAD", text}).text;
    do {
      client.run(evalsha(sha, words));
    } while (scripts().find(sha)->facts.is_long());
    return sha;
  }
  static Words evalsha(const std::string& sha, const Words& words) {
    Words all{"EVALSHA", sha};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  static void wait_until(const std::function<bool()>& is_so) {
    while (!is_so()) std::this_thread::yield();
  }
  // Sends a script that reads its key and runs until it is killed, and waits until it can be.
  void begin_endless(LiveClient& client, const std::string& key) {
    const std::string text =
        "redis.call('get', KEYS[1]) if ARGV[1] == 'on' then while true do end end return 1";
    const std::string sha = trusted(text, {"1", key, "off"});
    client.send(world::encode(evalsha(sha, {"1", key, "on"})));
    eval::Running::What what;
    wait_until([&] { return scripts().busiest(what); });
  }
  std::string info(const std::string& section, const std::string& line) {
    const std::string text = client_.run({"INFO", section}).text;
    const std::size_t at = text.find(line);
    return at == std::string::npos ? "" : text.substr(at, text.find("\r\n", at) - at);
  }

  LiveNode live_;
  LiveClient client_;
};

// Between its two writes a snapshot begins, as far as the epoch shows it.
TEST_F(ScriptsBesideOthers, ASnapshotThatBeginsMakesAScriptBeginAnew) {
  const std::string text =
      "redis.call('incr', KEYS[1]) local t = os.clock() while os.clock() - t < 0.00005 do end "
      "return redis.call('incr', ARGV[1])";
  const std::string sha = trusted(text, {"1", "first", "second"});
  std::atomic<bool> ends = false;
  std::jthread epochs([&] {
    shard::Holds& holds = live_.node().scheduler().holds();
    while (!ends) {
      holds.set_epoch(Epoch{holds.epoch().value + 1});
      std::this_thread::yield();
    }
  });
  std::int64_t runs = base::parse_int64(client_.run({"GET", "first"}).text).value_or(0);
  while (scripts().numbers().begun_anew_for_epoch == 0) {
    EXPECT_EQ(client_.run(evalsha(sha, {"1", "first", "second"})).integer, ++runs);
  }
  ends = true;
  EXPECT_EQ(client_.run({"GET", "first"}).text, std::to_string(runs));
}

// The token of its second key is held by another script.
TEST_F(ScriptsBesideOthers, ATryThatIsUndoneCountsNowhere) {
  const Words ann_may{"ACL", "SETUSER", "ann", "on", "nopass", "+@all", "~first", "~second"};
  ASSERT_EQ(client_.run(ann_may).text, "OK");
  const std::string text =
      "redis.call('incr', KEYS[1]) redis.pcall('get', 'denied') redis.pcall('nosuch') "
      "redis.pcall('lpush', KEYS[1], 'x') return redis.call('incr', ARGV[1])";
  const std::string sha = trusted(text, {"1", "first", "second"});
  LiveClient endless(live_.port());
  begin_endless(endless, "second");
  client_.run({"CONFIG", "RESETSTAT"});
  client_.run({"ACL", "LOG", "RESET"});

  LiveClient ann(live_.port());
  ASSERT_EQ(ann.run({"AUTH", "ann", "x"}).text, "OK");
  ann.send(world::encode(evalsha(sha, {"1", "first", "second"})));
  // On a worker, or on the other slow thread if the machine is busy.
  wait_until([&] {
    return info("stats", "scripts_begun_anew_for_keys:") != "scripts_begun_anew_for_keys:0";
  });
  EXPECT_EQ(client_.run({"SCRIPT", "KILL"}).text, "OK");
  const std::string after = std::to_string(ann.receive().value.integer);
  EXPECT_EQ(client_.run({"GET", "first"}).text, after);
  EXPECT_EQ(client_.run({"GET", "second"}).text, after);
  EXPECT_NE(info("commandstats", "cmdstat_incr:").find("calls=2,"), std::string::npos);
  EXPECT_NE(info("commandstats", "cmdstat_lpush:").find("failed_calls=1"), std::string::npos);
  EXPECT_EQ(info("errorstats", "errorstat_WRONGTYPE:"), "errorstat_WRONGTYPE:count=1");
  EXPECT_EQ(info("errorstats", "errorstat_NOPERM:"), "errorstat_NOPERM:count=1");
  const Value denials = client_.run({"ACL", "LOG"});
  ASSERT_EQ(denials.items.size(), 1u);
  EXPECT_EQ(denials.items[0].items[1].integer, 1);  // count
}

// It needs no token of the endless script, but its thread.
TEST_F(ScriptsBesideOthers, WhoWaitsForASlowThreadGetsBusy) {
  ASSERT_EQ(client_.run({"CONFIG", "SET", "busy-reply-threshold", "100"}).text, "OK");
  LiveClient endless(live_.port());
  LiveClient another(live_.port());
  begin_endless(endless, "one");
  begin_endless(another, "two");
  wait_until([&] { return scripts().slow_threads_kept() == 2; });
  const Value refused = client_.run({"EVAL", "return 'a text that is new'", "0"});
  EXPECT_TRUE(refused.is_error());
  EXPECT_TRUE(refused.text.starts_with("BUSY ")) << refused.text;
  EXPECT_EQ(client_.run({"SET", "another", "x"}).text, "OK");
  // What is long and has begun is done by the thread that is left.
  std::vector<std::string> push{"RPUSH", "long"};
  for (int i = 0; i < 100000; ++i) push.push_back(std::to_string(i));
  EXPECT_EQ(client_.run(push).integer, 100000);
  EXPECT_EQ(client_.run({"LRANGE", "long", "0", "-1"}).items.size(), 100000u);
  EXPECT_EQ(client_.run({"SORT", "long", "LIMIT", "0", "3"}).items.size(), 3u);
  EXPECT_EQ(client_.run({"SCRIPT", "KILL"}).text, "OK");
  EXPECT_TRUE(endless.receive().value.is_error());
  EXPECT_EQ(client_.run({"SCRIPT", "KILL"}).text, "OK");
  EXPECT_TRUE(another.receive().value.is_error());
  EXPECT_EQ(client_.run({"EVAL", "return 'a text that is new'", "0"}).text, "a text that is new");
}

TEST_F(ScriptsBesideOthers, APauseOfWritesLetsScriptsRunThatDoNotWrite) {
  const std::string reader = "#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])";
  const std::string sha = client_.run({"SCRIPT", "LOAD", reader}).text;
  ASSERT_EQ(client_
                .run({"FUNCTION", "LOAD",
                      "#!lua name=lib\nredis.register_function{function_name='f', "
                      "callback=function() return 7 end, flags={'no-writes'}}"})
                .text,
            "lib");
  client_.run({"SET", "key", "value"});
  ASSERT_EQ(client_.run({"CLIENT", "PAUSE", "1000000", "WRITE"}).text, "OK");
  EXPECT_EQ(client_.run({"EVAL", reader, "1", "key"}).text, "value");
  EXPECT_EQ(client_.run({"EVALSHA", sha, "1", "key"}).text, "value");
  EXPECT_EQ(client_.run({"FCALL", "f", "0"}).integer, 7);
  LiveClient writer(live_.port());
  writer.send(world::encode({"EVAL", "return 'it may write'", "0"}));
  wait_until([&] { return live_.node().counters().paused_now.load() == 1; });
  EXPECT_EQ(client_.run({"CLIENT", "UNPAUSE"}).text, "OK");
  EXPECT_EQ(writer.receive().value.text, "it may write");
}

TEST_F(ScriptsBesideOthers, ALibraryThatLoadsSlowlyIsLoadedBySlowThreads) {
  const std::string library =
      "#!lua name=slow\nfor i = 1, 3000000 do local x = i end "
      "redis.register_function('f', function() return 7 end)";
  ASSERT_EQ(client_.run({"FUNCTION", "LOAD", library}).text, "slow");
  // Until a worker has tried.
  wait_until([&] {
    EXPECT_EQ(client_.run({"FCALL", "f", "0"}).integer, 7);
    return scripts().functions().all()->find("f")->library->loads_slowly.load();
  });
  EXPECT_EQ(client_.run({"FCALL", "f", "0"}).integer, 7);
}

}  // namespace
}  // namespace slotcar::concurrency
