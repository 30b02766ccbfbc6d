// Published: a value that one thread changes and any thread reads. Readers see no order between two
// of them. Cheaper to change than a Setting: for what changes with every request.
#pragma once

#include <atomic>

namespace slotcar::base {

template <class T>
class Published {
 public:
  constexpr Published() = default;
  // Implicit, so that a struct gives its defaults in place.
  constexpr Published(T value) : value_(value) {}
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  T get() const { return value_.load(std::memory_order_relaxed); }
  operator T() const { return get(); }

  void set(T value) { value_.store(value, std::memory_order_relaxed); }
  Published& operator=(T value) {
    set(value);
    return *this;
  }
  void add(T value) { set(get() + value); }

 private:
  std::atomic<T> value_{};
};

}  // namespace slotcar::base
