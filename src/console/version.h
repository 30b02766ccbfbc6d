// What the server says it is.
#pragma once

#include <string_view>

namespace slotcar::console {

inline constexpr std::string_view kVersion = "0.1.0";
// The Redis whose behaviour is offered. Clients look at it to know what they may use.
inline constexpr std::string_view kRedisVersion = "7.2.4";

}  // namespace slotcar::console
