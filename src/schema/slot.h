// The one function from key to slot, in standalone and in cluster mode alike.
#pragma once

#include <string_view>

#include "base/crc16.h"
#include "base/ids.h"
#include "base/limits.h"

namespace slotcar::schema {

// The part of a key that decides its slot: the text between the first '{' and the next '}' if
// that is not empty, else the whole key.
inline std::string_view hash_tag(std::string_view key) {
  const auto open = key.find('{');
  if (open == std::string_view::npos) return key;
  const auto close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

inline Slot slot_of(std::string_view key) {
  return Slot{static_cast<std::uint16_t>(base::crc16(hash_tag(key)) & (limits::kSlots - 1))};
}

}  // namespace slotcar::schema
