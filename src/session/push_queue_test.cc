#include "session/push_queue.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

TEST(PushQueue, GivesTheOldestFirst) {
  PushQueue queue;
  PushQueueHook a, b;
  EXPECT_TRUE(queue.empty());
  queue.add(a);
  queue.add(b);
  EXPECT_TRUE(a.in_push_queue());
  EXPECT_EQ(&queue.pop(), &a);
  EXPECT_FALSE(a.in_push_queue());
  queue.add(a);
  EXPECT_EQ(&queue.pop(), &b);
  EXPECT_EQ(&queue.pop(), &a);
  EXPECT_TRUE(queue.empty());
}

TEST(PushQueue, WhoLeavesOrEndsIsNotGiven) {
  PushQueue queue;
  PushQueueHook a, c;
  {
    PushQueueHook b;
    queue.add(a);
    queue.add(b);
    queue.add(c);
  }
  a.leave_push_queue();
  a.leave_push_queue();  // it may be out already
  EXPECT_EQ(&queue.pop(), &c);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace slotcar::session
