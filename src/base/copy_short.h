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
  if (size > 256) {
    std::memcpy(to, from, size);
  } else if (size >= 16) {
    for (std::size_t i = 0; i + 16 < size; i += 16) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + size - 4, from + size - 4, 4);
  } else {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
  }
  return to + size;
}

}  // namespace slotcar::base
