#include "base/crc16.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace slotcar::base {
namespace {

// Bit by bit, from the polynomial alone.
std::uint16_t slow_crc16(std::string_view bytes) {
  unsigned sum = 0;
  for (unsigned char byte : bytes) {
    for (int bit = 7; bit >= 0; --bit) {
      const bool carry = ((sum >> 15) ^ (byte >> bit)) & 1;
      sum = (sum << 1) & 0xffff;
      if (carry) sum ^= 0x1021;
    }
  }
  return static_cast<std::uint16_t>(sum);
}

TEST(Crc16, KnownSums) {
  EXPECT_EQ(crc16(""), 0);
  EXPECT_EQ(crc16("123456789"), 0x31C3);
  // Slots as CLUSTER KEYSLOT gives them.
  EXPECT_EQ(crc16("foo") & 16383, 12182);
  EXPECT_EQ(crc16("bar") & 16383, 5061);
  EXPECT_EQ(crc16("somekey") & 16383, 11058);
  EXPECT_EQ(crc16("key:000000000001") & 16383, slow_crc16("key:000000000001") & 16383);
}

RC_GTEST_PROP(Crc16, AgreesWithTheDefinition, (const std::string& bytes)) {
  RC_ASSERT(crc16(bytes) == slow_crc16(bytes));
}

TEST(Crc16, EveryLengthAroundAWord) {
  std::string bytes;
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ(crc16(bytes), slow_crc16(bytes)) << i;
    bytes += static_cast<char>(i * 37 + 200);
  }
}

}  // namespace
}  // namespace slotcar::base
