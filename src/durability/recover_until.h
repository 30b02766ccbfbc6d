// --recover-until: where the replay of the log stops.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"

namespace slotcar::durability {

// A number from here on may be a unix time in seconds, or the LSN of a long log.
inline constexpr std::int64_t kUnixSecondsMin = 1'000'000'000;

struct RecoverUntil {
  std::int64_t number = 0;  // an LSN, or a unix time in seconds or milliseconds; or 0, and
  UnixMs time = 0;          // a time that was given with a fraction of a second
};
Result<RecoverUntil> read_recover_until(std::string_view text);

}  // namespace slotcar::durability
