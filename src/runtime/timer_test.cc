#include "runtime/timer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/timer_queue.h"

namespace slotcar::runtime {
namespace {

struct Noted : Timer {
  Noted(int i, std::vector<int>& f) : Timer(&Noted::fire), id(i), fired(f) {}
  static void fire(Timer& timer) {
    auto& self = static_cast<Noted&>(timer);
    self.fired.push_back(self.id);
  }
  int id;
  std::vector<int>& fired;
};

TEST(TimerQueue, FiresInOrderOfTimeThenOfArming) {
  TimerQueue queue;
  std::vector<int> fired;
  Noted a(1, fired), b(2, fired), c(3, fired), d(4, fired);
  queue.arm(a, 20);
  queue.arm(b, 10);
  queue.arm(c, 20);
  queue.arm(d, 30);
  EXPECT_EQ(queue.next_due(), 10);
  EXPECT_EQ(queue.run_due(20), 3u);
  EXPECT_EQ(fired, (std::vector{2, 1, 3}));
  EXPECT_FALSE(a.armed());
  EXPECT_TRUE(d.armed());
  EXPECT_EQ(queue.next_due(), 30);
}

TEST(TimerQueue, CancelAndRearm) {
  TimerQueue queue;
  std::vector<int> fired;
  Noted a(1, fired), b(2, fired);
  queue.arm(a, 10);
  queue.arm(b, 20);
  queue.arm(a, 30);
  b.cancel();
  b.cancel();
  queue.run_due(25);
  EXPECT_TRUE(fired.empty());
  queue.run_due(30);
  EXPECT_EQ(fired, std::vector{1});
  EXPECT_EQ(queue.next_due(), TimerQueue::kNoTimer);
}

TEST(TimerQueue, ADestroyedTimerNeverFires) {
  TimerQueue queue;
  std::vector<int> fired;
  auto a = std::make_unique<Noted>(1, fired);
  queue.arm(*a, 10);
  a.reset();
  EXPECT_EQ(queue.run_due(10), 0u);
}

TEST(TimerQueue, ATimerMayOutliveTheQueue) {
  std::vector<int> fired;
  Noted a(1, fired);
  {
    TimerQueue queue;
    queue.arm(a, 10);
  }
  EXPECT_FALSE(a.armed());
}

TEST(TimerQueue, ATimerThatRearmsForThePastWaitsForTheNextTurn) {
  struct Again : Timer {
    explicit Again(TimerQueue& q) : Timer(&Again::fire), queue(q) {}
    static void fire(Timer& timer) {
      auto& self = static_cast<Again&>(timer);
      ++self.times;
      self.queue.arm(self, 0);
    }
    TimerQueue& queue;
    int times = 0;
  };
  TimerQueue queue;
  Again again(queue);
  queue.arm(again, 0);
  EXPECT_EQ(queue.run_due(5), 1u);
  EXPECT_EQ(queue.run_due(5), 1u);
  EXPECT_EQ(again.times, 2);
}

TEST(TimerQueue, OneTimerMayDestroyAnotherThatIsDue) {
  struct Killer : Timer {
    explicit Killer(std::unique_ptr<Noted>& v) : Timer(&Killer::fire), victim(v) {}
    static void fire(Timer& timer) { static_cast<Killer&>(timer).victim.reset(); }
    std::unique_ptr<Noted>& victim;
  };
  TimerQueue queue;
  std::vector<int> fired;
  auto victim = std::make_unique<Noted>(1, fired);
  Killer killer(victim);
  queue.arm(killer, 1);
  queue.arm(*victim, 2);
  EXPECT_EQ(queue.run_due(10), 1u);
  EXPECT_TRUE(fired.empty());
}

RC_GTEST_PROP(TimerQueue, BehavesLikeASortedList, ()) {
  TimerQueue queue;
  std::vector<int> fired;
  std::vector<std::unique_ptr<Noted>> timers;
  struct Armed {
    Nanos due;
    int order;
    int id;
  };
  std::vector<Armed> model;
  for (int i = 0; i < 20; ++i) timers.push_back(std::make_unique<Noted>(i, fired));
  int order = 0;
  const int steps = *rc::gen::inRange(1, 200);
  for (int i = 0; i < steps; ++i) {
    const int id = *rc::gen::inRange(0, 20);
    std::erase_if(model, [&](const Armed& armed) { return armed.id == id; });
    if (*rc::gen::inRange(0, 3) == 0) {
      timers[static_cast<std::size_t>(id)]->cancel();
    } else {
      const Nanos due = *rc::gen::inRange(0, 30);
      queue.arm(*timers[static_cast<std::size_t>(id)], due);
      model.push_back({due, order++, id});
    }
    RC_ASSERT(queue.size() == model.size());
  }
  std::sort(model.begin(), model.end(), [](const Armed& a, const Armed& b) {
    return a.due != b.due ? a.due < b.due : a.order < b.order;
  });
  std::vector<int> expected;
  for (const Armed& armed : model) expected.push_back(armed.id);
  for (Nanos now = 0; now < 30; now += 7) queue.run_due(now);
  queue.run_due(30);
  RC_ASSERT(fired == expected);
}

}  // namespace
}  // namespace slotcar::runtime
