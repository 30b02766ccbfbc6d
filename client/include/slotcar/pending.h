// Pending: a call that has been described and not yet started, and the four ways to wait for it.
// All of them mean the same: the call starts, and its one result arrives once.
//
//   Result<Reply> reply = client.call(request).get();              // this thread waits
//   std::future<Result<Reply>> later = client.call(request).future();
//   client.call(request).then([](Result<Reply> reply) { ... });     // on the I/O thread
//   Result<Reply> reply = co_await client.call(request);            // resumed on the I/O thread
//
// Callbacks and resumed coroutines run on the client's I/O thread unless Options::executor says
// otherwise; there they must not wait (`get` in such a place is refused with a usage error).
// The client, or the transaction, that gave a Pending must outlive it.
#pragma once

#include <coroutine>
#include <future>
#include <optional>
#include <type_traits>
#include <utility>

#include "slotcar/error.h"
#include "slotcar/options.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"

namespace slotcar::client {

namespace detail {

// Takes the one result of a call, on whatever thread it comes.
class Receiver {
 public:
  explicit Receiver(bool w = false) : waits(w) {}
  virtual void receive(Result<Reply>&& result) = 0;
  // The thread that starts the call does nothing else before `receive`, which runs no code of
  // others. So that thread may do the work of the call itself.
  const bool waits;

 protected:
  ~Receiver() = default;
};

// What calls are started on: a client, a transaction, the end of a transaction.
class Port {
 public:
  virtual void start(Request&& request, const CallOptions& options, Receiver& receiver) = 0;
  // True on a thread that answers calls, which therefore must not wait for one.
  virtual bool must_not_wait() const = 0;
  // Where user code runs: at once, or on the user's executor.
  virtual const std::function<void(std::function<void()>)>& executor() const = 0;

 protected:
  ~Port() = default;
};

Result<Reply> wait_for(Port& port, Request&& request, const CallOptions& options);

template <class F>
class CallbackReceiver final : public Receiver {
 public:
  CallbackReceiver(Port& port, F function) : port_(port), function_(std::move(function)) {}
  void receive(Result<Reply>&& result) override {
    if (!port_.executor()) {
      F function = std::move(function_);
      delete this;
      function(std::move(result));
      return;
    }
    result_.emplace(std::move(result));
    port_.executor()([this] {
      F function = std::move(function_);
      Result<Reply> held = std::move(*result_);
      delete this;
      function(std::move(held));
    });
  }

 private:
  Port& port_;
  F function_;
  std::optional<Result<Reply>> result_;
};

}  // namespace detail

class [[nodiscard]] Pending {
 public:
  Pending(detail::Port& port, Request request, CallOptions options)
      : port_(port), request_(std::move(request)), options_(std::move(options)) {}

  Result<Reply> get() && { return detail::wait_for(port_, std::move(request_), options_); }

  std::future<Result<Reply>> future() && {
    std::promise<Result<Reply>> promise;
    std::future<Result<Reply>> result = promise.get_future();
    auto keep = [promise = std::move(promise)](Result<Reply> reply) mutable {
      promise.set_value(std::move(reply));
    };
    std::move(*this).then(std::move(keep));
    return result;
  }

  template <class F>
  requires std::is_invocable_v<F&, Result<Reply>>
  void then(F callback) && {
    auto* receiver = new detail::CallbackReceiver<F>(port_, std::move(callback));
    port_.start(std::move(request_), options_, *receiver);
  }

  class Awaiter;
  Awaiter operator co_await() &&;

 private:
  detail::Port& port_;
  Request request_;
  CallOptions options_;
};

class Pending::Awaiter final : public detail::Receiver {
 public:
  explicit Awaiter(Pending&& pending) : pending_(std::move(pending)) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    // The coroutine may go on, and this object end, before `start` returns.
    pending_.port_.start(std::move(pending_.request_), pending_.options_, *this);
  }
  Result<Reply> await_resume() { return std::move(*result_); }
  void receive(Result<Reply>&& result) override {
    result_.emplace(std::move(result));
    const auto& executor = pending_.port_.executor();
    if (!executor) return handle_.resume();
    executor([handle = handle_] { handle.resume(); });
  }

 private:
  Pending pending_;
  std::coroutine_handle<> handle_;
  std::optional<Result<Reply>> result_;
};

inline Pending::Awaiter Pending::operator co_await() && {
  return Awaiter(std::move(*this));
}

}  // namespace slotcar::client
