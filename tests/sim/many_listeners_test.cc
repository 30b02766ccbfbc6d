// A message to many listeners of one worker: all hear everything in order, the publisher's answer
// does not wait until all have been sent it, and who waits for his turn is sent several at once.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using world::encode;

constexpr std::size_t kListeners = 4 * session::PushQueue::kPortion + 10;
constexpr int kMessages = 30;

class ManyListeners : public ::testing::Test {
 protected:
  ManyListeners() {
    publisher_ = sim_.connect();
    for (std::size_t i = 0; i < kListeners; ++i) {
      listeners_.push_back(sim_.connect());
      listeners_.back()->send(encode({"SUBSCRIBE", "news"}));
    }
    for (auto& listener : listeners_) {
      sim_.world().run_until([&] { return listener->received().ends_with(":1\r\n"); }, UINT64_MAX);
      listener->take();
    }
  }

  std::int64_t writes() { return sim_.node().workers()[0]->counters().writes.get(); }
  std::string ask(const world::Words& words) {
    publisher_->send(encode(words));
    sim_.world().run_until([this] { return publisher_->received().ends_with("\r\n"); }, UINT64_MAX);
    return publisher_->take();
  }
  void publish(int number) {
    EXPECT_EQ(ask({"PUBLISH", "news", std::to_string(number)}),
              ":" + std::to_string(kListeners) + "\r\n");
  }
  static std::string message(int number) {
    return encode({"message", "news", std::to_string(number)});
  }

  world::SimNode sim_{7, {.workers = 1, .shards = 64, .pause_ppm = 0}};
  std::unique_ptr<runtime::SimClient> publisher_;
  std::vector<std::unique_ptr<runtime::SimClient>> listeners_;
};

TEST_F(ManyListeners, AnAnswerDoesNotWaitForThemAll) {
  const std::int64_t before = writes();
  publish(1);
  EXPECT_LT(writes() - before, static_cast<std::int64_t>(kListeners));
  sim_.world().run_until([&] { return listeners_.back()->received() == message(1); }, UINT64_MAX);
}

TEST_F(ManyListeners, HearEverythingInOrderAndSeveralAtOnce) {
  const std::int64_t before = writes();
  std::string all;
  for (int i = 0; i < kMessages; ++i) {
    publish(i);
    all += message(i);
  }
  for (auto& listener : listeners_) {
    sim_.world().run_until([&] { return listener->received().size() >= all.size(); }, UINT64_MAX);
    EXPECT_EQ(listener->take(), all);
  }
  EXPECT_LT(writes() - before, static_cast<std::int64_t>(kListeners) * kMessages);
}

TEST_F(ManyListeners, MayLeaveBeforeTheyAreSentWhatTheyWereTold) {
  publish(1);
  for (std::size_t i = 0; i < kListeners; i += 2) listeners_[i].reset();
  const std::string left = ":" + std::to_string(kListeners / 2) + "\r\n";
  while (ask({"PUBLISH", "news", "2"}) != left) {
  }
  for (std::size_t i = 1; i < kListeners; i += 2) {
    sim_.world().run_until([&] { return listeners_[i]->received().ends_with(message(2)); },
                           UINT64_MAX);
    EXPECT_TRUE(listeners_[i]->received().starts_with(message(1)));
  }
}

// The client's replies take its pushes along.
TEST_F(ManyListeners, WhoAsksIsToldFirst) {
  publish(1);
  auto& last = *listeners_.back();
  last.send(encode({"PING"}));
  const std::string wanted = message(1) + encode({"pong", ""});
  sim_.world().run_until([&] { return last.received().size() >= wanted.size(); }, UINT64_MAX);
  EXPECT_EQ(last.take(), wanted);
}

}  // namespace
}  // namespace slotcar::sim
