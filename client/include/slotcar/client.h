// Client: one object for a whole process. Any number of threads call it at once.
//
//   slotcar::client::Client client({.uri = "redis://127.0.0.1:6379", .lanes = 8});
//   auto reply = client.run(Request("GET").key("user:1"));
//
// Ordinary calls go to lanes: a few connections that all callers share. Calls that must not share a
// connection have their own: transactions (`transaction`), blocking commands and WAIT (recognised
// by their names) and subscriptions (`subscriber`). Commands that change the state of a connection
// (SELECT, AUTH, MULTI, SUBSCRIBE...) are refused with a usage error.
//
// A call ends exactly once: with a reply, or with an Error that says whether the command may have
// run.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "slotcar/error.h"
#include "slotcar/metrics.h"
#include "slotcar/options.h"
#include "slotcar/pending.h"
#include "slotcar/pipeline.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"
#include "slotcar/strategy.h"
#include "slotcar/subscriber.h"
#include "slotcar/task.h"
#include "slotcar/transaction.h"

namespace slotcar::client {

namespace detail {
class CacheState;
class Core;
class Refusal;
}  // namespace detail

class Client {
 public:
  // Starts connecting and returns at once; calls wait for their lane. If the options are invalid,
  // `status` and every call return the reason.
  explicit Client(Options options);
  // Ends running calls after Options::shutdown_timeout at the latest. Must not be called in a
  // callback on the I/O thread, which cannot wait for its own end.
  ~Client();
  Client(Client&&) noexcept;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Status status() const;
  // Waits until every lane is connected, or returns the last failure.
  Status wait_ready(Millis at_most = Millis{5'000});

  // The four ways to wait are those of Pending; `run` is call(...).get().
  Pending call(Request request, CallOptions options = {});
  Result<Reply> run(Request request, const CallOptions& options = {});
  // All of them on one lane, in order, in one write if there is room. Not atomic.
  PendingBatch batch(std::vector<Request> requests, CallOptions options = {});
  std::vector<Result<Reply>> run_batch(std::vector<Request> requests, CallOptions options = {}) {
    return batch(std::move(requests), std::move(options)).get();
  }

  // The same with types, for the calls of slotcar/commands/.
  template <class T>
  TypedPending<T> call(Typed<T> request, CallOptions options = {}) {
    return TypedPending<T>(call(std::move(request).request(), std::move(options)));
  }
  template <class T>
  Result<T> run(Typed<T> request, const CallOptions& options = {}) {
    return detail::decode_result<T>(run(std::move(request).request(), options));
  }
  template <class... T>
  Pipeline<T...> pipeline(Typed<T>... requests) {
    return pipeline_with({}, std::move(requests)...);
  }
  template <class... T>
  Pipeline<T...> pipeline_with(CallOptions options, Typed<T>... requests) {
    std::vector<Request> all;
    all.reserve(sizeof...(T));
    (all.push_back(std::move(requests).request()), ...);
    return Pipeline<T...>(batch(std::move(all), std::move(options)));
  }

  // A connection checked out for WATCH, MULTI and EXEC, at its first call.
  Result<Transaction> transaction(CallOptions options = {});
  // MULTI, these requests, EXEC: all of them run, without others in between, or none does. Each has
  // a result of its own, which may be an error although the others ran.
  template <class... T>
  Result<std::tuple<Result<T>...>> atomically(Typed<T>... requests) {
    auto begun = transaction();
    if (!begun) return begun.error();
    return begun->exec(std::move(requests)...);
  }
  template <class... T>
  Task<Result<std::tuple<Result<T>...>>> atomically_call(Typed<T>... requests) {
    auto begun = transaction();
    if (!begun) co_return begun.error();
    co_return co_await begun->exec_call(std::move(requests)...);
  }
  Subscriber subscriber();

  // At run time, for the default group or a named one. The strategy lives as long as the client.
  Status set_strategy(Strategy strategy, std::string_view group = {});
  Status set_strategy(std::shared_ptr<LaneStrategy> strategy, std::string_view group = {});

  Topology topology() const;
  Health health() const;
  Metrics metrics() const;

 private:
  friend class detail::CacheState;
  detail::BatchPort& port() const;

  std::shared_ptr<detail::Core> core_;  // or, with invalid options:
  std::shared_ptr<detail::Refusal> refusal_;
};

}  // namespace slotcar::client
