// Some seeds in every test run; `./dev sim crashing` does more.
#include "sim/crashing.h"

#include <gtest/gtest.h>

namespace slotcar::sim {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 60;
constexpr std::uint64_t kLongSeeds = 20;
#else
constexpr std::uint64_t kSeeds = 300;
constexpr std::uint64_t kLongSeeds = 100;
#endif

using Run = CrashingResult (*)(std::uint64_t);

CrashingCounters campaign(const char* name, Run run, std::uint64_t seeds) {
  CrashingCounters sum;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const CrashingResult result = run(seed);
    for (const std::string& complaint : result.complaints) {
      ADD_FAILURE() << "seed " << seed << ": " << complaint << "\nto repeat it: ./dev sim " << name
                    << " 1 " << seed;
    }
    if (testing::Test::HasFailure()) return sum;
    sum.add(result.counters);
  }
  for (const std::string& one : sum.missing()) ADD_FAILURE() << one << " never happened";
  testing::Test::RecordProperty("counters", sum.text());
  return sum;
}

TEST(CrashingCampaign, WhatWasAcknowledgedIsThereAfterEveryCrash) {
  // (Only lives under `everysec` forget; what `always` has promised and is not there is a
  // complaint.)
  EXPECT_GT(campaign("crashing", run_crashing_seed, kSeeds).blocked_served, 0);
}

TEST(CrashingCampaign, UnderEverySecondNoMoreIsForgottenThanTheLagThatWasTold) {
  EXPECT_GT(campaign("lagging", run_lagging_seed, kLongSeeds).forgotten, 0);
}

TEST(CrashingCampaign, ASeedRepeatsExactly) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(run_crashing_seed(seed).trace_hash, run_crashing_seed(seed).trace_hash) << seed;
  }
}

}  // namespace
}  // namespace slotcar::sim
