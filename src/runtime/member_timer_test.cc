#include "runtime/member_timer.h"

#include <gtest/gtest.h>

#include "runtime/timer_queue.h"

namespace slotcar::runtime {
namespace {

struct Alarmed {
  void on_alarm() { ++alarms; }
  int alarms = 0;
  MemberTimer<&Alarmed::on_alarm> alarm{*this};
};

TEST(MemberTimer, CallsTheMemberOfItsOwner) {
  TimerQueue queue;
  Alarmed first, second;
  queue.arm(first.alarm, 10);
  queue.arm(second.alarm, 20);
  queue.run_due(10);
  EXPECT_EQ(first.alarms, 1);
  EXPECT_EQ(second.alarms, 0);
}

}  // namespace
}  // namespace slotcar::runtime
