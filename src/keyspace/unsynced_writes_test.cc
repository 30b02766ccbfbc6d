#include "keyspace/unsynced_writes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace slotcar::keyspace {
namespace {

// Never a smaller LSN: a reply that leaves too early shows what a crash may undo. And rarely a
// larger one.
void compare_with_a_map(std::uint64_t seed, std::uint64_t keys, std::uint64_t lag_max) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  UnsyncedWrites unsynced;
  std::map<std::uint64_t, std::uint64_t> model;
  std::uint64_t all = 0;
  std::uint64_t durable = 0;
  std::uint64_t asked = 0;
  std::uint64_t too_much = 0;
  for (std::uint64_t lsn = 1; lsn < 5'000; ++lsn) {
    const std::uint64_t hash = below(keys) * 0x9e3779b97f4a7c15;
    if (below(1'000) == 0) {
      unsynced.note_all(Lsn{lsn});
      all = lsn;
    } else {
      unsynced.note(hash, Lsn{lsn}, Lsn{durable});
      model[hash] = lsn;
    }
    durable = std::max(durable, lsn - std::min(lsn, below(lag_max)));
    const std::uint64_t other = below(keys) * 0x9e3779b97f4a7c15;
    for (const std::uint64_t looked : {hash, other}) {
      const std::uint64_t newest = std::max(model[looked], all);
      const std::uint64_t expected = newest > durable ? newest : 0;
      const std::uint64_t found = unsynced.of(looked, Lsn{durable}).value;
      ASSERT_GE(found, expected) << "LSN " << lsn;
      ASSERT_TRUE(found == 0 || found > durable);
      ++asked;
      too_much += found > expected;
    }
    EXPECT_EQ(unsynced.last(), Lsn{lsn});
  }
  EXPECT_LT(too_much * 100, asked);
}

TEST(UnsyncedWrites, KnowsTheFewOfAQuickDisk) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) compare_with_a_map(seed, 100, 4);
}

TEST(UnsyncedWrites, KnowsTheManyOfASlowDisk) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) compare_with_a_map(seed, 1'000, 400);
}

TEST(UnsyncedWrites, KnowsMoreThanItsLinesHold) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) compare_with_a_map(seed, 20, 60);
}

}  // namespace
}  // namespace slotcar::keyspace
