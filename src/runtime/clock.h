// The door to time. Real nodes read the kernel's clocks; the simulator moves its own.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace slotcar::runtime {

// Nanoseconds of a clock that only goes forward; its zero means nothing.
using Nanos = std::int64_t;
inline constexpr Nanos kMicrosecond = 1'000;
inline constexpr Nanos kMillisecond = 1'000'000;
inline constexpr Nanos kSecond = 1'000'000'000;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanos monotonic() const = 0;
  virtual std::int64_t unix_us() const = 0;  // microseconds since 1970
  UnixMs unix_ms() const { return unix_us() / 1000; }
};

}  // namespace slotcar::runtime
