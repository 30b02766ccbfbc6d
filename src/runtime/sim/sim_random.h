// Randomness in the simulator: all of it comes from the seed. Each part of the world (scheduler,
// network, disk, pauses, the node's own random numbers) draws from a stream of its own, so that a
// change in one part leaves the luck of the others as it was.
#pragma once

#include <cstdint>

#include "base/assert.h"
#include "runtime/random.h"

namespace slotcar::runtime {

// A seeded source with the functions a simulator needs. Chances are in millionths: integers, so
// that a seed means the same on every machine.
class SimDice {
 public:
  explicit SimDice(std::uint64_t seed) : random_(seed) {}

  std::uint64_t next() { return random_.next(); }
  std::uint64_t below(std::uint64_t bound) {
    ASSERT(bound > 0);
    return random_.below(bound);
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {  // both may come
    ASSERT(low <= high);
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool coin() { return (next() >> 63) != 0; }
  bool happens(std::uint32_t per_million) {
    // A chance of zero draws nothing: switching a fault off does not shift the others' luck.
    return per_million != 0 && below(1'000'000) < per_million;
  }

 private:
  FastRandom random_;
};

// What a simulated node sees as its Random.
class SimRandom final : public Random {
 public:
  explicit SimRandom(std::uint64_t seed) : random_(seed) {}
  std::uint64_t next() override { return random_.next(); }

 private:
  FastRandom random_;
};

}  // namespace slotcar::runtime
