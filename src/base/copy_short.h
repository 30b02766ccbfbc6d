// copy_short: memcpy for bytes that are mostly few, as keys and values are: inlined, because a call
// would cost more than the copying.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace slotcar::base {

// Copies `bytes` to where none of them lies; answers where it stopped. Nothing beyond their end is
// read or written: the last word goes back as far as it must and writes some bytes once more.
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
