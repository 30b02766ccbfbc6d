// LogRing: passes records from many threads to the log's one thread, in one order, without a
// lock.
//
// A record's LSN is its number in the ring: `reserve` gives it with one fetch_add, `publish` stores
// the pointer into the slot of that number. Only that store lies between the two, so the log never
// waits long for a reserved number; payload and checksum are computed before. The reader takes
// slots in order and stops at the first empty one. The ring owns nothing.
//
// Why it is right. A number is given once (fetch_add). A slot is written by the thread that has its
// number, with release order, and emptied by the reader after it has taken the pointer with acquire
// order. The next writer of the same slot has a number one round later. The slot must be empty by
// then: every appender was admitted, and admission stops far enough below the ring's size (log.h).
// That is asserted, not waited for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/assert.h"

namespace slotcar::storage {

template <class T>
class LogRing {
 public:
  explicit LogRing(std::size_t size) : mask_(size - 1), slots_(new std::atomic<T*>[size]) {
    ASSERT((size & mask_) == 0);
    for (std::size_t i = 0; i < size; ++i) slots_[i].store(nullptr, std::memory_order_relaxed);
  }

  // Any thread.
  // A thread with a later number sees what was done before an earlier one was reserved.
  std::uint64_t reserve() { return tail_.fetch_add(1, std::memory_order_seq_cst); }
  void publish(std::uint64_t number, T* record) {
    std::atomic<T*>& slot = slots_[number & mask_];
    ASSERT(slot.load(std::memory_order_relaxed) == nullptr);
    slot.store(record, std::memory_order_release);
  }
  std::uint64_t reserved() const { return tail_.load(std::memory_order_seq_cst); }

  // The one reader. Null: the next is not published yet.
  T* take() {
    std::atomic<T*>& slot = slots_[head_ & mask_];
    T* record = slot.load(std::memory_order_acquire);
    if (record == nullptr) return nullptr;
    slot.store(nullptr, std::memory_order_relaxed);
    ++head_;
    return record;
  }
  bool has_next() const { return slots_[head_ & mask_].load(std::memory_order_acquire) != nullptr; }

 private:
  const std::size_t mask_;
  std::unique_ptr<std::atomic<T*>[]> slots_;
  alignas(128) std::atomic<std::uint64_t> tail_{0};
  alignas(128) std::uint64_t head_ = 0;
};

}  // namespace slotcar::storage
