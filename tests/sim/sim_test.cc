// Two hundred seeds in every test run; `./dev sim` does more.
#include <gtest/gtest.h>

#include "sim/campaign.h"

namespace slotcar::sim {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 100;
#else
constexpr std::uint64_t kSeeds = 200;
#endif

TEST(Campaign, NothingIsSeenHalfDoneAndEveryRareWayIsTaken) {
  Counters sum;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const SeedResult result = run_seed(seed);
    for (const std::string& complaint : result.complaints) {
      ADD_FAILURE() << "seed " << seed << ": " << complaint << "\nto repeat it: ./dev sim 1 "
                    << seed;
    }
    if (HasFailure()) return;
    sum.add(result.counters);
  }
  for (const std::string& name : sum.missing()) ADD_FAILURE() << name << " never happened";
  RecordProperty("counters", sum.text());
}

// Without this a failing seed would not be a bug report.
TEST(Campaign, ASeedRepeatsExactly) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const SeedResult once = run_seed(seed);
    const SeedResult again = run_seed(seed);
    EXPECT_EQ(once.trace_hash, again.trace_hash) << "seed " << seed;
    EXPECT_EQ(once.counters.text(), again.counters.text()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace slotcar::sim
