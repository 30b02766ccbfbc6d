// A few hundred seeds in every test run; `./dev sim waiting` does more.
#include "sim/waiting.h"

#include <gtest/gtest.h>

namespace slotcar::sim {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 100;
#else
constexpr std::uint64_t kSeeds = 400;
#endif

TEST(WaitingCampaign, EachElementOnceNobodyOvertakenNobodyBesideAReadyKeyNoGhosts) {
  WaitingCounters sum;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const WaitingResult result = run_waiting_seed(seed);
    for (const std::string& complaint : result.complaints) {
      ADD_FAILURE() << "seed " << seed << ": " << complaint
                    << "\nto repeat it: ./dev sim waiting 1 " << seed;
    }
    if (HasFailure()) return;
    sum.add(result.counters);
  }
  for (const std::string& name : sum.missing()) ADD_FAILURE() << name << " never happened";
  RecordProperty("counters", sum.text());
}

TEST(WaitingCampaign, ASeedRepeatsExactly) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    EXPECT_EQ(run_waiting_seed(seed).trace_hash, run_waiting_seed(seed).trace_hash) << seed;
  }
}

}  // namespace
}  // namespace slotcar::sim
