// What is remembered of a script: new, long, quick again.
#include "eval/script_facts.h"

#include <gtest/gtest.h>

namespace slotcar::eval {
namespace {

void run_quickly(ScriptFacts& facts, int times) {
  for (int i = 0; i < times; ++i) facts.ran(false, false, false);
}

TEST(ScriptFacts, ANewScriptIsLookedAtOnce) {
  ScriptFacts facts;
  EXPECT_TRUE(facts.is_new());
  EXPECT_TRUE(facts.is_long());
  run_quickly(facts, 1);
  EXPECT_FALSE(facts.is_new());
  EXPECT_FALSE(facts.is_long());
  ScriptFacts other;
  other.ran(false, false, true);
  EXPECT_TRUE(other.is_long());
}

// The thread may have been without a processor for a moment.
TEST(ScriptFacts, OneLongRunAmongQuickOnesIsForgiven) {
  ScriptFacts facts;
  run_quickly(facts, 1);
  facts.ran(false, false, true);
  EXPECT_FALSE(facts.is_long());
  run_quickly(facts, limits::kScriptTrustedAfter);
  facts.ran(false, false, true);
  EXPECT_FALSE(facts.is_long());
}

TEST(ScriptFacts, TwoLongRunsNearEachOtherMakeItLong) {
  ScriptFacts facts;
  run_quickly(facts, 1);
  facts.ran(false, false, true);
  run_quickly(facts, limits::kScriptTrustedAfter - 1);
  facts.ran(false, false, true);
  EXPECT_TRUE(facts.is_long());
  run_quickly(facts, limits::kScriptTrustedAfter - 1);
  EXPECT_TRUE(facts.is_long());
  run_quickly(facts, 1);
  EXPECT_FALSE(facts.is_long());
}

// It was taken back in the middle: the next run begins on a slow thread.
TEST(ScriptFacts, ASurpriseByTimeCountsAtOnce) {
  ScriptFacts facts;
  run_quickly(facts, 1);
  facts.surprised_by_time();
  EXPECT_TRUE(facts.is_long());
}

}  // namespace
}  // namespace slotcar::eval
