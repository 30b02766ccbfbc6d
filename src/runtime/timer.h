// Timers of one event loop. Only the loop's own thread touches them.
#pragma once

#include <cstddef>

#include "runtime/clock.h"

namespace slotcar::runtime {

class TimerQueue;

class Timer {
 public:
  using Fire = void (*)(Timer&);
  explicit Timer(Fire fire) : fire_(fire) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() {  // cancels itself
    if (armed()) cancel();
  }

  bool armed() const { return queue_ != nullptr; }
  Nanos due() const { return due_; }
  void cancel();

 private:
  friend class TimerQueue;
  Fire fire_;
  TimerQueue* queue_ = nullptr;
  std::size_t place_ = 0;  // index in the queue's heap
  Nanos due_ = 0;
};

}  // namespace slotcar::runtime
