// x86-64 (SSE 4.2) and every arm64 server have an instruction for this checksum. Elsewhere lookup
// tables compute the same, more slowly.
#include "base/crc32c.h"

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

#include <array>
#include <cstring>

namespace slotcar::base {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bits reflected

std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// table[k][b]: the effect of byte b on the sum k bytes later, so that eight bytes are taken at
// once.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t later = 1; later < tables.size(); ++later) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[later - 1][byte];
      tables[later][byte] = tables[0][before & 0xff] ^ before >> 8;
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__SSE4_2__)
// One crc32 instruction waits three cycles for the one before it, so three runs of this many bytes
// are summed side by side and then put together.
constexpr std::size_t kRun = 128;

// x to the power n modulo the polynomial, bits reflected: the highest is x to the power 0.
constexpr std::uint32_t power_of_x(unsigned n) {
  std::uint32_t power = 0x80000000;
  for (; n > 0; --n) power = (power >> 1) ^ ((power & 1) != 0 ? kPolynomial : 0);
  return power;
}

// The contribution of a prefix's sum to the total when `bytes` more bytes follow it. The carry-less
// product is 33 powers short of its place: one for the reflection, 32 for the instruction.
template <std::size_t bytes>
[[gnu::target("pclmul")]] std::uint64_t moved_by(std::uint64_t crc) {
  constexpr std::uint32_t factor = power_of_x(8 * bytes - 33);
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)),
                                               _mm_cvtsi32_si128(static_cast<int>(factor)), 0);
  return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

// Consumes whole triples of runs from the front of the bytes.
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

std::uint32_t by_instructions(std::string_view bytes, std::uint32_t before) {
  std::uint64_t crc = before;
  if (bytes.size() >= 3 * kRun && __builtin_cpu_supports("pclmul")) crc = sum_triples(bytes, crc);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) crc = _mm_crc32_u64(crc, word_at(bytes.data()));
  auto narrow = static_cast<std::uint32_t>(crc);
  for (const char byte : bytes) narrow = _mm_crc32_u8(narrow, static_cast<std::uint8_t>(byte));
  return narrow;
}
#elif defined(__ARM_FEATURE_CRC32)
std::uint32_t by_instructions(std::string_view bytes, std::uint32_t crc) {
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) crc = __crc32cd(crc, word_at(bytes.data()));
  for (const char byte : bytes) crc = __crc32cb(crc, static_cast<std::uint8_t>(byte));
  return crc;
}
#endif

std::uint32_t by_tables(std::string_view bytes, std::uint32_t crc) {
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    const std::uint64_t eight = word_at(bytes.data()) ^ crc;
    crc = kTables[7][eight & 0xff] ^ kTables[6][eight >> 8 & 0xff] ^
          kTables[5][eight >> 16 & 0xff] ^ kTables[4][eight >> 24 & 0xff] ^
          kTables[3][eight >> 32 & 0xff] ^ kTables[2][eight >> 40 & 0xff] ^
          kTables[1][eight >> 48 & 0xff] ^ kTables[0][eight >> 56];
  }
  for (const char byte : bytes) {
    crc = kTables[0][(crc ^ static_cast<std::uint8_t>(byte)) & 0xff] ^ crc >> 8;
  }
  return crc;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
#if defined(__SSE4_2__) || defined(__ARM_FEATURE_CRC32)
  return ~by_instructions(bytes, ~before);
#else
  return crc32c_by_tables(bytes, before);
#endif
}

std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before) {
  return ~by_tables(bytes, ~before);
}

}  // namespace slotcar::base
