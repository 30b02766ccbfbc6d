#include "session/fiber.h"

#include <gtest/gtest.h>

#include <string>

namespace slotcar::session {
namespace {

class Owner final : public FiberOwner {
 public:
  void before_suspending() override { log += '|'; }

  Fiber run() {
    log += 'a';
    co_await Wait::input;
    log += 'b';
    co_await Wait::call_done;
    log += 'c';
  }

  Wakeups wakeups;
  std::string log;
};

TEST(Fiber, RunsFromWaitToWait) {
  Owner owner;
  Fiber fiber = owner.run();
  fiber.start(owner, owner.wakeups);
  EXPECT_EQ(owner.log, "a|");
  EXPECT_EQ(owner.wakeups.waits_for(), Wait::input);
  owner.wakeups.wake(Wait::input);
  EXPECT_EQ(owner.log, "a|b|");
  EXPECT_TRUE(owner.wakeups.has_waiter(Wait::call_done));
  owner.wakeups.wake(Wait::call_done);
  EXPECT_EQ(owner.log, "a|b|c");
  EXPECT_TRUE(fiber.done());
  EXPECT_EQ(owner.wakeups.waits_for(), Wait::nothing);
}

TEST(Fiber, AWakeThatComesFirstIsRemembered) {
  Owner owner;
  owner.wakeups.wake(Wait::call_done);
  Fiber fiber = owner.run();
  fiber.start(owner, owner.wakeups);
  EXPECT_EQ(owner.log, "a|");  // another one than it waits for
  owner.wakeups.wake(Wait::input);
  EXPECT_EQ(owner.log, "a|bc");  // the second wait does not suspend
}

TEST(Fiber, AWakeIsUsedUp) {
  Owner owner;
  owner.wakeups.wake(Wait::input);
  Fiber first = owner.run();
  first.start(owner, owner.wakeups);
  EXPECT_EQ(owner.log, "ab|");
  owner.wakeups.wake(Wait::call_done);
  Fiber second = owner.run();
  second.start(owner, owner.wakeups);
  EXPECT_EQ(owner.log, "ab|ca|");
}

}  // namespace
}  // namespace slotcar::session
