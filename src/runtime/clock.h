// The interface to time. Real nodes read the kernel's clocks; the simulator moves its own.
#pragma once

#include <cstdint>

#include "base/cycles.h"
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

  // What calls are measured with (base/cycles.h): the processor's own count, unless the clock has
  // another. A simulated call must not seem slow because the machine was busy elsewhere.
  std::uint64_t cycles() const { return has_cycles_ ? own_cycles() : base::cycles(); }
  // May take a few milliseconds; call once.
  virtual double nanoseconds_per_cycle() const { return base::measure_nanoseconds_per_cycle(); }

 protected:
  enum class Cycles : bool { processor, own };
  explicit Clock(Cycles cycles = Cycles::processor) : has_cycles_(cycles == Cycles::own) {}

 private:
  virtual std::uint64_t own_cycles() const { return base::cycles(); }

  bool has_cycles_;
};

}  // namespace slotcar::runtime
