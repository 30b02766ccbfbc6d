// CRC16-CCITT (XModem), the sum behind Redis's slots.
#pragma once

#include <cstdint>
#include <string_view>

namespace slotcar::base {

std::uint16_t crc16(std::string_view bytes);

}  // namespace slotcar::base
