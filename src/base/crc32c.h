// CRC-32C (Castagnoli), as the processor computes it.
#pragma once

#include <cstdint>
#include <string_view>

namespace slotcar::base {

// `before`: the CRC of the preceding bytes, 0 at the beginning.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);
// The same in software: for processors without the instruction, and for the tests.
std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before = 0);

}  // namespace slotcar::base
