// The access stamp of an entry: 32 bits that say when the key was last used (LRU), or how often
// (LFU). Pure arithmetic; a flag of the entry says which of the two it is.
//
//   LRU   unix time in tenths of a second, modulo 2^32: differences are right for 6.8 years.
//   LFU   as Redis: 16 bits of unix minutes, then an 8-bit logarithmic counter. A new key starts at
//         5, so that it is not the next victim; each `decay` minutes without a use take one off.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ids.h"

namespace slotcar::keyspace {

inline constexpr std::uint8_t kLfuInitial = 5;
inline constexpr std::int64_t kLruUnitMs = 100;

inline std::uint32_t lru_stamp(UnixMs now) {
  return static_cast<std::uint32_t>(now / kLruUnitMs);
}

// In units of kLruUnitMs. If the clock was set back the result is zero, not centuries.
inline std::uint32_t lru_idle(std::uint32_t stamp, UnixMs now) {
  const auto difference = static_cast<std::int32_t>(lru_stamp(now) - stamp);
  return static_cast<std::uint32_t>(std::max(difference, 0));
}

// The stamp of a key that was not used for this long. Longer times become the longest that a stamp
// can express.
inline std::uint32_t lru_stamp_idle(UnixMs now, std::int64_t seconds) {
  constexpr std::int64_t kUnitsPerSecond = 1000 / kLruUnitMs;
  const std::int64_t units =
      std::clamp<std::int64_t>(seconds, 0, INT32_MAX / kUnitsPerSecond) * kUnitsPerSecond;
  return lru_stamp(now) - static_cast<std::uint32_t>(units);
}

inline std::uint16_t lfu_minutes(UnixMs now) {
  return static_cast<std::uint16_t>(now / 60'000);
}

inline std::uint32_t lfu_stamp(UnixMs now, std::uint8_t counter) {
  return static_cast<std::uint32_t>(lfu_minutes(now)) << 8 | counter;
}

inline std::uint16_t lfu_idle_minutes(std::uint32_t stamp, UnixMs now) {
  return static_cast<std::uint16_t>(lfu_minutes(now) - static_cast<std::uint16_t>(stamp >> 8));
}

// The counter after decay; zero minutes: it never decays.
inline std::uint8_t lfu_frequency(std::uint32_t stamp, UnixMs now, int decay_minutes) {
  const int counter = static_cast<std::uint8_t>(stamp);
  const int periods = decay_minutes > 0 ? lfu_idle_minutes(stamp, now) / decay_minutes : 0;
  return static_cast<std::uint8_t>(std::max(counter - periods, 0));
}

// The stamp after one more use. `coin` is 32 random bits: the higher the counter, the less likely
// it is to be raised.
inline std::uint32_t lfu_touched(std::uint32_t stamp, UnixMs now, int decay_minutes, int log_factor,
                                 std::uint32_t coin) {
  std::uint8_t counter = lfu_frequency(stamp, now, decay_minutes);
  if (counter < 255) {
    const int above = std::max(counter - kLfuInitial, 0);
    const auto odds = static_cast<std::uint64_t>(above) * static_cast<unsigned>(log_factor) + 1;
    if (coin < (std::uint64_t{1} << 32) / odds) ++counter;
  }
  return lfu_stamp(now, counter);
}

}  // namespace slotcar::keyspace
