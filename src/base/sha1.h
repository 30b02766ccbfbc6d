// SHA-1, by which scripts are named. Not for secrets.
#pragma once

#include <string>
#include <string_view>

namespace slotcar::base {

// 40 lower-case hexadecimal digits.
std::string sha1_hex(std::string_view bytes);

}  // namespace slotcar::base
