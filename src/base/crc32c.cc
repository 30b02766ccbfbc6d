#include "base/crc32c.h"

#include <nmmintrin.h>
#include <wmmintrin.h>

#include <cstring>

namespace slotcar::base {
namespace {

// One crc32 instruction waits three cycles for the one before it, so three runs of this many bytes
// are summed side by side and then put together.
constexpr std::size_t kRun = 128;

// x to the power n modulo the polynomial, bits reflected: the highest is x to the power 0.
constexpr std::uint32_t power_of_x(unsigned n) {
  std::uint32_t power = 0x80000000;
  for (; n > 0; --n) power = (power >> 1) ^ ((power & 1) != 0 ? 0x82f63b78 : 0);
  return power;
}

std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// What the sum of some bytes adds to the sum of those and `bytes` more behind them. The carry-less
// product is 33 powers short of its place: one for the reflection, 32 for the instruction.
template <std::size_t bytes>
[[gnu::target("pclmul")]] std::uint64_t moved_by(std::uint64_t crc) {
  constexpr std::uint32_t factor = power_of_x(8 * bytes - 33);
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)),
                                               _mm_cvtsi32_si128(static_cast<int>(factor)), 0);
  return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

// Takes whole triples of runs off the bytes.
[[gnu::target("pclmul")]] std::uint64_t sum_triples(std::string_view& bytes, std::uint64_t crc) {
  for (; bytes.size() >= 3 * kRun; bytes.remove_prefix(3 * kRun)) {
    const char* at = bytes.data();
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < kRun; i += 8) {
      crc = _mm_crc32_u64(crc, word_at(at + i));
      second = _mm_crc32_u64(second, word_at(at + kRun + i));
      third = _mm_crc32_u64(third, word_at(at + 2 * kRun + i));
    }
    crc = moved_by<2 * kRun>(crc) ^ moved_by<kRun>(second) ^ third;
  }
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint64_t crc = ~before;
  if (bytes.size() >= 3 * kRun && __builtin_cpu_supports("pclmul")) crc = sum_triples(bytes, crc);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) crc = _mm_crc32_u64(crc, word_at(bytes.data()));
  auto narrow = static_cast<std::uint32_t>(crc);
  for (const char byte : bytes) narrow = _mm_crc32_u8(narrow, static_cast<std::uint8_t>(byte));
  return ~narrow;
}

}  // namespace slotcar::base
