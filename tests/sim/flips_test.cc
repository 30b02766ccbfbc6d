// A sample of the cases in every test run; `./dev flips` does all.
#include "sim/flips.h"

#include <gtest/gtest.h>

namespace slotcar::sim {
namespace {

constexpr std::uint64_t kCases = 1500;

TEST(Flips, WhateverIsDamagedNothingIsLostInSilence) {
  const Flips flips;
  FlipsCounters counters;
  const std::uint64_t stride = flips.count() / kCases;
  for (std::uint64_t number = 0; number < flips.count(); number += stride) {
    const std::string complaint = flips.run(number, counters);
    ASSERT_EQ(complaint, "") << "to repeat it: ./dev flips 1 " << number;
  }
  EXPECT_GT(counters.everything, 0);
  EXPECT_GT(counters.tail_cut, 0);
  EXPECT_GT(counters.refused, 0);
  RecordProperty("counters", counters.text());
}

}  // namespace
}  // namespace slotcar::sim
