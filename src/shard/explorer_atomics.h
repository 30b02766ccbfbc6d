// ExplorerAtomics: stands in for std::atomic where the code under test takes its atomics as a
// policy. Each operation is one step of the explorer. Memory orders mean nothing here.
#pragma once

#include <atomic>
#include <cstdint>

#include "shard/explorer.h"

namespace slotcar::shard {

struct ExplorerAtomics {
  template <class T>
  class Atomic {
   public:
    explicit Atomic(T value) : value_(value) {}

    T load(std::memory_order) const {
      Explorer& explorer = Explorer::running();
      explorer.step("load");
      explorer.note(value_);
      return value_;
    }
    T exchange(T desired, std::memory_order) {
      Explorer& explorer = Explorer::running();
      explorer.step("exchange");
      const T old = value_;
      explorer.note(old);
      value_ = desired;
      explorer.wrote(this, old, desired);
      return old;
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
      Explorer::running().step("cas");
      return compare_exchange(expected, desired);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
      Explorer& explorer = Explorer::running();
      if (explorer.step("weak_cas", /*weak=*/true)) {
        explorer.note(mix_failure(value_));
        expected = value_;
        return false;
      }
      return compare_exchange(expected, desired);
    }

   private:
    // A failure for no reason is another thing to have seen than a success on the same value.
    static std::uint64_t mix_failure(T value) { return Explorer::mix(5, value); }

    bool compare_exchange(T& expected, T desired) {
      Explorer& explorer = Explorer::running();
      const T old = value_;
      explorer.note(old);
      if (old != expected) {
        expected = old;
        return false;
      }
      value_ = desired;
      explorer.wrote(this, old, desired);
      return true;
    }

    T value_;
  };
};

}  // namespace slotcar::shard
