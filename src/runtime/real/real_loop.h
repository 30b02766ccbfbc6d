// RealLoop: what the two real loops have in common: clock, timers, mailbox, the order of a turn.
// Each implements input and output itself.
//
// A turn, as both run it:
//     prepare_wait   how long may we wait; if at all, say in the mailbox that we sleep
//     (the loop waits in the kernel)
//     begin_turn     awake again; read the clocks once for the whole turn
//     (the loop notifies its streams of their events)
//     finish_turn    timers due, posted tasks, the owner's hook
//
// The wake-up is an eventfd, because its count remembers a wake-up that comes before the wait; see
// mailbox.h for why none is lost.
//
// A loop must outlive every call of `post` and `stop`, not only the tasks: the poster writes the
// eventfd after the task may have run.
#pragma once

#include <atomic>
#include <functional>

#include "base/result.h"
#include "runtime/event_loop.h"
#include "runtime/file_descriptor.h"
#include "runtime/mailbox.h"
#include "runtime/timer_queue.h"

namespace slotcar::runtime {

class RealLoop : public EventLoop {
 public:
  void post(Task& task) override {
    if (mailbox_.push(task)) wake();
  }
  void run() override;
  void stop() override;
  // One turn. It waits for something to happen only if `may_wait`.
  virtual void run_once(bool may_wait) = 0;

  Clock& clock() override { return clock_; }
  Nanos turn_monotonic() const override { return monotonic_; }
  UnixMs turn_unix_ms() const override { return unix_ms_; }
  void arm(Timer& timer, Nanos due) override { timers_.arm(timer, due); }
  void set_turn_end(std::function<void()> hook) override { end_hook_ = std::move(hook); }
  void post_idle(Task& task) override;

  const SocketOptions& options() const { return options_; }

 protected:
  RealLoop(const SocketOptions& options, Clock& clock);

  Status open_wake_fd();
  int wake_fd() const { return wake_fd_.get(); }

  static constexpr Nanos kWaitForever = -1;
  // Nanoseconds that the loop may wait: 0 if there is work, kWaitForever if nothing is planned.
  Nanos prepare_wait(bool may_wait);
  // Whether a task is waiting for an idle moment. The loop then polls the kernel without waiting,
  // and runs the task if the kernel has no events either.
  bool has_idle_task() const { return idle_task_ != nullptr; }
  void run_idle_task();
  void begin_turn();
  void finish_turn();
  // The loop's last act on its own thread, after the last turn.
  virtual void wind_down() {}

 private:
  void wake();

  Clock& clock_;
  Nanos monotonic_;
  UnixMs unix_ms_;
  SocketOptions options_;
  TimerQueue timers_;
  std::function<void()> end_hook_;
  Task* idle_task_ = nullptr;
  FileDescriptor wake_fd_;
  std::atomic<bool> stopping_{false};
  Mailbox mailbox_;
};

}  // namespace slotcar::runtime
