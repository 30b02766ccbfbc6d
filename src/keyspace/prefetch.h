// Prefetches a cache line before it is needed.
#pragma once

namespace slotcar::keyspace {

// To the compiler a function that only prefetches has no effect, and its calls are dropped; the
// empty asm keeps them.
[[gnu::always_inline]] inline void prefetch_line(const void* address) {
  __builtin_prefetch(address);
  asm volatile("" : : "r"(address));
}

[[gnu::always_inline]] inline void prefetch_two_lines(const void* address) {
  prefetch_line(address);
  prefetch_line(static_cast<const char*>(address) + 64);
}

}  // namespace slotcar::keyspace
