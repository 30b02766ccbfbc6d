#include "runtime/sim/sim_world.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_loop.h"
#include "runtime/sim/sim_network.h"

namespace slotcar::runtime {
namespace {

constexpr std::uint64_t kSeeds = 50;

// A timer that runs a lambda.
struct CallTimer : Timer {
  explicit CallTimer(std::function<void()> c) : Timer(&CallTimer::fire), call(std::move(c)) {}
  static void fire(Timer& timer) { static_cast<CallTimer&>(timer).call(); }
  std::function<void()> call;
};

// Calls `work` again and again, each time as a new task of the same runner.
void repeat(TaskRunner& runner, int times, std::function<void(int)> work, int done = 0) {
  if (done == times) return;
  runner.post(make_task([&runner, times, work, done] {
    work(done);
    repeat(runner, times, work, done + 1);
  }));
}

// A small program with loops, threads, timers and pauses.
std::uint64_t run_program(std::uint64_t seed, std::string* order = nullptr) {
  SimWorld world(seed);
  SimNetwork network(world);
  SimExecutor executor(world, 200'000);
  SimLoop a(world, network), b(world, network);
  executor.start_loop("a", a);
  executor.start_loop("b", b);
  auto slow = executor.start_thread("slow");
  int finished = 0;
  std::string seen;
  const auto work = [&](char who) {
    return [&seen, &executor, who, &finished](int done) {
      seen += who;
      (void)executor.pauses()->stops_here(PausePoint::before_run);
      if (done == 19) ++finished;
    };
  };
  repeat(a, 20, work('a'));
  repeat(b, 20, work('b'));
  repeat(*slow, 20, work('s'));
  CallTimer timer([&] { seen += 't'; });
  a.arm(timer, world.now() + 5 * kMillisecond);
  EXPECT_TRUE(world.run_until([&] { return finished == 3 && !timer.armed(); }));
  a.stop();
  b.stop();
  executor.join_loops();
  if (order) *order = seen;
  return world.trace_hash();
}

TEST(SimWorld, SameSeedSameTrace) {
  std::set<std::uint64_t> hashes;
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::string first, second;
    const std::uint64_t hash = run_program(seed, &first);
    EXPECT_EQ(hash, run_program(seed, &second)) << seed;
    EXPECT_EQ(first, second);
    hashes.insert(hash);
    orders.insert(first);
  }
  EXPECT_EQ(hashes.size(), kSeeds);
  EXPECT_EQ(orders.size(), kSeeds) << "the seed does not change the order of threads";
}

TEST(SimWorld, TasksOfOnePosterKeepTheirOrder) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimWorld world(seed);
    SimNetwork network(world);
    SimExecutor executor(world);
    SimLoop loop(world, network);
    executor.start_loop("loop", loop);
    auto left = executor.start_thread("left");
    auto right = executor.start_thread("right");
    std::vector<int> from_left, from_right;
    repeat(*left, 30, [&](int i) { loop.post(make_task([&, i] { from_left.push_back(i); })); });
    repeat(*right, 30, [&](int i) {
      loop.post(make_task([&, i] { from_right.push_back(2 * i); }));
      loop.post(make_task([&, i] { from_right.push_back(2 * i + 1); }));
    });
    ASSERT_TRUE(world.run_idle());
    ASSERT_EQ(from_left.size(), 30u);
    ASSERT_EQ(from_right.size(), 60u);
    EXPECT_TRUE(std::is_sorted(from_left.begin(), from_left.end()));
    EXPECT_TRUE(std::is_sorted(from_right.begin(), from_right.end()));
  }
}

