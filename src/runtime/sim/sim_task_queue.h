// The tasks posted to one simulated thread, first in, first out. One real thread, so no atomics.
#pragma once

#include "runtime/task.h"

namespace slotcar::runtime {

class SimTaskQueue {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(Task& task) {
    task.next = nullptr;
    if (last_)
      last_->next = &task;
    else
      first_ = &task;
    last_ = &task;
  }

  // The task may be posted again, or be gone, as soon as it runs: it is out of the queue by then.
  Task& pop() {
    Task& task = *first_;
    first_ = task.next;
    if (!first_) last_ = nullptr;
    task.next = nullptr;
    return task;
  }

  // Moves all of `other` to the end of this one.
  void splice(SimTaskQueue& other) {
    while (!other.empty()) push(other.pop());
  }

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

}  // namespace slotcar::runtime
