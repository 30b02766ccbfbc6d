// The seeded hash of keys. The seed is drawn at each start, so that a client cannot choose keys
// that collide.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace slotcar::base {

struct HashSeed {
  std::uint64_t value = 0;
};

inline std::uint64_t hash_bytes(std::string_view bytes, HashSeed seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed.value);
}

}  // namespace slotcar::base