TEST(SimWorld, SilenceCostsNoStepsAndTimersFireInOrderAndNeverEarly) {
  SimWorld world(1);
  SimNetwork network(world);
  SimExecutor executor(world);
  SimLoop loop(world, network);
  executor.start_loop("loop", loop);
  const Nanos start = world.now();
  std::vector<int> fired;
  std::vector<std::unique_ptr<CallTimer>> timers;
  for (int hours : {3, 1, 2}) {
    const Nanos due = start + hours * 3600 * kSecond;
    timers.push_back(std::make_unique<CallTimer>([&world, &loop, &fired, hours, due] {
      EXPECT_GE(loop.turn_monotonic(), due);
      EXPECT_LT(world.now(), due + kSecond);
      fired.push_back(hours);
    }));
    loop.arm(*timers.back(), due);
  }
  EXPECT_TRUE(world.run_until([&] { return fired.size() == 3; }, 100));
  EXPECT_EQ(fired, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(loop.clock().unix_us() / 1'000'000, 1'700'000'001 + 3 * 3600);
}

TEST(SimWorld, RunIdleLeavesFutureTimersAlone) {
  SimWorld world(2);
  SimNetwork network(world);
  SimExecutor executor(world);
  SimLoop loop(world, network);
  executor.start_loop("loop", loop);
  int fired = 0, happened = 0;
  CallTimer timer([&] { ++fired; });
  loop.arm(timer, world.now() + kSecond);
  world.at(world.now() + kMillisecond, [&] { ++happened; });
  EXPECT_TRUE(world.run_idle());
  EXPECT_EQ(happened, 1);
  EXPECT_EQ(fired, 0);
  EXPECT_TRUE(world.run_for(kSecond / 2));
  EXPECT_EQ(fired, 0);
  EXPECT_TRUE(world.run_for(kSecond));
  EXPECT_EQ(fired, 1);
  EXPECT_FALSE(world.step()) << "nothing is left to happen";
}

TEST(SimWorld, ATimerThatRearmsItselfForThePastDoesNotHoldUpTheTurn) {
  SimWorld world(3);
  SimNetwork network(world);
  SimExecutor executor(world);
  SimLoop loop(world, network);
  executor.start_loop("loop", loop);
  std::uint64_t fired = 0;
  CallTimer timer([&] {
    ++fired;
    loop.arm(timer, 0);
  });
  loop.arm(timer, 0);
  bool ran = false;
  loop.post(make_task([&] { ran = true; }));
  EXPECT_TRUE(world.run_until([&] { return ran && fired > 10; }, 1000));
  EXPECT_LE(fired, loop.turns());
  loop.stop();
  executor.join_loops();
}

TEST(SimWorld, EveryItemIsFollowedByATurnEnd) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimWorld world(seed);
    SimNetwork network(world);
    SimExecutor executor(world);
    SimLoop loop(world, network);
    int unflushed = 0, flushes = 0;
    loop.set_turn_end([&] {
      unflushed = 0;
      ++flushes;
    });
    executor.start_loop("loop", loop);
    CallTimer timer([&] { ++unflushed; });
    loop.arm(timer, world.now() + 100);
    repeat(loop, 10, [&](int) { ++unflushed; });
    ASSERT_TRUE(world.run_idle());
    EXPECT_EQ(unflushed, 0);
    EXPECT_GE(flushes, 10) << "a task posted by a task belongs to the next turn";
  }
}

TEST(SimWorld, WhatIsForIdleTimesRunsWhenThereIsNothingElse) {
  struct Idle : Task {
    Idle(int& l, int& r) : Task(&Idle::work), left(l), ran(r) {}
    static void work(Task& task) {
      auto& self = static_cast<Idle&>(task);
      EXPECT_EQ(self.left, 0);
      ++self.ran;
    }
    int& left;
    int& ran;
  };
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimWorld world(seed);
    SimNetwork network(world);
    SimExecutor executor(world);
    SimLoop loop(world, network);
    int left = 10, ran = 0;
    Idle idle(left, ran);
    executor.start_loop("loop", loop);
    loop.post(make_task([&] { loop.post_idle(idle); }));
    repeat(loop, 10, [&](int) { --left; });
    ASSERT_TRUE(world.run_idle());
    EXPECT_EQ(ran, 1);
  }
}

TEST(SimWorld, NothingRunsBeforeTheLoopIsStarted) {
  SimWorld world(4);
  SimNetwork network(world);
  SimExecutor executor(world);
  SimLoop loop(world, network);
  bool ran = false;
  loop.post(make_task([&] { ran = true; }));
  EXPECT_FALSE(world.step());
  EXPECT_FALSE(ran);
  executor.start_loop("loop", loop);
  EXPECT_TRUE(world.run_idle());
  EXPECT_TRUE(ran);
}

TEST(SimWorld, WhatWasPostedBeforeStopStillRuns) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimWorld world(seed);
    SimNetwork network(world);
    SimExecutor executor(world);
    SimLoop loop(world, network);
    int ran = 0, flushed_at = 0;
    loop.set_turn_end([&] { flushed_at = ran; });
    executor.start_loop("loop", loop);
    for (int i = 0; i < 100; ++i) loop.post(make_task([&] { ++ran; }));
    loop.stop();
    executor.join_loops();
    EXPECT_TRUE(loop.finished());
    EXPECT_EQ(ran, 100);
    EXPECT_EQ(flushed_at, 100);
  }
}

