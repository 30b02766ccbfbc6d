// Finds a byte among sixteen at once: the inner loop of the key table and of the leaves of sets and
// hashes. With SSE2 (every x86-64) or NEON (every arm64) it is a handful of instructions; the
// portable form serves everything else and is what the tests compare the others with.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace slotcar::base {

// Bit i is set where byte i of the sixteen is `byte`.
inline unsigned match_sixteen_portably(const void* at, std::uint8_t byte) {
  const auto* bytes = static_cast<const std::uint8_t*>(at);
  unsigned bits = 0;
  for (unsigned i = 0; i < 16; ++i) bits |= unsigned{bytes[i] == byte} << i;
  return bits;
}

inline unsigned match_sixteen(const void* at, std::uint8_t byte) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(at));
  const __m128i equal = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<unsigned>(_mm_movemask_epi8(equal));
#elif defined(__ARM_NEON)
  // NEON has no movemask: each equal byte keeps the bit of its place, and each half is added up.
  constexpr std::uint8_t kPlaces[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t equal =
      vceqq_u8(vld1q_u8(static_cast<const std::uint8_t*>(at)), vdupq_n_u8(byte));
  const uint8x16_t bits = vandq_u8(equal, vld1q_u8(kPlaces));
  return static_cast<unsigned>(vaddv_u8(vget_low_u8(bits))) |
         static_cast<unsigned>(vaddv_u8(vget_high_u8(bits))) << 8;
#else
  return match_sixteen_portably(at, byte);
#endif
}

}  // namespace slotcar::base
