// copy_short: memcpy for short byte strings, as most keys and values are. Inlined, because a call
// would cost more than the copy.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace slotcar::base {

// Copies `bytes` to `to`, which must not overlap them; returns the end of the copy. It never reads
// or writes past the end: the last word starts earlier and writes some bytes twice.
inline char* copy_short(char* to, std::string_view bytes) {
  const char* from = bytes.data();
  const std::size_t size = bytes.size();
  if (size >= 16) {
    if (size > 64) {
      std::memcpy(to, from, size);
      return to + size;
    }
    std::memcpy(to, from, 16);
    if (size > 32) {
      std::memcpy(to + 16, from + 16, 16);
      std::memcpy(to + size - 32, from + size - 32, 16);
    }
    std::memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + size - 4, from + size - 4, 4);
  } else if (size >= 2) {
    std::memcpy(to, from, 2);
    std::memcpy(to + size - 2, from + size - 2, 2);
  } else if (size == 1) {
    *to = *from;
  }
  return to + size;
}

}  // namespace slotcar::base
