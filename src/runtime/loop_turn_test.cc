// What a turn of a loop does, and in which order; what others post.
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/testing/loop_fixture.h"

namespace slotcar::runtime {
namespace {

class LoopTurnTest : public LoopTest {};

TEST_P(LoopTurnTest, InputThenTimersThenTasksThenTheHook) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  struct Noted : Timer {
    explicit Noted(std::string& n) : Timer(&Noted::fire), notes(n) {}
    static void fire(Timer& timer) { static_cast<Noted&>(timer).notes += "timer "; }
    std::string& notes;
  };
  std::string notes;
  Noted timer(notes);
  settle();
  owner->input = [&] {
    owner->drain();
    notes += "input ";
  };
  loop_->set_turn_end([&] { notes += "end "; });
  loop_->post(make_task([&] { notes += "task "; }));
  loop_->arm(timer, loop_->turn_monotonic());
  peer.send("x");
  loop_->run_once(false);
  EXPECT_EQ(notes, "input timer task end ");
  EXPECT_LE(loop_->turn_monotonic(), clock_.monotonic());
}

TEST_P(LoopTurnTest, WhatIsForIdleTimesRunsBeforeTheLoopWaitsAndNotEarlier) {
  listen();
  Owner* owner = nullptr;
  Peer peer = connect(&owner);
  settle();
  std::string notes;
  owner->input = [&] {
    owner->drain();
    notes += "input ";
  };
  struct Idle : Task {
    explicit Idle(std::function<void()> a) : Task(&Idle::work), action(std::move(a)) {}
    static void work(Task& task) { static_cast<Idle&>(task).action(); }
    std::function<void()> action;
  };
  // The loop would wait for ever if it did not come before the wait.
  Idle idle([&] {
    notes += "idle ";
    loop_->post(make_task([&] { notes += "task "; }));
  });
  loop_->post_idle(idle);
  loop_->post(make_task([&] { notes += "first "; }));
  peer.send("x");
  loop_->run_once(true);
  EXPECT_EQ(notes.find("idle"), std::string::npos) << notes;
  until_waiting([&] { return notes.find("task") != std::string::npos; });
  EXPECT_EQ(notes, "input first idle task ");
  peer.send("y");
  until_waiting([&] { return notes.ends_with("input "); });
  EXPECT_EQ(notes, "input first idle task input ");  // once
}

TEST_P(LoopTurnTest, WhatIsForIdleTimesRunsBeforeTheEnd) {
  bool ran = false;
  struct Idle : Task {
    explicit Idle(bool& r) : Task(&Idle::work), ran(r) {}
    static void work(Task& task) { static_cast<Idle&>(task).ran = true; }
    bool& ran;
  } idle(ran);
  loop_->stop();
  loop_->post(make_task([&] { loop_->post_idle(idle); }));
  loop_->run();
  EXPECT_TRUE(ran);
}

TEST_P(LoopTurnTest, TimersFireInOrderAndNotEarly) {
  struct Noted : Timer {
    Noted(LoopTurnTest& t, std::vector<int>& f, int i)
        : Timer(&Noted::fire), test(t), fired(f), id(i) {}
    static void fire(Timer& timer) {
      auto& self = static_cast<Noted&>(timer);
      EXPECT_GE(self.test.clock().monotonic(), self.due());
      self.fired.push_back(self.id);
    }
    LoopTurnTest& test;
    std::vector<int>& fired;
    int id;
  };
  std::vector<int> fired;
  Noted a(*this, fired, 1), b(*this, fired, 2), c(*this, fired, 3), d(*this, fired, 4);
  const Nanos now = clock_.monotonic();
  loop_->arm(a, now + 3 * kMillisecond);
  loop_->arm(b, now + kMillisecond);
  loop_->arm(c, now + 2 * kMillisecond);
  loop_->arm(d, now + 5 * kMillisecond);
  c.cancel();
  until_waiting([&] { return !d.armed(); });
  EXPECT_EQ(fired, (std::vector{2, 1, 4}));
}

TEST_P(LoopTurnTest, TasksOfOneThreadRunInOrder) {
  std::vector<int> ran;
  for (int i = 0; i < 100; ++i) loop_->post(make_task([&ran, i] { ran.push_back(i); }));
  loop_->run_once(true);  // does not wait: there are tasks
  ASSERT_EQ(ran.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST_P(LoopTurnTest, OtherThreadsWakeTheLoop) {
  std::thread thread([this] { loop_->run(); });
  constexpr int kTasks = 5000;
  std::atomic<int> ran{0};
  std::vector<std::thread> posters;
  for (int p = 0; p < 3; ++p) {
    posters.emplace_back([&] {
      for (int i = 0; i < kTasks; ++i) {
        auto done = std::make_shared<std::atomic<bool>>(false);
        loop_->post(make_task([&ran, done] {
          ran.fetch_add(1);
          done->store(true);
          done->notify_one();
        }));
        // Waiting for the answer now and then lets the loop fall asleep in between.
        if (i % 3 == 0) done->wait(false);
      }
    });
  }
  for (std::thread& poster : posters) poster.join();
  loop_->stop();
  thread.join();
  EXPECT_EQ(ran.load(), 3 * kTasks);
}

TEST_P(LoopTurnTest, WhatWasPostedBeforeStopStillRuns) {
  bool ran = false;
  loop_->stop();
  loop_->post(make_task([&] { ran = true; }));
  loop_->run();
  EXPECT_TRUE(ran);
}

INSTANTIATE_TEST_SUITE_P(Twins, LoopTurnTest, ::testing::Values(Backend::epoll, Backend::uring),
                         backend_name);

}  // namespace
}  // namespace slotcar::runtime