TEST(SimWorld, ATaskThreadRunsItsQueueBeforeItEnds) {
  SimWorld world(5);
  SimExecutor executor(world);
  auto thread = executor.start_thread("slow");
  int ran = 0;
  repeat(*thread, 10, [&](int) { ++ran; });
  thread.reset();
  EXPECT_EQ(ran, 10);
}

TEST(SimWorld, WaitingForADeadlineInsideOneItemEnds) {
  SimWorld world(6);
  const Nanos deadline = world.now() + kMillisecond;
  while (world.clock().monotonic() < deadline) {
  }
  EXPECT_GE(world.now(), deadline);
}

TEST(SimWorld, TheWallClockStepsAndTheMonotonicDoesNotNotice) {
  SimWorld world(7);
  const Nanos monotonic = world.clock().monotonic();
  const std::int64_t wall = world.clock().unix_us();
  world.clock().step_wall_clock(-60'000'000);
  EXPECT_GE(world.clock().monotonic(), monotonic);
  EXPECT_LT(world.clock().unix_us(), wall);
}

TEST(SimPauses, FollowTheirChanceAndAreCounted) {
  SimWorld world(8);
  SimExecutor executor(world, 0);
  auto thread = executor.start_thread("thread");
  SimPauses& pauses = executor.sim_pauses();
  pauses.set_chance(PausePoint::before_release, 1'000'000);
  pauses.set_chance(PausePoint::between_acquisitions, 500'000);
  repeat(*thread, 1000, [&](int) {
    EXPECT_FALSE(pauses.stops_here(PausePoint::before_run));
    EXPECT_TRUE(pauses.stops_here(PausePoint::before_release));
    (void)pauses.stops_here(PausePoint::between_acquisitions);
  });
  EXPECT_TRUE(world.run_idle());
  EXPECT_EQ(pauses.asked(PausePoint::before_run), 1000u);
  EXPECT_EQ(pauses.stopped(PausePoint::before_run), 0u);
  EXPECT_EQ(pauses.stopped(PausePoint::before_release), 1000u);
  EXPECT_GT(pauses.stopped(PausePoint::between_acquisitions), 300u);
  EXPECT_LT(pauses.stopped(PausePoint::between_acquisitions), 700u);
  EXPECT_FALSE(pauses.stops_here(PausePoint::before_release)) << "no thread is running here";
}

// The classic lost update: read, pause, write. A simulator that never interleaves would not find
// it.
TEST(SimPauses, AnUnprotectedReadModifyWriteLosesUpdatesInSomeSeed) {
  int seeds_with_loss = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SimWorld world(seed);
    SimExecutor executor(world, 300'000);
    auto a = executor.start_thread("a");
    auto b = executor.start_thread("b");
    int counter = 0;
    for (TaskRunner* runner : {a.get(), b.get()}) {
      repeat(*runner, 5, [&counter, runner, &executor](int) {
        const int read = counter;
        if (executor.pauses()->stops_here(PausePoint::before_run)) {
          runner->post(make_task([&counter, read] { counter = read + 1; }));
        } else {
          counter = read + 1;
        }
      });
    }
    ASSERT_TRUE(world.run_idle());
    EXPECT_LE(counter, 10);
    if (counter < 10) ++seeds_with_loss;
  }
  EXPECT_GT(seeds_with_loss, 10);
  EXPECT_LT(seeds_with_loss, 50);
}

TEST(SimWorld, AStalledThreadLetsTheOthersGoOn) {
  SimOptions options;
  options.stall_ppm = 0;
  SimWorld world(9, options);
  SimExecutor executor(world);
  auto a = executor.start_thread("a");
  auto b = executor.start_thread("b");
  std::string order;
  a->post(make_task([&] {
    order += 'A';
    world.stall_current(kSecond);
  }));
  a->post(make_task([&] { order += 'Z'; }));
  ASSERT_TRUE(world.run_until([&] { return order == "A"; }));
  repeat(*b, 20, [&](int) { order += 'b'; });
  ASSERT_TRUE(world.run_idle());
  EXPECT_EQ(order, "A" + std::string(20, 'b') + "Z");
}

}  // namespace
}  // namespace slotcar::runtime
