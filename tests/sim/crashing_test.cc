// Some seeds in every test run; `./dev sim crashing` does more.
#include "sim/crashing.h"

#include <gtest/gtest.h>

namespace slotcar::sim {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 60;
#else
constexpr std::uint64_t kSeeds = 300;
#endif

TEST(CrashingCampaign, WhatWasAcknowledgedIsThereAfterEveryCrash) {
  CrashingCounters sum;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const CrashingResult result = run_crashing_seed(seed);
    for (const std::string& complaint : result.complaints) {
      ADD_FAILURE() << "seed " << seed << ": " << complaint
                    << "\nto repeat it: ./dev sim crashing 1 " << seed;
    }
    if (HasFailure()) return;
    sum.add(result.counters);
  }
  for (const std::string& name : sum.missing()) ADD_FAILURE() << name << " never happened";
  RecordProperty("counters", sum.text());
}

TEST(CrashingCampaign, ASeedRepeatsExactly) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(run_crashing_seed(seed).trace_hash, run_crashing_seed(seed).trace_hash) << seed;
  }
}

}  // namespace
}  // namespace slotcar::sim
