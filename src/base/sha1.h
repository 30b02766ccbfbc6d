// SHA-1, which identifies scripts. Not for secrets.
#pragma once

#include <string>
#include <string_view>

namespace slotcar::base {

// 40 lower-case hexadecimal digits.
std::string sha1_hex(std::string_view bytes);

}  // namespace slotcar::base
