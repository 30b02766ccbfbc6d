// The server's version.
#pragma once

#include <string_view>

namespace slotcar::console {

inline constexpr std::string_view kVersion = "0.1.0";
// The version of Redis that the server is compatible with. Clients read it to know what they may
// use.
inline constexpr std::string_view kRedisVersion = "7.2.4";

}  // namespace slotcar::console
