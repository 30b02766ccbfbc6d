// LoadProgress: how far a start has come with its files, for INFO and for whoever knocks meanwhile.
// Written by the one thread that reads them.
#pragma once

#include <atomic>
#include <cstdint>

namespace slotcar::durability {

struct LoadProgress {
  // What the loaded keys are is known to everybody who has seen that this is over.
  std::atomic<bool> loading{false};
  std::atomic<std::int64_t> since{0};  // unix time, seconds
  std::atomic<std::uint64_t> total_bytes{0};
  std::atomic<std::uint64_t> done_bytes{0};
};

}  // namespace slotcar::durability
