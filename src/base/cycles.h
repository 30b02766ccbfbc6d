// A very cheap tick for statistics, never for decisions: its unit is the processor's, and
// `nanoseconds_per_cycle` is measured once at start.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <time.h>
#endif

namespace slotcar::base {

inline std::uint64_t cycles() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
#endif
}

// Measures for a few milliseconds; call once.
double measure_nanoseconds_per_cycle();

}  // namespace slotcar::base
