// As many clients as may wait at once (blocking-max-total-waiters), each on a connection of its
// own: more than one machine's descriptors allow, so on a simulated node. One more is refused; then
// some leave, some are served, some time out, the others are killed, and nothing is left of any.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kSecond;
using world::encode;
using world::Words;

#if defined(SLOTCAR_SANITIZED)
constexpr int kWaiters = 3'000;
#else
constexpr int kWaiters = static_cast<int>(limits::kWaitersMaxDefault);
#endif
constexpr int kPerKey = 100;
constexpr int kAtOnce = 5000;  // connections made in one go

// What the process has in memory, as the kernel counts it.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

std::string key_of(int number) {
  return "queue:" + std::to_string(number / kPerKey);
}

class ManyWaiters : public ::testing::Test {
 protected:
  ManyWaiters() {
    node().settings().session.clients_max = kWaiters + 10;
    node().settings().execution.blocking.waiters_max = kWaiters;
    asker_ = sim_.connect();
  }

  node::Node& node() { return sim_.node(); }
  std::int64_t waiting() { return node().scheduler().waiters().total(); }

  // On a connection of its own; the reply, without its end of line.
  std::string ask(const Words& words) {
    asker_->send(encode(words));
    sim_.world().run_until([this] { return asker_->received().ends_with("\r\n"); }, UINT64_MAX);
    std::string reply = asker_->take();
    return reply.substr(0, reply.find("\r\n"));
  }

  void connect_all() {
    for (int i = 0; i < kWaiters; ++i) {
      clients_.push_back(sim_.connect());
      clients_.back()->send(encode({"PING"}));
      if (i % kAtOnce == kAtOnce - 1) until_answered(i + 1 - kAtOnce);
    }
    until_answered(0);
    for (auto& client : clients_) client->take();
  }
  void until_answered(int from) {
    sim_.world().run_until(
        [&] {
          return std::none_of(clients_.begin() + from, clients_.end(),
                              [](const auto& client) { return client->received().empty(); });
        },
        UINT64_MAX);
  }
  void all_wait() {
    for (int i = 0; i < kWaiters; ++i) {
      const bool timed = i % 3 == 1;
      clients_[static_cast<std::size_t>(i)]->send(encode({"BLPOP", key_of(i), timed ? "20" : "0"}));
    }
    sim_.world().run_until([this] { return waiting() == kWaiters; }, UINT64_MAX);
  }

  world::SimNode sim_{11, {.workers = 4, .shards = 64, .pause_ppm = 0}};
  std::unique_ptr<runtime::SimClient> asker_;
  std::vector<std::unique_ptr<runtime::SimClient>> clients_;
};

TEST_F(ManyWaiters, AreBoundedAndServedAndTimeOutAndAreKilledAndLeaveNothing) {
  connect_all();
  const std::int64_t before = resident_bytes();
  all_wait();
  const std::int64_t each = (resident_bytes() - before) / kWaiters;
  ASSERT_EQ(waiting(), kWaiters);
  RecordProperty("bytes_per_waiter", std::to_string(each));
  std::printf("%d waiters, %ld bytes each\n", kWaiters, static_cast<long>(each));
#if !defined(SLOTCAR_SANITIZED)
  EXPECT_LT(each, 4096);
#endif
  EXPECT_EQ(ask({"BLPOP", "one", "more", "0"}).substr(0, 31), "-ERR too many blocked clients (");
  EXPECT_EQ(ask({"LPOP", "one"}), "$-1");  // who need not wait is served

  // One of three leaves.
  for (std::size_t i = 2; i < clients_.size(); i += 3) clients_[i].reset();
  const std::int64_t left = kWaiters - kWaiters / 3;
  sim_.world().run_until([&] { return waiting() == left; }, UINT64_MAX);

  // Half of those that are left, the oldest of each queue, are served.
  std::string pushes;
  for (int queue = 0; queue * kPerKey < kWaiters; ++queue) {
    Words push{"RPUSH", key_of(queue * kPerKey)};
    push.resize(push.size() + kPerKey / 3, "element");
    pushes += encode(push);
  }
  asker_->send(pushes);
  const std::int64_t served = (kWaiters / kPerKey) * (kPerKey / 3);
  sim_.world().run_until([&] { return waiting() == left - served; }, UINT64_MAX);
  asker_->take();

  // Those that gave a time hear that it is over.
  sim_.world().run_for(21 * kSecond);
  std::int64_t told = 0;
  for (std::size_t i = 1; i < clients_.size(); i += 3) told += clients_[i]->received() == "*-1\r\n";
  EXPECT_EQ(told, left - served - waiting());

  // The others are killed.
  EXPECT_GT(waiting(), 0);
  ask({"CLIENT", "KILL", "TYPE", "normal"});
  sim_.world().run_until([this] { return waiting() == 0; }, UINT64_MAX);
  sim_.world().run_for(kSecond);
  EXPECT_EQ(waiting(), 0);
  EXPECT_EQ(node().counters().waiting_now.load(), 0);
  std::int64_t keys = 0;
  std::int64_t handed_out = 0;
  for (const shard::Thread* thread : node().threads()) {
    keys += thread->waiting.keys.get();
    handed_out += thread->waiting.served.get();
  }
  EXPECT_EQ(keys, 0);
  EXPECT_EQ(handed_out, served);
}

}  // namespace
}  // namespace slotcar::sim
