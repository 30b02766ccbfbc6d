// ErrorCodes: how often each error code ("ERR", "WRONGTYPE") was answered by one thread. That
// thread writes, any thread reads: a code is written once, then published by the count of codes.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/counter.h"

namespace slotcar::shard {

class ErrorCodes {
 public:
  // DEBUG ERROR and scripts can invent codes; more than this are counted as one.
  static constexpr std::size_t kCodesMax = 64;
  static constexpr std::size_t kCodeBytesMax = 23;

  void add(std::string_view code, std::int64_t times = 1) {
    code = code.substr(0, kCodeBytesMax);
    const std::uint32_t used = used_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < used; ++i) {
      if (cells_[i].code() == code) return cells_[i].count.add(times);
    }
    if (used == kCodesMax) return;
    Cell& cell = cells_[used];
    std::copy(code.begin(), code.end(), cell.text);
    cell.size = static_cast<std::uint8_t>(code.size());
    cell.count.add(times);
    used_.store(used + 1, std::memory_order_release);
  }

  template <class Visit>  // visit(code, count)
  void visit(Visit&& visit) const {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < used; ++i) visit(cells_[i].code(), cells_[i].count.get());
  }

 private:
  struct Cell {
    char text[kCodeBytesMax];
    std::uint8_t size;
    base::Counter count;
    std::string_view code() const { return {text, size}; }
  };
  std::array<Cell, kCodesMax> cells_;
  std::atomic<std::uint32_t> used_{0};
};

}  // namespace slotcar::shard
