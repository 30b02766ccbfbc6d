// Pending: a call that is not started yet, and the four ways to wait for it. All of them do the
// same: the call starts, and its one result arrives once.
//
//   Result<Reply> reply = client.call(request).get();              // this thread waits
//   std::future<Result<Reply>> later = client.call(request).future();
//   client.call(request).then([](Result<Reply> reply) { ... });     // on the I/O thread
//   Result<Reply> reply = co_await client.call(request);            // resumed on the I/O thread
//
// A coroutine whose result is there at once (a refused call) continues without being suspended.
// Callbacks and resumed coroutines run on the client's I/O thread unless Options::executor says
// otherwise; there they must not wait (`get` is refused there with a usage error). Exceptions go to
// Options::on_exception; on an executor, to the executor.
//
// A Pending that is dropped without any of the four is still sent, and its result is discarded. The
// compiler warns of it ([[nodiscard]]); `detach` does it on purpose.
//
// The client, or the transaction, that made a Pending must outlive it.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "slotcar/error.h"
#include "slotcar/options.h"
#include "slotcar/reply.h"
#include "slotcar/request.h"

namespace slotcar::client {

namespace detail {

// Receives the one result of a call, on any thread.
class Receiver {
 public:
  explicit Receiver(bool w = false) : waits(w) {}
  virtual void receive(Result<Reply>&& result) = 0;
  // The thread that starts the call does nothing else before `receive`, which runs no user code. So
  // that thread may do the work of the call itself.
  const bool waits;

 protected:
  ~Receiver() = default;
};

// Where calls are started: a client, a transaction, the end of a transaction.
class Port {
 public:
  virtual void start(Request&& request, const CallOptions& options, Receiver& receiver) = 0;
  // True on a thread that answers calls, which therefore must not wait for one.
  virtual bool must_not_wait() const = 0;
  // Where user code runs: at once, or on the user's executor.
  virtual const std::function<void(std::function<void()>)>& executor() const = 0;
  // User code threw an exception that none of its own callers can catch.
  virtual void on_exception(std::exception_ptr thrown) noexcept = 0;

 protected:
  ~Port() = default;
};

Result<Reply> wait_for(Port& port, Request&& request, const CallOptions& options);
void start_and_forget(Port& port, Request&& request, const CallOptions& options) noexcept;

// Runs user code on a thread of the library.
template <class F>
void run_guarded(Port& port, F&& code) noexcept {
#ifdef __cpp_exceptions
  try {
    code();
  } catch (...) {
    port.on_exception(std::current_exception());
  }
#else
  code();
#endif
}

// Lets a coroutine continue once: on the thread of the answer or on the executor, or, if the answer
// is there before the coroutine is suspended, at once. So a loop whose calls all end at once
// (refused, or answered by a cache) does not grow the stack.
class Resumption {
 public:
  void prepare(Port& port, std::coroutine_handle<> handle) {
    port_ = &port;
    handle_ = handle;
  }
  // The result of await_suspend: whether to suspend. The coroutine may have been resumed on another
  // thread, and this object destroyed, when it returns true.
  bool suspend() {
    // On an executor the coroutine is always resumed there, perhaps already.
    const bool executor = static_cast<bool>(port_->executor());
    const std::coroutine_handle<> handle = handle_;
    Port& port = *port_;
    if (!arrived_.exchange(true, std::memory_order_acq_rel)) return true;
    if (!executor) return false;
    post(port, handle);
    return true;
  }
  void resume() {
    Port& port = *port_;
    const std::coroutine_handle<> handle = handle_;
    if (!arrived_.exchange(true, std::memory_order_acq_rel)) return;  // `suspend` goes on
    if (port.executor()) return post(port, handle);
    run_guarded(port, [&] { handle.resume(); });
  }

 private:
  static void post(Port& port, std::coroutine_handle<> handle) {
    run_guarded(port, [&] { port.executor()([handle] { handle.resume(); }); });
  }
  Port* port_ = nullptr;
  std::coroutine_handle<> handle_;
  std::atomic<bool> arrived_{false};
};

template <class F>
class CallbackReceiver final : public Receiver {
 public:
  CallbackReceiver(Port& port, F function) : port_(port), function_(std::move(function)) {}
  void receive(Result<Reply>&& result) override {
    Port& port = port_;
    if (!port.executor()) {
      F function = std::move(function_);
      delete this;
      return run_guarded(port, [&] { function(std::move(result)); });
    }
    // Shared, because std::function copies its target. An executor that throws has not kept it.
    auto held =
        std::make_shared<std::pair<F, Result<Reply>>>(std::move(function_), std::move(result));
    delete this;
    run_guarded(port, [&] {
      port.executor()([held = std::move(held)] { held->first(std::move(held->second)); });
    });
  }

 private:
  Port& port_;
  F function_;
};

}  // namespace detail

class [[nodiscard("a call starts when it is awaited")]] Pending {
 public:
  Pending(detail::Port & port, Request request, CallOptions options)
      : port_(&port), request_(std::move(request)), options_(std::move(options)) {}
  Pending(Pending && other) noexcept
      : port_(std::exchange(other.port_, nullptr)),
        request_(std::move(other.request_)),
        options_(std::move(other.options_)) {}
  Pending& operator=(Pending&&) = delete;
  ~Pending() {
    if (port_) [[unlikely]]
      detail::start_and_forget(*port_, std::move(request_), options_);
  }

  Result<Reply> get()&& {
    return detail::wait_for(*std::exchange(port_, nullptr), std::move(request_), options_);
  }

  std::future<Result<Reply>> future()&&;

  template <class F>
  requires std::is_invocable_v<F&, Result<Reply>>
  void then(F callback)&& {
    detail::Port& port = *std::exchange(port_, nullptr);
    auto* receiver = new detail::CallbackReceiver<F>(port, std::move(callback));
    port.start(std::move(request_), options_, *receiver);
  }

  // Starts the call and ignores its result.
  void detach()&& {
    detail::start_and_forget(*std::exchange(port_, nullptr), std::move(request_), options_);
  }

  class Awaiter;
  Awaiter operator co_await()&&;

 private:
  detail::Port* port_;  // null: started
  Request request_;
  CallOptions options_;
};

class Pending::Awaiter final : public detail::Receiver {
 public:
  explicit Awaiter(Pending&& pending) : pending_(std::move(pending)) {}
  Awaiter(Awaiter&& other) noexcept
      : pending_(std::move(other.pending_)) {}  // before it is awaited
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> handle) {
    port_ = std::exchange(pending_.port_, nullptr);
    resumption_.prepare(*port_, handle);
    port_->start(std::move(pending_.request_), pending_.options_, *this);
    return resumption_.suspend();
  }
  Result<Reply> await_resume() { return std::move(*result_); }
  void receive(Result<Reply>&& result) override {
    result_.emplace(std::move(result));
    resumption_.resume();
  }

 private:
  Pending pending_;
  detail::Port* port_ = nullptr;
  detail::Resumption resumption_;
  std::optional<Result<Reply>> result_;
};

inline Pending::Awaiter Pending::operator co_await() && {
  return Awaiter(std::move(*this));
}

}  // namespace slotcar::client
