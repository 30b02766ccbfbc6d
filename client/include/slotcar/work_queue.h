// WorkQueue: jobs in a stream, shared by any number of workers through a consumer group. A job that
// was taken and not finished comes back to another worker, after `visible_after`.
//
//   WorkQueue queue(client, "jobs", {.worker = "host7"});
//   queue.push({{"mail", "ann@example.org"}});
//   while (auto job = queue.take(1s)) {                 // Result<std::optional<Job>>
//     if (!*job) continue;                              // nothing to do
//     send_mail((*job)->fields);
//     queue.finish(**job);
//   }
//
// Every job is done at least once: twice if a worker dies between doing and finishing, or is slower
// than `visible_after` (`extend` prevents that). A `push` whose outcome is unknown may be pushed
// once more by the caller. A job that was taken more than `deliveries_max` times is not given out
// again: it moves to the stream `{jobs}:dead` with the reason of its move.
//
// Each worker needs a name of its own. One thread or coroutine at a time uses a WorkQueue object.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slotcar/client.h"
#include "slotcar/commands/typed.h"
#include "slotcar/task.h"

namespace slotcar::client {

struct WorkQueueOptions {
  std::string group = "workers";
  std::string worker = {};  // empty: a random name
  // A job that was not finished for so long is given to another worker.
  Millis visible_after{30'000};
  std::int64_t deliveries_max = 10;
};

struct Job {
  std::string id;
  std::vector<std::pair<std::string, std::string>> fields;
  std::int64_t deliveries = 1;  // how often it was given out, with this time
};

namespace detail {
class TakeMachine;
}

class WorkQueue {
 public:
  WorkQueue(Client& client, std::string stream, WorkQueueOptions options = {});

  // The id of the job.
  Result<std::string> push(const Rows<2>& fields);
  TypedPending<std::string> push_call(const Rows<2>& fields);

  // Jobs of dead workers first, then new ones. Nothing: none came within `at_most`.
  Result<std::optional<Job>> take(Millis at_most);
  Task<Result<std::optional<Job>>> take_call(Millis at_most);

  // The job is done, and its entry is deleted. False: it had been finished before, by another
  // worker to whom it came because this one was slow.
  Result<bool> finish(const Job& job) { return finish_call(job).get(); }
  TypedPending<bool> finish_call(const Job& job);
  // The time until another worker gets the job begins anew. False: another one has it already.
  Result<bool> extend(const Job& job) { return extend_call(job).get(); }
  TypedPending<bool> extend_call(const Job& job);
  // This worker does not finish it: another one, or this one, may take it at once.
  Result<bool> give_back(const Job& job) { return give_back_call(job).get(); }
  TypedPending<bool> give_back_call(const Job& job);

  const std::string& worker() const { return options_.worker; }
  const std::string& dead_stream() const { return dead_; }

 private:
  friend class detail::TakeMachine;
  Request idle_request(const Job& job, Millis idle) const;

  Client* client_;
  std::string stream_;
  std::string dead_;
  WorkQueueOptions options_;
  // Where the search for jobs of dead workers continues, and when the next one begins.
  std::string claim_cursor_ = "0-0";
  std::chrono::steady_clock::time_point next_claim_ = {};
};

}  // namespace slotcar::client
