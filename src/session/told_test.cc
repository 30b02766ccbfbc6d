#include "session/told.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

TEST(Told, GivesTheOldestFirst) {
  Told told;
  ToldPlace a, b;
  EXPECT_TRUE(told.empty());
  told.add(a);
  told.add(b);
  EXPECT_TRUE(a.in_told());
  EXPECT_EQ(&told.pop(), &a);
  EXPECT_FALSE(a.in_told());
  told.add(a);
  EXPECT_EQ(&told.pop(), &b);
  EXPECT_EQ(&told.pop(), &a);
  EXPECT_TRUE(told.empty());
}

TEST(Told, WhoLeavesOrEndsIsNotGiven) {
  Told told;
  ToldPlace a, c;
  {
    ToldPlace b;
    told.add(a);
    told.add(b);
    told.add(c);
  }
  a.leave_told();
  a.leave_told();  // it may be out already
  EXPECT_EQ(&told.pop(), &c);
  EXPECT_TRUE(told.empty());
}

}  // namespace
}  // namespace slotcar::session
