// Transaction: WATCH, MULTI and EXEC on an exclusive connection, whatever thread or coroutine
// continues it. The connection is returned when the object is destroyed.
//
//   auto transaction = client.transaction();
//   transaction->watch({"from", "to"});
//   auto balance = transaction->run(Request("GET").key("from"));   // runs now
//   transaction->queue(Request("DECRBY").key("from").arg(10));     // runs at exec
//   auto done = transaction->exec();   // Error::Kind::aborted if a watched key has changed
//
// With types, the queued requests are given to `exec`, and their results come back as a tuple:
//
//   auto done = transaction->exec(commands::decrby("from", 10), commands::incrby("to", 10));
//   if (done) auto& [from, to] = *done;
//
// Everything that waits can be awaited instead: watch_call, call, exec_call.
//
// Queued requests are kept here and sent with MULTI and EXEC in one write, so a broken connection
// leaves nothing half done on the server. If the connection breaks, every later call fails: before
// `exec` with ran == no, during it with outcome_unknown.
//
// In a cluster it runs on the node of its first key. A key of another slot is refused before
// anything is sent; if the slot moves, `exec` ends with Error::Kind::moved, and nothing was done.
//
// One thread or coroutine at a time, and one call at a time: a second call is refused. The object
// may be destroyed during a call, which then ends normally.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "slotcar/argument.h"
#include "slotcar/commands/typed.h"
#include "slotcar/error.h"
#include "slotcar/pending.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"

namespace slotcar::client {

namespace detail {
class TransactionState;
}

namespace detail {

template <class T>
Result<T> decode_part(Reply&& reply) {
  if (reply.is_error()) return Error{Error::Kind::server, Error::Ran::yes, reply.take_text()};
  return decode<T>(std::move(reply));
}

template <class... T>
Result<std::tuple<Result<T>...>> decode_exec(Result<Reply>&& done) {
  if (!done) return done.error();
  if (done->size() != sizeof...(T)) return wrong_reply(*done, "the replies of the requests");
  std::vector<Reply> replies = done->take_items();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<Result<T>...>(decode_part<T>(std::move(replies[I]))...);
  }
  (std::index_sequence_for<T...>{});
}

}  // namespace detail

// The end of a transaction with typed requests: get or co_await.
template <class... T>
class [[nodiscard("EXEC is sent when it is awaited")]] TypedExec {
 public:
  using Results = Result<std::tuple<Result<T>...>>;
  explicit TypedExec(Pending pending) : pending_(std::move(pending)) {}
  // The requests could not be queued.
  explicit TypedExec(Error error) : error_(std::move(error)) {}

  Results get()&& {
    if (error_) return std::move(*error_);
    return detail::decode_exec<T...>(std::move(*pending_).get());
  }
  class Awaiter {
   public:
    explicit Awaiter(TypedExec&& exec) : error_(std::move(exec.error_)) {
      if (!error_) inner_.emplace(std::move(*exec.pending_));
    }
    bool await_ready() const noexcept { return error_.has_value(); }
    bool await_suspend(std::coroutine_handle<> handle) { return inner_->await_suspend(handle); }
    Results await_resume() {
      if (error_) return std::move(*error_);
      return detail::decode_exec<T...>(inner_->await_resume());
    }

   private:
    std::optional<Error> error_;
    std::optional<Pending::Awaiter> inner_;
  };
  Awaiter operator co_await()&& {
    return Awaiter(std::move(*this));
  }

 private:
  std::optional<Pending> pending_;
  std::optional<Error> error_;
};

class Transaction {
 public:
  explicit Transaction(std::shared_ptr<detail::TransactionState> state);
  ~Transaction();  // without exec: queued requests are dropped; watches end
  Transaction(Transaction&&) noexcept;
  Transaction& operator=(Transaction&&) noexcept;

  Status watch(const Arguments& keys) { return watch_call(keys).get(); }
  TypedPending<void> watch_call(const Arguments& keys, CallOptions options = {});
  Pending call(Request request, CallOptions options = {});
  template <class T>
  TypedPending<T> call(Typed<T> request, CallOptions options = {}) {
    return TypedPending<T>(call(std::move(request).request(), std::move(options)));
  }
  template <class T>
  Result<T> run(Typed<T> request, CallOptions options = {}) {
    return call(std::move(request), std::move(options)).get();
  }
  Result<Reply> run(Request request, CallOptions options = {}) {
    return call(std::move(request), std::move(options)).get();
  }

  Status queue(Request request);
  template <class T>
  Status queue(Typed<T> request) {
    return queue(std::move(request).request());
  }
  std::size_t queued() const;
  // The replies of the queued requests; each may itself be an error.
  Result<Reply> exec(CallOptions options = {}) { return exec_call(std::move(options)).get(); }
  Pending exec_call(CallOptions options = {});
  // These and nothing else: refused if requests are queued already.
  template <class... T>
  requires(sizeof...(T) > 0) Result<std::tuple<Result<T>...>> exec(Typed<T>... requests) {
    return exec_call(std::move(requests)...).get();
  }
  template <class... T>
  requires(sizeof...(T) > 0) TypedExec<T...> exec_call(Typed<T>... requests) {
    if (queued() > 0) {
      return TypedExec<T...>(Error{Error::Kind::usage, Error::Ran::no,
                                   "requests are queued whose results would be lost"});
    }
    Status queued_all;
    (static_cast<void>(queued_all && (queued_all = queue(std::move(requests))).ok()), ...);
    if (!queued_all) {
      drop_queued();
      return TypedExec<T...>(queued_all.error());
    }
    return TypedExec<T...>(exec_call());
  }
  // Drops queued requests and watches; the object can be used again.
  Status discard();

 private:
  void drop_queued();
  std::shared_ptr<detail::TransactionState> state_;
};

}  // namespace slotcar::client
