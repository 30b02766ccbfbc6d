// LoadProgress: the progress of loading at start, for INFO and for clients that connect meanwhile.
// Written by the one thread that reads them.
#pragma once

#include <atomic>
#include <cstdint>

namespace slotcar::durability {

struct LoadProgress {
  // A thread that has seen this become false sees the loaded keys.
  std::atomic<bool> loading{false};
  std::atomic<std::int64_t> since{0};  // unix time, seconds
  std::atomic<std::uint64_t> total_bytes{0};
  std::atomic<std::uint64_t> done_bytes{0};
};

}  // namespace slotcar::durability
