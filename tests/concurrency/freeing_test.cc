// Big values are removed in every possible way while others read them: each is freed by the slow
// lane, once, and in the end nothing is left.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "resp/format.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using world::Words;

// More than limits::kFreeLaterBytes in each type.
constexpr int kElements = 4000;

std::string element(int i) {
  return fmt::format("element:{:080}", i);
}

Words with_elements(Words words, int each) {
  for (int i = 0; i < kElements; ++i) {
    if (each == 2) words.push_back(std::to_string(i));
    words.push_back(element(i));
  }
  return words;
}

void fill(world::LiveClient& client) {
  client.run(with_elements({"RPUSH", "list"}, 1));
  client.run(with_elements({"SADD", "set"}, 1));
  client.run(with_elements({"HSET", "hash"}, 2));
  client.run(with_elements({"ZADD", "zset"}, 2));
  for (int i = 0; i < kElements; i += 100) {
    Words xadd{"XADD", "stream", "*"};
    for (int k = i; k < i + 100; ++k) xadd.insert(xadd.end(), {"f", element(k)});
    client.run(xadd);
  }
}

const Words kReads[] = {{"LRANGE", "list", "0", "-1"},
                        {"SMEMBERS", "set"},
                        {"HGETALL", "hash"},
                        {"ZRANGE", "zset", "0", "-1", "WITHSCORES"},
                        {"XRANGE", "stream", "-", "+"},
                        {"SORT", "list", "ALPHA"},
                        {"DUMP", "zset"},
                        {"ZUNION", "2", "zset", "set"}};

void wait_until_freed(world::LiveNode& live) {
  while (live.node().slow_lane().objects_to_free() > 0) std::this_thread::yield();
}

TEST(Freeing, BigValuesGoInEveryWayBesideReaders) {
  world::LiveNode live;
  world::LiveClient client(live.port());
  const std::int64_t empty = live.node().used_memory();
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&, r] {
      world::LiveClient reader(live.port());
      for (std::size_t i = static_cast<std::size_t>(r); !done; ++i) {
        reader.run(kReads[i % std::size(kReads)]);
        reader.run({"MULTI"});  // pinned and deleted together
        reader.run({"LRANGE", "list", "0", "-1"});
        reader.run({"DEL", "list"});
        reader.run({"EXEC"});
      }
    });
  }
  const std::vector<Words> ways[] = {
      {{"DEL", "list", "set", "hash", "zset", "stream"}},
      {{"UNLINK", "list", "set", "hash", "zset", "stream"}},
      {{"MSET", "list", "1", "set", "1", "hash", "1", "zset", "1", "stream", "1"}},
      {{"RENAME", "list", "set"}, {"RENAME", "zset", "hash"}, {"RENAME", "stream", "zset"}},
      {{"COPY", "zset", "hash", "REPLACE"}, {"SUNIONSTORE", "list", "set"}, {"SET", "set", "x"}},
      {{"PEXPIRE", "list", "1"}, {"PEXPIREAT", "zset", "1"}, {"LTRIM", "list", "1", "2"}},
      {{"ZREMRANGEBYRANK", "zset", "0", "-1"}, {"XTRIM", "stream", "MAXLEN", "0"}},
      {{"FLUSHALL", "ASYNC"}},
      {{"FLUSHALL", "SYNC"}},
  };
  for (int round = 0; round < 2; ++round) {
    for (const std::vector<Words>& way : ways) {
      fill(client);
      for (const Words& words : way) client.run(words);
      client.run({"FLUSHALL"});
    }
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  client.run({"FLUSHALL"});
  wait_until_freed(live);
  EXPECT_GT(live.node().slow_lane().objects_freed(), 20);
  EXPECT_LT(live.node().used_memory(), empty + 4 * 1024 * 1024);
}

// INFO reports all deleted ones as freed, and none as pending.
TEST(Freeing, IsCounted) {
  world::LiveOptions options;
  options.slow_lane_threads = 1;
  world::LiveNode live(options);
  world::LiveClient client(live.port());
  fill(client);
  EXPECT_EQ(resp::format(client.run({"DEL", "list", "set", "nothing"})), ":2");
  EXPECT_EQ(resp::format(client.run({"UNLINK", "hash", "zset", "stream"})), ":3");
  client.run({"SET", "small", "1"});
  EXPECT_EQ(resp::format(client.run({"DEL", "small"})), ":1");
  wait_until_freed(live);
  const std::string info = resp::format(client.run({"INFO", "memory"}));
  EXPECT_NE(info.find("lazyfree_pending_objects:0"), std::string::npos) << info;
  EXPECT_NE(info.find("lazyfreed_objects:5"), std::string::npos) << info;
}

}  // namespace
}  // namespace slotcar::concurrency
