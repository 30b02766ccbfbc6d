// Task: something to run once on a given thread. Intrusive, so that posting allocates nothing.
// The poster must keep the task alive until it has run.
#pragma once

#include <utility>

namespace slotcar::runtime {

struct Task {
  using Run = void (*)(Task&);
  explicit Task(Run r) : run(r) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  Run run;
  Task* next = nullptr;  // owned by the queue that the task is in
};

// A task made of a lambda, which deletes itself after it has run. For rare messages.
template <class F>
struct OwnedTask final : Task {
  explicit OwnedTask(F f) : Task(&OwnedTask::invoke), function(std::move(f)) {}
  static void invoke(Task& task) {
    auto& self = static_cast<OwnedTask&>(task);
    F f = std::move(self.function);
    delete &self;
    f();
  }
  F function;
};

template <class F>
Task& make_task(F f) {
  return *new OwnedTask<F>(std::move(f));
}

}  // namespace slotcar::runtime
