#include "storage/crc64.h"

#include <array>
#include <cstddef>
#include <cstring>

namespace slotcar::storage {

namespace {

constexpr std::uint64_t kPolynomial = 0x95ac9329ac4bc9b5;  // 0xad93d23594c935a9, bits turned round

// table[k][b]: what a byte b does to the CRC k bytes later. Eight bytes are then taken at once.
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

}  // namespace

std::uint64_t crc64(std::uint64_t crc, std::string_view bytes) {
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

}  // namespace slotcar::storage
