// Several requests on one lane, in order, in one write if there is room. Not atomic: each has a
// result of its own. In a cluster each goes to the node of its key.
//
//   PendingBatch      requests that are known at run time; a vector of results
//   Pipeline<T...>    typed requests; a tuple of typed results:
//
//   auto [name, visits] = co_await client.pipeline(commands::get("name"),
//   commands::incr("visits"));
//
// Both are awaited like a Pending: get, then, co_await. Like a Pending, one that is dropped without
// any of them is sent, and its results are discarded.
#pragma once

#include <atomic>
#include <coroutine>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "slotcar/commands/typed.h"
#include "slotcar/pending.h"

namespace slotcar::client {

using BatchResults = std::vector<Result<Reply>>;

namespace detail {

class BatchPort : public Port {
 public:
  virtual void start_batch(std::vector<Request>&& requests, const CallOptions& options,
                           const std::vector<Receiver*>& receivers) = 0;

 protected:
  ~BatchPort() = default;
};

// Collects the results, from any thread, and signals when it has all of them.
class BatchCollector {
 public:
  void start(BatchPort& port, std::vector<Request>&& requests, const CallOptions& options);
  BatchResults take();

 protected:
  BatchCollector() = default;
  ~BatchCollector() = default;
  // Called once, by the thread of the last result. It may destroy the object.
  virtual void on_all() = 0;

 private:
  struct Part final : Receiver {
    BatchCollector* batch = nullptr;
    std::optional<Result<Reply>> result;
    void receive(Result<Reply>&& r) override;
  };
  std::vector<Part> parts_;
  std::atomic<std::size_t> left_{0};
};

BatchResults wait_for_batch(BatchPort& port, std::vector<Request>&& requests,
                            const CallOptions& options);
void start_batch_and_forget(BatchPort& port, std::vector<Request>&& requests,
                            const CallOptions& options) noexcept;

}  // namespace detail

class [[nodiscard("a batch starts when it is awaited")]] PendingBatch {
 public:
  PendingBatch(detail::BatchPort & port, std::vector<Request> requests, CallOptions options)
      : port_(&port), requests_(std::move(requests)), options_(std::move(options)) {}
  PendingBatch(PendingBatch && other) noexcept
      : port_(std::exchange(other.port_, nullptr)),
        requests_(std::move(other.requests_)),
        options_(std::move(other.options_)) {}
  PendingBatch& operator=(PendingBatch&&) = delete;
  ~PendingBatch() {
    if (port_) [[unlikely]]
      detail::start_batch_and_forget(*port_, std::move(requests_), options_);
  }

  BatchResults get()&& {
    return detail::wait_for_batch(*std::exchange(port_, nullptr), std::move(requests_), options_);
  }
  template <class F>
  requires std::is_invocable_v<F&, BatchResults>
  void then(F callback)&& {
    detail::BatchPort& port = *std::exchange(port_, nullptr);
    auto* collector = new Callback<F>(port, std::move(callback));
    collector->start(port, std::move(requests_), options_);
  }

  class Awaiter;
  Awaiter operator co_await()&&;

 private:
  template <class F>
  class Callback final : public detail::BatchCollector {
   public:
    Callback(detail::Port& port, F function) : port_(port), function_(std::move(function)) {}

   private:
    void on_all() override {
      detail::Port& port = port_;
      auto held = std::make_shared<std::pair<F, BatchResults>>(std::move(function_), take());
      delete this;
      detail::run_guarded(port, [&] {
        if (!port.executor()) return static_cast<void>(held->first(std::move(held->second)));
        port.executor()([held = std::move(held)] { held->first(std::move(held->second)); });
      });
    }
    detail::Port& port_;
    F function_;
  };

  detail::BatchPort* port_;  // null: started
  std::vector<Request> requests_;
  CallOptions options_;
};

class PendingBatch::Awaiter final : private detail::BatchCollector {
 public:
  explicit Awaiter(PendingBatch&& batch) : batch_(std::move(batch)) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> handle) {
    detail::BatchPort& port = *std::exchange(batch_.port_, nullptr);
    resumption_.prepare(port, handle);
    start(port, std::move(batch_.requests_), batch_.options_);
    return resumption_.suspend();
  }
  BatchResults await_resume() { return take(); }

 private:
  void on_all() override { resumption_.resume(); }
  PendingBatch batch_;
  detail::Resumption resumption_;
};

inline PendingBatch::Awaiter PendingBatch::operator co_await() && {
  return Awaiter(std::move(*this));
}

template <class... T>
class [[nodiscard("a pipeline starts when it is awaited")]] Pipeline {
 public:
  using Results = std::tuple<Result<T>...>;
  explicit Pipeline(PendingBatch batch) : batch_(std::move(batch)) {}

  Results get()&& {
    return typed(std::move(batch_).get());
  }
  template <class F>
  requires std::is_invocable_v<F&, Results>
  void then(F callback)&& {
    std::move(batch_).then([callback = std::move(callback)](BatchResults results) mutable {
      callback(typed(std::move(results)));
    });
  }
  class Awaiter {
   public:
    explicit Awaiter(PendingBatch&& batch) : inner_(std::move(batch)) {}
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> handle) { return inner_.await_suspend(handle); }
    Results await_resume() { return typed(inner_.await_resume()); }

   private:
    PendingBatch::Awaiter inner_;
  };
  Awaiter operator co_await()&& {
    return Awaiter(std::move(batch_));
  }

 private:
  static Results typed(BatchResults && results) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Results(detail::decode_result<T>(std::move(results[I]))...);
    }
    (std::index_sequence_for<T...>{});
  }
  PendingBatch batch_;
};

}  // namespace slotcar::client
