// How much work something is, in the unit of shard/work_place.h: elements. Long elements count as
// several, because their bytes are copied or compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "shard/call.h"

namespace slotcar::shard {

// So many bytes are as much work as the most elements that are quick.
inline constexpr std::size_t kQuickBytesMax = limits::kFreeLaterBytes;

constexpr std::size_t work_size(std::size_t elements, std::size_t bytes) {
  constexpr std::size_t kElementBytes = kQuickBytesMax / limits::kQuickElementsMax;
  return std::max(elements, bytes / kElementBytes);
}

// For the declarations of commands that copy their arguments into a value, or search for them: by
// the number of arguments or of pairs of them, and by their bytes.
inline std::size_t argument_bytes(const Call& call) {
  if (is_large_size(pair_count(call))) return 0;  // It is large by their number.
  std::size_t bytes = 0;
  for (const std::string_view argument : call.args()) bytes += argument.size();
  return bytes;
}
inline std::size_t argument_size(const Call& call) {
  return work_size(argument_count(call), argument_bytes(call));
}
inline std::size_t pair_size(const Call& call) {
  return work_size(pair_count(call), argument_bytes(call));
}

}  // namespace slotcar::shard
