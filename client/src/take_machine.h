// TakeMachine: the requests by which a worker takes a job, one after the other. It knows no
// connection: `step` gets the answer to the last request and returns the next one, until it has a
// result. So a thread that waits and a coroutine take jobs by the same rules.
//
//   claim a job of a dead worker -> ask how often it was given out -> give it out, or move it to
//   the dead read a new job, waiting for it; create the group if there is none
#pragma once

#include <chrono>
#include <optional>

#include "slotcar/work_queue.h"

namespace slotcar::client::detail {

class TakeMachine {
 public:
  using Clock = std::chrono::steady_clock;
  TakeMachine(WorkQueue& queue, Millis at_most);

  Request first();
  // Nothing: `result` is there.
  std::optional<Request> step(Result<Reply>&& answer);
  Result<std::optional<Job>> result() { return std::move(result_); }

 private:
  enum class Asked { claim, deliveries, burial, read, group };
  Request ask_claim();
  Request ask_read();
  std::optional<Request> after_claim(Reply&& answer);
  std::optional<Request> after_deliveries(Reply&& answer);
  std::optional<Request> after_read(Reply&& answer);
  std::optional<Request> after_error(const Error& error);
  std::optional<Request> go_on();
  std::optional<Request> end(Result<std::optional<Job>> result);

  WorkQueue& queue_;
  Clock::time_point until_;
  Asked asked_ = Asked::claim;
  bool created_ = false;
  bool read_once_ = false;
  Job job_;
  Result<std::optional<Job>> result_ = std::optional<Job>();
};

}  // namespace slotcar::client::detail
