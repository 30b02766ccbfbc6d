// EventLoop: one worker's thread. Tasks, timers, connections. Twins: EpollLoop, UringLoop, SimLoop.
//
// A turn: take completions or readiness -> on_input of each -> timers due -> posted tasks ->
// `on_turn_end` (the owner flushes replies) -> wait. One flush per turn keeps system calls few.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "runtime/clock.h"
#include "runtime/executor.h"
#include "runtime/network.h"
#include "runtime/stream.h"
#include "runtime/timer.h"

namespace slotcar::runtime {

class EventLoop : public TaskRunner {
 public:
  // Runs turns until `stop`. Called by the executor on the loop's thread.
  virtual void run() = 0;
  virtual void stop() = 0;  // any thread

  // The rest only from the loop's own thread (or before it runs).
  virtual Clock& clock() = 0;
  // The time at which this turn began: cheap, and good enough for all that happens in it.
  virtual Nanos turn_monotonic() const = 0;
  virtual UnixMs turn_unix_ms() const = 0;
  virtual void arm(Timer& timer, Nanos due) = 0;  // re-arms if armed
  virtual void set_turn_end(std::function<void()> hook) = 0;
  // Runs the task once, as soon as a turn has nothing to do, before the loop waits (or ends). One
  // at a time.
  virtual void post_idle(Task& task) = 0;

  virtual std::unique_ptr<Stream> adopt(std::unique_ptr<Incoming> incoming) = 0;
  // Accepts on this loop's thread; `accepted` is called there for each connection.
  virtual Result<std::unique_ptr<Listener>> listen(
      const ListenAddress& address, std::function<void(std::unique_ptr<Incoming>)> accepted) = 0;

  virtual const char* backend() const = 0;  // "epoll", "io_uring", "sim"
};

// Socket options that apply to accepted connections.
struct SocketOptions {
  int keepalive_seconds = 300;  // 0: off
};

enum class Backend { automatic, uring, epoll };

// Makes a real loop. `automatic` takes io_uring if the kernel allows it and measurement favours it,
// else epoll. `note` gets the reason of a fallback.
Result<std::unique_ptr<EventLoop>> make_event_loop(Backend backend, const SocketOptions& options,
                                                   Clock& clock, std::string* note);

}  // namespace slotcar::runtime
