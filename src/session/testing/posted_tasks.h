// PostedTasks: a loop for tests of one part of a worker. It keeps what is posted until it is asked
// to run it.
#pragma once

#include <utility>
#include <vector>

#include "runtime/executor.h"
#include "runtime/task.h"

namespace slotcar::session::testing {

class PostedTasks final : public runtime::TaskRunner {
 public:
  void post(runtime::Task& task) override { tasks_.push_back(&task); }

  std::size_t count() const { return tasks_.size(); }
  // Not what these post in their turn.
  void run() {
    for (runtime::Task* task : std::exchange(tasks_, {})) task->run(*task);
  }

 private:
  std::vector<runtime::Task*> tasks_;
};

}  // namespace slotcar::session::testing
