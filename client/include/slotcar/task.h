// Task<T>: a small coroutine type for those who have none of their own. It starts when it is
// awaited, or when `sync_wait` waits for it. Any other coroutine type can await calls as well.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace slotcar::client {

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> waiting;
    std::optional<T> value;

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct GoOn {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        return done.promise().waiting ? done.promise().waiting : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    GoOn final_suspend() noexcept { return {}; }
    void return_value(T result) { value.emplace(std::move(result)); }
    void unhandled_exception() { std::terminate(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  T await_resume() { return std::move(*handle_.promise().value); }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

namespace detail {

// A coroutine that nobody owns: it destroys itself when it has told.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct Signal {
  std::atomic<int> done{0};
};

template <class T>
Detached signal_end_of(Task<T>& task, std::optional<T>& value, std::shared_ptr<Signal> signal) {
  value.emplace(co_await task);
  signal->done.store(1, std::memory_order_release);
  signal->done.notify_one();
}

}  // namespace detail

// Waits, on a thread that may wait, until the task has ended.
template <class T>
T sync_wait(Task<T> task) {
  std::optional<T> value;
  // Shared: the coroutine still touches it after this thread has been woken.
  auto signal = std::make_shared<detail::Signal>();
  detail::signal_end_of(task, value, signal);
  signal->done.wait(0, std::memory_order_acquire);
  return std::move(*value);
}

}  // namespace slotcar::client
