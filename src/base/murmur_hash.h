// MurmurHash64A, the hash that the formats of HyperLogLog and bloom filters are defined with. Not
// for hash tables, because its seed is public; use hash.h there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace slotcar::base {

inline std::uint64_t murmur_hash(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kMultiplier = 0xc6a4a7935bd1e995ull;
  constexpr int kShift = 47;
  const auto mix = [](std::uint64_t word) {
    word *= kMultiplier;
    word ^= word >> kShift;
    return word * kMultiplier;
  };
  std::uint64_t hash = seed ^ (bytes.size() * kMultiplier);
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    at += sizeof word;
    hash = (hash ^ mix(word)) * kMultiplier;
  }
  if (left != 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    hash = (hash ^ word) * kMultiplier;
  }
  hash ^= hash >> kShift;
  hash *= kMultiplier;
  return hash ^ (hash >> kShift);
}

}  // namespace slotcar::base
