// Counter: written by one thread, read by any. A plain add without a locked instruction.
#pragma once

#include <atomic>
#include <cstdint>

namespace slotcar::base {

class Counter {
 public:
  void add(std::int64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  void set(std::int64_t n) { value_.store(n, std::memory_order_relaxed); }
  std::int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

}  // namespace slotcar::base
