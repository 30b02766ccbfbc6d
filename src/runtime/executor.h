// The interface to threads. A TaskRunner is one thread, real or simulated: what is posted to it
// runs there, in the order posted by each poster, never two at a time.
#pragma once

#include <memory>
#include <string>

#include "runtime/task.h"

namespace slotcar::runtime {

class EventLoop;

class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  virtual void post(Task& task) = 0;  // any thread; wakes the runner if it sleeps
};

// Points where the simulator may stop a thread in the middle of its work.
enum class PausePoint {
  between_acquisitions,
  before_run,
  before_release,
  between_reserve_and_publish,
  between_claim_and_delivery,
};

// What the simulator does at such a point. Real executors have none (null): one predictable branch.
class PauseSource {
 public:
  virtual ~PauseSource() = default;
  // True: the caller posts the rest of its work to `runner` and returns; it continues some time
  // later.
  virtual bool stops_here(PausePoint point) = 0;
};

class Executor {
 public:
  virtual ~Executor() = default;
  // A thread that only runs tasks (the slow lane).
  virtual std::unique_ptr<TaskRunner> start_thread(const std::string& name) = 0;
  // Starts a thread that runs the loop until `loop.stop()`; `join` waits for all threads' ends.
  virtual void start_loop(const std::string& name, EventLoop& loop) = 0;
  // The same for a loop with no urgent work: threads that wake up to answer a client run before it.
  virtual void start_patient_loop(const std::string& name, EventLoop& loop) {
    start_loop(name, loop);
  }
  virtual void join_loops() = 0;
  // Waits for the end of this loop's thread only; the loop must have been asked to stop.
  virtual void join_loop(EventLoop& loop) = 0;
  virtual PauseSource* pauses() { return nullptr; }
};

}  // namespace slotcar::runtime
