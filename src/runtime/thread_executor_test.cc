#include "runtime/thread_executor.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "runtime/event_loop.h"
#include "runtime/real/real_clock.h"

namespace slotcar::runtime {
namespace {

// The first six words of what sched_getattr fills in; the last two are the length of a turn.
struct Scheduling {
  std::uint32_t words[6] = {};
  std::uint64_t turn_ns = 0;
  std::uint64_t rest[2] = {};
};

std::uint64_t turn_of_this_thread() {
  Scheduling now;
  const long failed = ::syscall(SYS_sched_getattr, 0, &now, sizeof now, 0);
  return failed ? 0 : now.turn_ns;
}

using Start = void (ThreadExecutor::*)(const std::string&, EventLoop&);

// The turn of a thread that runs a loop.
std::uint64_t turn_of_a_loop(Start start) {
  RealClock clock;
  std::string note;
  auto loop = make_event_loop(Backend::epoll, {}, clock, &note);
  EXPECT_TRUE(loop);
  std::atomic<std::uint64_t> turn = 0;
  (*loop)->post(make_task([&] {
    turn = turn_of_this_thread();
    (*loop)->stop();
  }));
  ThreadExecutor executor;
  (executor.*start)("loop", **loop);
  executor.join_loops();
  return turn;
}

// Loops get short turns where the kernel has such a thing, and other threads the usual ones.
TEST(ThreadExecutor, LoopsGetShortTurnsUnlessTheyArePatient) {
  const std::uint64_t usual = turn_of_this_thread();
  if (usual == 0) GTEST_SKIP() << "this kernel does not tell how long a turn is";
  const std::uint64_t turn = turn_of_a_loop(&ThreadExecutor::start_loop);
  EXPECT_LT(turn, usual);
  EXPECT_GT(turn, 0u);
  EXPECT_EQ(turn_of_a_loop(&ThreadExecutor::start_patient_loop), usual);
  EXPECT_EQ(turn_of_this_thread(), usual);
}

}  // namespace
}  // namespace slotcar::runtime
