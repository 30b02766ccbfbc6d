#include "durability/recover_until.h"

#include <gtest/gtest.h>

namespace slotcar::durability {
namespace {

TEST(RecoverUntil, IsARecordOrATime) {
  EXPECT_EQ(read_recover_until("1")->number, 1);
  EXPECT_EQ(read_recover_until("1700000000")->number, 1'700'000'000);
  EXPECT_EQ(read_recover_until("1700000000.25")->number, 0);
  EXPECT_EQ(read_recover_until("1700000000.25")->time, 1'700'000'000'250);
}

TEST(RecoverUntil, NothingElse) {
  const char* const texts[] = {"", "0", "-1", "abc", "1 ", "0.5", "999999999.5", "1e13", "nan"};
  for (const char* text : texts) {
    EXPECT_FALSE(read_recover_until(text).ok()) << text;
  }
}

}  // namespace
}  // namespace slotcar::durability
