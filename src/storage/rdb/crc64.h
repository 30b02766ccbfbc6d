// CRC-64 with the polynomial of Jones, reflected, as RDB files and DUMP use it.
#pragma once

#include <cstdint>
#include <string_view>

namespace slotcar::storage {

// `crc` is that of the bytes before these, 0 at the start.
std::uint64_t crc64(std::uint64_t crc, std::string_view bytes);

}  // namespace slotcar::storage
