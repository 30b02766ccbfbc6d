#include "base/crc16.h"

#include <array>
#include <cstddef>

namespace slotcar::base {
namespace {

constexpr std::uint16_t kPolynomial = 0x1021;
constexpr std::size_t kSlices = 8;

// tables[k][b]: the contribution of byte b when k more bytes follow it. With eight tables the
// bytes of a word are looked up independently of each other instead of one after the other.
using Tables = std::array<std::array<std::uint16_t, 256>, kSlices>;

constexpr Tables make_tables() {
  Tables tables{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned sum = byte << 8;
    for (int bit = 0; bit < 8; ++bit) {
      sum = (sum & 0x8000) ? (sum << 1) ^ kPolynomial : sum << 1;
    }
    tables[0][byte] = static_cast<std::uint16_t>(sum);
  }
  for (std::size_t k = 1; k < kSlices; ++k) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned before = tables[k - 1][byte];
      tables[k][byte] = static_cast<std::uint16_t>((before << 8) ^ tables[0][before >> 8]);
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint16_t crc16(std::string_view bytes) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  unsigned sum = 0;
  for (; left >= kSlices; left -= kSlices, p += kSlices) {
    sum = kTables[7][p[0] ^ (sum >> 8)] ^ kTables[6][p[1] ^ (sum & 0xff)] ^ kTables[5][p[2]] ^
          kTables[4][p[3]] ^ kTables[3][p[4]] ^ kTables[2][p[5]] ^ kTables[1][p[6]] ^
          kTables[0][p[7]];
  }
  if (left == 1) return static_cast<std::uint16_t>((sum << 8) ^ kTables[0][(sum >> 8) ^ p[0]]);
  if (left == 0) return static_cast<std::uint16_t>(sum);
  // The remaining bytes, each from the table for the number of bytes behind it.
  sum = kTables[left - 1][p[0] ^ (sum >> 8)] ^ kTables[left - 2][p[1] ^ (sum & 0xff)];
  for (std::size_t i = 2; i < left; ++i) sum ^= kTables[left - 1 - i][p[i]];
  return static_cast<std::uint16_t>(sum);
}

}  // namespace slotcar::base
