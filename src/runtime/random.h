// The interface to randomness. A node draws its hash seed, its sampling and its ids from here.
#pragma once

#include <cstdint>

namespace slotcar::runtime {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;  // any thread
};

// A small fast generator for one thread, seeded from a Random.
class FastRandom {
 public:
  explicit FastRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // 0..bound-1, without the cost of a division. bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace slotcar::runtime
