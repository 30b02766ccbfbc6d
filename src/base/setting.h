// Setting: one value of the configuration. Any thread reads it, and CONFIG SET changes it while
// others read.
//
// Readers take no lock and see no order between two settings: a command may run with the old
// value of one and the new value of another. Two values that must agree are protected by a lock
// instead.
#pragma once

#include <atomic>

namespace slotcar::base {

template <class T>
class Setting {
 public:
  using Value = T;

  constexpr Setting() = default;
  // Implicit, so that a settings struct gives its defaults in place.
  constexpr Setting(T value) : value_(value) {}
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  T get() const { return value_.load(std::memory_order_relaxed); }
  operator T() const { return get(); }
  // In one order with other sequentially consistent operations, as a change is: for a reader that
  // publishes something first and must then see the change, or be seen by the thread that made it.
  T get_in_order() const { return value_.load(std::memory_order_seq_cst); }

  void set(T value) { value_.store(value); }
  Setting& operator=(T value) {
    set(value);
    return *this;
  }

 private:
  std::atomic<T> value_{};
};

}  // namespace slotcar::base
