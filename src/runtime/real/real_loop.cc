#include "runtime/real/real_loop.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/assert.h"
#include "runtime/system_error.h"

namespace slotcar::runtime {

RealLoop::RealLoop(const SocketOptions& options, Clock& clock)
    : clock_(clock), monotonic_(clock.monotonic()), unix_ms_(clock.unix_ms()), options_(options) {}

void RealLoop::run() {
  while (!stopping_.load(std::memory_order_acquire)) run_once(true);
  // What was posted before `stop` still runs, and what it answers is still flushed.
  mailbox_.take().run_all();
  if (end_hook_) end_hook_();
  if (has_idle_task()) run_idle_task();
  wind_down();
}

void RealLoop::stop() {
  stopping_.store(true, std::memory_order_release);
  wake();
}

Status RealLoop::open_wake_fd() {
  wake_fd_ = FileDescriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake_fd_) return system_error("cannot make an eventfd", errno);
  return {};
}

Nanos RealLoop::prepare_wait(bool may_wait) {
  if (!may_wait || stopping_.load(std::memory_order_acquire)) return 0;
  Nanos wait = kWaitForever;
  if (!timers_.empty()) {
    wait = timers_.next_due() - clock_.monotonic();
    if (wait <= 0) return 0;
  }
  return mailbox_.sleep() ? wait : 0;
}

void RealLoop::post_idle(Task& task) {
  ASSERT(idle_task_ == nullptr);
  idle_task_ = &task;
}

void RealLoop::run_idle_task() {
  Task& task = *std::exchange(idle_task_, nullptr);
  task.run(task);
}

void RealLoop::begin_turn() {
  mailbox_.awake();
  monotonic_ = clock_.monotonic();
  unix_ms_ = clock_.unix_ms();
}

void RealLoop::finish_turn() {
  timers_.run_due(monotonic_);
  mailbox_.take().run_all();
  if (end_hook_) end_hook_();
}

void RealLoop::wake() {
  const std::uint64_t one = 1;
  // It can fail only after 2^64 - 2 unread wake-ups.
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_.get(), &one, sizeof one);
}

}  // namespace slotcar::runtime
