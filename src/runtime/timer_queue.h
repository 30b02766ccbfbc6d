// TimerQueue: the armed timers of one loop, the next one first. A binary heap whose entries know
// their timer and whose timers know their place, so that cancelling is exact and leaves nothing
// behind. Used by every loop, real or simulated; only by the loop's own thread.
//
// Timers due at the same time fire in the order in which they were armed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/timer.h"

namespace slotcar::runtime {

class TimerQueue {
 public:
  static constexpr Nanos kNoTimer = INT64_MAX;

  TimerQueue() = default;
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;
  ~TimerQueue();  // timers still armed are disarmed, not fired

  void arm(Timer& timer, Nanos due);  // re-arms if armed
  void cancel(Timer& timer);          // does nothing if not armed here

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  Nanos next_due() const { return heap_.empty() ? kNoTimer : heap_.front().due; }

  // Fires what is due at `now` and was armed before this call: a timer that arms itself again for
  // the past waits for the next turn, and cannot prolong this one. Returns how many fired.
  // A timer is disarmed when its function runs; the function may arm, cancel and destroy any.
  std::size_t run_due(Nanos now);

 private:
  struct Entry {
    Nanos due;
    std::uint64_t order;
    Timer* timer;
    bool before(const Entry& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };

  void remove_at(std::size_t place);
  void rise(std::size_t place, Entry entry);
  void sink(std::size_t place, Entry entry);
  void put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    entry.timer->place_ = place;
  }

  std::vector<Entry> heap_;
  std::uint64_t next_order_ = 0;
};

}  // namespace slotcar::runtime
