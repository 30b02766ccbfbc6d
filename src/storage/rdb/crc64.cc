// Two algorithms for the same checksum. Long inputs are folded by carry-less multiplication where
// the processor has it: 64 bytes at a time are carried over the next 64, which leaves 16 bytes with
// the same remainder. Those, short inputs and old processors use tables.
#include "storage/rdb/crc64.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
#include <cstddef>
#include <cstring>

namespace slotcar::storage {

namespace {

constexpr std::uint64_t kPolynomial = 0x95ac9329ac4bc9b5;  // 0xad93d23594c935a9, bits turned round

// table[k][b]: the effect of byte b on the CRC k bytes later. Eight bytes are then taken at once.
using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ kPolynomial : crc >> 1;
    tables[0][byte] = crc;
  }
  for (std::size_t later = 1; later < tables.size(); ++later) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t before = tables[later - 1][byte];
      tables[later][byte] = tables[0][before & 0xff] ^ before >> 8;
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint64_t by_tables(std::uint64_t crc, std::string_view bytes) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, at, sizeof eight);
    crc ^= eight;
    crc = kTables[7][crc & 0xff] ^ kTables[6][crc >> 8 & 0xff] ^ kTables[5][crc >> 16 & 0xff] ^
          kTables[4][crc >> 24 & 0xff] ^ kTables[3][crc >> 32 & 0xff] ^
          kTables[2][crc >> 40 & 0xff] ^ kTables[1][crc >> 48 & 0xff] ^ kTables[0][crc >> 56];
  }
  for (; left > 0; --left, ++at) {
    crc = kTables[0][(crc ^ static_cast<std::uint8_t>(*at)) & 0xff] ^ crc >> 8;
  }
  return crc;
}

#if defined(__x86_64__)
// --- folding -----------------------------------------------------------------------------------

// x to the n-th, modulo the polynomial, bits turned round: the coefficient of x^0 is the top bit.
constexpr std::uint64_t power(int n) {
  std::uint64_t value = std::uint64_t{1} << 63;
  for (; n > 0; --n) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
  return value;
}

// The factors that move the low and the high half of 16 bytes back by this many bits.
// The product of two words whose bits are turned round comes out multiplied by x, hence the - 1.
struct Fold {
  std::uint64_t low;
  std::uint64_t high;
};
constexpr Fold fold_by(int bits) {
  return {power(bits + 64 - 1), power(bits - 1)};
}
constexpr Fold kFold64Bytes = fold_by(512);
constexpr Fold kFold16Bytes = fold_by(128);

[[gnu::target("pclmul")]] inline __m128i moved(__m128i bytes, __m128i fold) {
  return _mm_xor_si128(_mm_clmulepi64_si128(bytes, fold, 0x00),
                       _mm_clmulepi64_si128(bytes, fold, 0x11));
}

inline __m128i words(const Fold& fold) {
  return _mm_set_epi64x(static_cast<long long>(fold.high), static_cast<long long>(fold.low));
}

// At least 64 bytes.
[[gnu::target("pclmul")]] std::uint64_t by_folding(std::uint64_t crc, std::string_view bytes) {
  const auto* at = reinterpret_cast<const __m128i*>(bytes.data());
  __m128i lanes[4];
  for (int i = 0; i < 4; ++i) lanes[i] = _mm_loadu_si128(at + i);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_set_epi64x(0, static_cast<long long>(crc)));
  const __m128i far = words(kFold64Bytes);
  std::size_t left = bytes.size() - 64;
  for (at += 4; left >= 64; left -= 64, at += 4) {
    for (int i = 0; i < 4; ++i) {
      lanes[i] = _mm_xor_si128(moved(lanes[i], far), _mm_loadu_si128(at + i));
    }
  }
  const __m128i near = words(kFold16Bytes);
  for (int i = 1; i < 4; ++i) lanes[i] = _mm_xor_si128(moved(lanes[i - 1], near), lanes[i]);
  char rest[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(rest), lanes[3]);
  return by_tables(by_tables(0, {rest, sizeof rest}), bytes.substr(bytes.size() - left));
}
#endif

}  // namespace

std::uint64_t crc64(std::uint64_t crc, std::string_view bytes) {
#if defined(__x86_64__)
  constexpr std::size_t kWorthFolding = 128;
  static const bool can_fold = __builtin_cpu_supports("pclmul");
  if (bytes.size() >= kWorthFolding && can_fold) return by_folding(crc, bytes);
#endif
  return by_tables(crc, bytes);
}

}  // namespace slotcar::storage
