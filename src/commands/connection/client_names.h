// What a client may call itself.
#pragma once

#include <algorithm>
#include <string_view>

namespace slotcar::commands {

inline constexpr std::string_view kBadClientName =
    "ERR Client names cannot contain spaces, newlines or special characters.";

// CLIENT LIST separates its fields by blanks and its lines by newlines.
inline bool is_client_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; });
}

}  // namespace slotcar::commands
