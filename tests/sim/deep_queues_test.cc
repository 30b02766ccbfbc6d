// Clients decide how long a chain of waiters is: serving it takes neither a deep stack nor one long
// hold. The whole simulated node runs on a thread with a small stack.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/assert.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using world::encode;
using world::Words;

#if defined(SLOTCAR_SANITIZED)
constexpr int kWaiters = 1'500;
constexpr std::size_t kStackBytes = 1024 * 1024;  // its frames are larger
#else
constexpr int kWaiters = 12'000;
constexpr std::size_t kStackBytes = 256 * 1024;
#endif

void run_on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT(pthread_attr_setstacksize(&attributes, kStackBytes) == 0);
  pthread_t thread;
  const auto entry = [](void* raw) -> void* {
    (*static_cast<const std::function<void()>*>(raw))();
    return nullptr;
  };
  ASSERT(pthread_create(&thread, &attributes, entry, const_cast<std::function<void()>*>(&work)) ==
         0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string key(int number) {
  return "{tag}" + std::to_string(number);
}

class DeepQueues : public ::testing::Test {
 protected:
  struct Stage {
    world::SimNode sim{5, {.workers = 2, .shards = 4, .pause_ppm = 0}};
    std::vector<std::unique_ptr<runtime::SimClient>> clients;
    std::unique_ptr<runtime::SimClient> pusher = sim.connect();

    Stage() {
      sim.node().settings().session.clients_max = kWaiters + 10;
      sim.node().settings().execution.blocking.waiters_max = kWaiters;
    }
    std::int64_t waiting() { return sim.node().scheduler().waiters().total(); }
    void block(const Words& words) {
      clients.push_back(sim.connect());
      clients.back()->send(encode(words));
      const auto count = static_cast<std::int64_t>(clients.size());
      sim.world().run_until([&] { return waiting() == count; }, UINT64_MAX);
    }
    template <class Counter>
    std::int64_t sum(Counter counter) {
      std::int64_t total = 0;
      for (const shard::Thread* thread : sim.node().threads()) {
        total += (thread->waiting.*counter).get();
      }
      return total;
    }
    void expect_all_served() {
      sim.world().run_until([&] { return waiting() == 0; }, UINT64_MAX);
      sim.world().run_for(runtime::kSecond);
      EXPECT_EQ(sum(&shard::WaitingCounters::served), kWaiters);
      EXPECT_EQ(sum(&shard::WaitingCounters::keys), 0);
      // No hold serves more than a batch, so most are served by tasks.
      const std::int64_t batch = limits::kWakeupBatchDefault;
      EXPECT_GE(sum(&shard::WaitingCounters::waiter_tasks), kWaiters / batch - 1);
    }
  };
};

// Each waits for two keys, and before it at the second stands an older one that waits for the next.
TEST_F(DeepQueues, AChainOfClientsEachBehindAnotherAtItsSecondKey) {
  run_on_small_stack([] {
    Stage stage;
    for (int i = kWaiters - 1; i >= 0; --i) stage.block({"BLPOP", key(i), key(i + 1), "0"});
    std::string requests = encode({"MULTI"});
    for (int i = 0; i < kWaiters; ++i) {
      requests += encode({"RPUSH", key(i), std::to_string(i)});
    }
    stage.pusher->send(requests + encode({"EXEC"}));
    stage.expect_all_served();
    // The first of its keys that has something is what each of them gets.
    for (int i = 0; i < kWaiters; ++i) {
      const std::string& got =
          stage.clients[static_cast<std::size_t>(kWaiters - 1 - i)]->received();
      EXPECT_NE(got.find("\r\n" + key(i) + "\r\n"), std::string::npos) << i << ": " << got;
      if (HasFailure()) return;
    }
  });
}

// Each makes the next one's key ready.
TEST_F(DeepQueues, AChainOfMovers) {
  run_on_small_stack([] {
    Stage stage;
    for (int i = 0; i < kWaiters; ++i) {
      stage.block({"BLMOVE", key(i), key(i + 1), "LEFT", "RIGHT", "0"});
    }
    stage.pusher->send(encode({"RPUSH", key(0), "x"}));
    stage.expect_all_served();
  });
}

}  // namespace
}  // namespace slotcar::sim
