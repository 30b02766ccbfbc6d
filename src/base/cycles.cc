#include "base/cycles.h"

#include <chrono>

namespace slotcar::base {

double measure_nanoseconds_per_cycle() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const std::uint64_t first = cycles();
  std::int64_t elapsed = 0;
  do {
    elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  } while (elapsed < 2'000'000);
  return static_cast<double>(elapsed) / static_cast<double>(cycles() - first);
}

}  // namespace slotcar::base
