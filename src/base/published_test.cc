#include "base/published.h"

#include <gtest/gtest.h>

namespace slotcar::base {
namespace {

TEST(Published, IsSetAddedToAndRead) {
  Published<int> number{-1};
  EXPECT_EQ(number.get(), -1);
  number = 5;
  number.add(2);
  EXPECT_EQ(number, 7);
  Published<const char*> none;
  EXPECT_EQ(none.get(), nullptr);
}

}  // namespace
}  // namespace slotcar::base
