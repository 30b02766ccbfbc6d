// RealClock: the kernel's clocks. Any thread.
#pragma once

#include "runtime/clock.h"

namespace slotcar::runtime {

class RealClock final : public Clock {
 public:
  Nanos monotonic() const override;
  std::int64_t unix_us() const override;
};

}  // namespace slotcar::runtime
