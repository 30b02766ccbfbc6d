// ThreadExecutor: real threads. Each gets its name and blocks all signals, which are handled by the
// thread that started the others.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "runtime/executor.h"

namespace slotcar::runtime {

class ThreadExecutor final : public Executor {
 public:
  ThreadExecutor() = default;
  ~ThreadExecutor() override;  // joins the loops; they must have been stopped

  // The thread ends with the TaskRunner: its destructor runs what was posted, then joins. No thread
  // may post any more by then.
  std::unique_ptr<TaskRunner> start_thread(const std::string& name) override;
  void start_loop(const std::string& name, EventLoop& loop) override;
  void start_patient_loop(const std::string& name, EventLoop& loop) override;
  void join_loops() override;
  void join_loop(EventLoop& loop) override;

 private:
  struct Running {
    EventLoop* loop;
    std::thread thread;
  };
  std::vector<Running> loops_;
};

}  // namespace slotcar::runtime
