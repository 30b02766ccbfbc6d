// A unique name: 40 hexadecimal digits, like Redis's run id.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/random.h"

namespace slotcar::runtime {

inline std::string random_id(Random& random) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr std::size_t kSize = 40;
  std::string id;
  while (id.size() < kSize) {
    std::uint64_t bits = random.next();
    for (int i = 0; i < 16 && id.size() < kSize; ++i, bits >>= 4) id += kDigits[bits & 15];
  }
  return id;
}

}  // namespace slotcar::runtime
