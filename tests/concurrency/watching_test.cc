// WATCH against a node with real threads: very many rounds, and very many keys at once. The
// seeded twin is sim/watching_test.cc.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using world::LiveClient;
using world::Words;

#if defined(SLOTCAR_SANITIZED)
constexpr int kRounds = 3'000;
constexpr int kManyKeys = 20'000;
#else
constexpr int kRounds = 100'000;
constexpr int kManyKeys = 300'000;
#endif

class Watching : public testing::Test {
 protected:
  std::int64_t watches() {
    std::int64_t sum = 0;
    for (const shard::Thread* thread : live_.node().threads()) {
      sum += thread->keyspace.watches.get();
    }
    return sum;
  }
  void await_watches(std::int64_t count) {
    while (watches() != count) std::this_thread::yield();
  }

  world::LiveNode live_;
};

TEST_F(Watching, RoundsOnOneKeyLeaveNothingBehind) {
  LiveClient client(live_.port());
  std::vector<Words> rounds;
  for (int i = 0; i < 100; ++i) {
    rounds.insert(rounds.end(), {{"WATCH", "key"}, {"MULTI"}, {"SET", "key", "v"}, {"EXEC"}});
  }
  client.run_all(rounds);
  const std::int64_t before = live_.node().used_memory();
  for (int i = 100; i < kRounds; i += 100) {
    const auto replies = client.run_all(rounds);
    ASSERT_EQ(replies.back().items.size(), 1u);  // no other client writes: none is broken
    ASSERT_EQ(watches(), 0);
  }
  // The last batch may still be counted: its worker releases the buffers after the reply.
  const auto grown = [&] { return live_.node().used_memory() - before; };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (grown() >= 16 * 1024 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_LT(grown(), 16 * 1024);
}

TEST_F(Watching, ManyKeysAreRegisteredAndForgottenWhileOthersAreServed) {
  Words watch{"WATCH"};
  for (int i = 0; i < kManyKeys; ++i) watch.push_back("key:" + std::to_string(i));
  std::atomic<bool> stop{false};
  std::jthread other([&] {
    LiveClient client(live_.port());
    for (int i = 0; !stop; ++i) {
      const std::string key = "key:" + std::to_string(i % kManyKeys);
      ASSERT_FALSE(client.run({"GET", key}).is_error());
    }
  });
  const auto exec = [](LiveClient& client) {
    const Words transaction[] = {{"MULTI"}, {"PING"}, {"EXEC"}};
    return client.run_all(transaction).back().kind;
  };
  LiveClient client(live_.port());
  const std::int64_t before = live_.node().used_memory();
  EXPECT_EQ(client.run(watch).text, "OK");
  EXPECT_EQ(watches(), kManyKeys);
  EXPECT_GT(live_.node().used_memory() - before, std::int64_t{100} * kManyKeys);
  EXPECT_EQ(exec(client), resp::Value::Kind::array);
  await_watches(0);

  EXPECT_EQ(client.run(watch).text, "OK");
  LiveClient(live_.port()).run({"SET", watch.back(), "changed"});
  EXPECT_EQ(exec(client), resp::Value::Kind::null);
  await_watches(0);

  EXPECT_EQ(client.run(watch).text, "OK");
  client.close();
  await_watches(0);
  stop = true;
}

}  // namespace
}  // namespace slotcar::concurrency
