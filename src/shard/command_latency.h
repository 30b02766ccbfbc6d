// CommandLatency: how long the calls of one command took on one thread, in processor cycles. Made
// on first use: most commands are never called. One thread records, any thread reads.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/histogram.h"

namespace slotcar::shard {

class CommandLatency {
 public:
  CommandLatency() = default;
  ~CommandLatency() { delete cycles_.load(std::memory_order_relaxed); }
  CommandLatency(const CommandLatency&) = delete;
  CommandLatency& operator=(const CommandLatency&) = delete;

  void record(std::uint64_t cycles) {
    base::Histogram* histogram = cycles_.load(std::memory_order_relaxed);
    if (histogram == nullptr) [[unlikely]] {
      histogram = new base::Histogram();
      cycles_.store(histogram, std::memory_order_release);
    }
    histogram->record(static_cast<std::int64_t>(cycles));
  }
  // Null: nothing was recorded.
  const base::Histogram* cycles() const { return cycles_.load(std::memory_order_acquire); }

 private:
  std::atomic<base::Histogram*> cycles_{nullptr};
};

}  // namespace slotcar::shard
