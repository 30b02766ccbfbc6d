#include "session/worker/next_turn.h"

#include <gtest/gtest.h>

#include <string>

#include "session/testing/posted_tasks.h"

namespace slotcar::session {
namespace {

class Owner final : public FiberOwner {
 public:
  explicit Owner(NextTurn& next_turn) : next_turn_(next_turn) {}
  void before_suspending() override {}

  Fiber run(int turns) {
    for (int i = 0; i < turns; ++i) {
      log += static_cast<char>('0' + i);
      next_turn_.resume(wakeups);
      co_await Wait::next_turn;
    }
    log += '.';
  }

  Wakeups wakeups;
  std::string log;

 private:
  NextTurn& next_turn_;
};

TEST(NextTurn, IsRequestedOnce) {
  testing::PostedTasks loop;
  NextTurn next_turn(loop);
  next_turn.request();
  next_turn.request();
  EXPECT_EQ(loop.count(), 1u);
  loop.run();
  EXPECT_EQ(loop.count(), 0u);
  next_turn.request();
  EXPECT_EQ(loop.count(), 1u);
}

TEST(NextTurn, ResumesEachSessionOnceATurn) {
  testing::PostedTasks loop;
  NextTurn next_turn(loop);
  Owner a(next_turn), b(next_turn);
  Fiber first = a.run(2);
  Fiber second = b.run(1);
  first.start(a, a.wakeups);
  second.start(b, b.wakeups);
  EXPECT_EQ(loop.count(), 1u);  // one task for all of them
  loop.run();
  EXPECT_EQ(a.log, "01");
  EXPECT_EQ(b.log, "0.");
  EXPECT_EQ(loop.count(), 1u);
  loop.run();
  EXPECT_EQ(a.log, "01.");
  EXPECT_EQ(loop.count(), 0u);
}

}  // namespace
}  // namespace slotcar::session
