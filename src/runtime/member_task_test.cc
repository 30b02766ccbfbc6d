#include "runtime/member_task.h"

#include <gtest/gtest.h>

#include "runtime/mailbox.h"

namespace slotcar::runtime {
namespace {

struct Woken {
  void on_wake() { ++wakes; }
  int wakes = 0;
  MemberTask<&Woken::on_wake> wake{*this};
};

TEST(MemberTask, CallsTheMemberOfItsOwner) {
  Mailbox mailbox;
  Woken first, second;
  (void)mailbox.push(first.wake);
  mailbox.take().run_all();
  EXPECT_EQ(first.wakes, 1);
  EXPECT_EQ(second.wakes, 0);
}

TEST(MemberTask, CanBePostedAgainOnceItHasRun) {
  Mailbox mailbox;
  Woken one;
  for (int round = 1; round <= 2; ++round) {
    (void)mailbox.push(one.wake);
    mailbox.take().run_all();
    EXPECT_EQ(one.wakes, round);
  }
}

}  // namespace
}  // namespace slotcar::runtime
