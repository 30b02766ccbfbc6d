#include "runtime/real/real_clock.h"

#include <ctime>

namespace slotcar::runtime {

Nanos RealClock::monotonic() const {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

std::int64_t RealClock::unix_us() const {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace slotcar::runtime
