#include "runtime/timer.h"

#include "base/assert.h"
#include "runtime/timer_queue.h"

namespace slotcar::runtime {

void Timer::cancel() {
  if (queue_) queue_->cancel(*this);
}

TimerQueue::~TimerQueue() {
  for (Entry& entry : heap_) entry.timer->queue_ = nullptr;
}

void TimerQueue::arm(Timer& timer, Nanos due) {
  timer.cancel();
  timer.queue_ = this;
  timer.due_ = due;
  heap_.emplace_back();
  rise(heap_.size() - 1, {due, next_order_++, &timer});
}

void TimerQueue::cancel(Timer& timer) {
  if (timer.queue_ != this) return;
  ASSERT(timer.place_ < heap_.size() && heap_[timer.place_].timer == &timer);
  remove_at(timer.place_);
  timer.queue_ = nullptr;
}

std::size_t TimerQueue::run_due(Nanos now) {
  const std::uint64_t armed_later = next_order_;
  std::size_t fired = 0;
  while (!heap_.empty() && heap_.front().due <= now && heap_.front().order < armed_later) {
    Timer& timer = *heap_.front().timer;
    remove_at(0);
    timer.queue_ = nullptr;
    ++fired;
    timer.fire_(timer);
  }
  return fired;
}

void TimerQueue::remove_at(std::size_t place) {
  const Entry last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && last.before(heap_[(place - 1) / 2])) {
    rise(place, last);
  } else {
    sink(place, last);
  }
}

void TimerQueue::rise(std::size_t place, Entry entry) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (!entry.before(heap_[parent])) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, entry);
}

void TimerQueue::sink(std::size_t place, Entry entry) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1].before(heap_[child])) ++child;
    if (!heap_[child].before(entry)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, entry);
}

}  // namespace slotcar::runtime
