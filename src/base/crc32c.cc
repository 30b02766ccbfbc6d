#include "base/crc32c.h"

#include <nmmintrin.h>

#include <cstring>

namespace slotcar::base {

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    crc = _mm_crc32_u64(crc, word);
  }
  auto narrow = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, static_cast<std::uint8_t>(*at));
  return ~narrow;
}

}  // namespace slotcar::base
