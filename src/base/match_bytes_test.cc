#include "base/match_bytes.h"

#include <gtest/gtest.h>

#include <random>

namespace slotcar::base {
namespace {

TEST(MatchBytes, FindsEveryPlace) {
  char bytes[16] = {};
  for (unsigned i = 0; i < 16; ++i) {
    bytes[i] = '\xff';
    EXPECT_EQ(match_sixteen(bytes, 0xff), 1u << i);
    EXPECT_EQ(match_sixteen(bytes, 0), 0xffffu ^ 1u << i);
    bytes[i] = 0;
  }
}

TEST(MatchBytes, ThePortableFormAgrees) {
  std::mt19937 random(1);
  for (int round = 0; round < 10'000; ++round) {
    std::uint8_t bytes[17];
    for (std::uint8_t& byte : bytes) byte = random() % 4;  // few values, so that many are equal
    const auto wanted = static_cast<std::uint8_t>(random() % 5);
    ASSERT_EQ(match_sixteen(bytes + 1, wanted), match_sixteen_portably(bytes + 1, wanted));
  }
}

}  // namespace
}  // namespace slotcar::base
