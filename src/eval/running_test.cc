// A script can be ended until it writes, an order hits only the script that it was meant for, and
// what is not busy is not seen.
#include "eval/running.h"

#include <gtest/gtest.h>

namespace slotcar::eval {
namespace {

TEST(Running, IsSeenWhenItIsBusy) {
  Running running;
  Running::Seen seen;
  running.begin();
  EXPECT_FALSE(running.look(seen));
  running.become_busy({ScriptKind::function, "f", {"FCALL", "f", "0"}, 5});
  ASSERT_TRUE(running.look(seen));
  EXPECT_EQ(seen.what.name, "f");
  EXPECT_EQ(seen.what.began, 5);
  running.end();
  EXPECT_FALSE(running.look(seen));
}

TEST(Running, IsEndedOnlyBeforeItsFirstWrite) {
  Running running;
  Running::Seen seen;
  running.begin();
  running.become_busy({});
  ASSERT_TRUE(running.look(seen));
  EXPECT_TRUE(running.may_write());
  EXPECT_TRUE(running.may_write());
  EXPECT_FALSE(running.kill(seen.word));
  EXPECT_FALSE(running.is_killed());
  ASSERT_TRUE(running.look(seen));
  EXPECT_TRUE(seen.wrote());
  EXPECT_FALSE(running.kill(seen.word));
}

TEST(Running, DoesNotWriteOnceItIsEnded) {
  Running running;
  Running::Seen seen;
  running.begin();
  running.become_busy({});
  ASSERT_TRUE(running.look(seen));
  EXPECT_TRUE(running.kill(seen.word));
  EXPECT_TRUE(running.is_killed());
  EXPECT_FALSE(running.may_write());
}

TEST(Running, AnOrderForOneDoesNotHitTheNext) {
  Running running;
  Running::Seen seen;
  running.begin();
  running.become_busy({});
  ASSERT_TRUE(running.look(seen));
  running.end();
  EXPECT_FALSE(running.kill(seen.word));
  running.begin();
  EXPECT_FALSE(running.kill(seen.word));
  EXPECT_FALSE(running.is_killed());
  EXPECT_TRUE(running.may_write());
}

}  // namespace
}  // namespace slotcar::eval
