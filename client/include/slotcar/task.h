// Task<T>: a small coroutine type for programs that have none of their own. It starts when it is
// awaited, or when `sync_wait` waits for it. Any other coroutine type can await calls as well.
//
// An exception of the coroutine is rethrown where the task is awaited, or by `sync_wait`.
// Several at once: when_all and when_any in when.h.
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace slotcar::client {

template <class T = void>
class Task;

namespace detail {

// What stands for a T in a tuple or variant, where void cannot.
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// The result of a coroutine: nothing yet, a value, or an exception.
template <class T>
struct TaskEnd {
  std::variant<std::monostate, T, std::exception_ptr> state;
  void set(T value) { state.template emplace<1>(std::move(value)); }
  void fail() { state.template emplace<2>(std::current_exception()); }
  T take() {
    if (auto* thrown = std::get_if<2>(&state)) std::rethrow_exception(std::move(*thrown));
    return std::move(*std::get_if<1>(&state));
  }
};
template <>
struct TaskEnd<void> {
  std::exception_ptr thrown;
  void set() {}
  void fail() { thrown = std::current_exception(); }
  void take() {
    if (thrown) std::rethrow_exception(std::move(thrown));
  }
};

struct TaskPromiseBase {
  std::coroutine_handle<> waiting;

  std::suspend_always initial_suspend() noexcept { return {}; }
  struct GoOn {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
      return done.promise().waiting ? done.promise().waiting : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  GoOn final_suspend() noexcept { return {}; }
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  TaskEnd<T> end;
  Task<T> get_return_object();
  void return_value(T value) { end.set(std::move(value)); }
  void unhandled_exception() { end.fail(); }
};
template <>
struct TaskPromise<void> : TaskPromiseBase {
  TaskEnd<void> end;
  Task<void> get_return_object();
  void return_void() {}
  void unhandled_exception() { end.fail(); }
};

}  // namespace detail

template <class T>
class [[nodiscard("a task starts when it is awaited")]] Task {
 public:
  using promise_type = detail::TaskPromise<T>;

  Task(Task && other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept {
    return false;
  }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) noexcept {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  T await_resume() {
    return handle_.promise().end.take();
  }

 private:
  friend promise_type;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

namespace detail {

template <class T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

// A coroutine without an owner: it destroys itself when it has ended. Those below do not throw.
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

template <class Awaitable, class T>
Detached signal_end_of(Awaitable& task, TaskEnd<T>& end, std::shared_ptr<Signal> signal) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(task);
    } else {
      end.set(co_await std::move(task));
    }
  } catch (...) {
    end.fail();
  }
  signal->done.store(1, std::memory_order_release);
  signal->done.notify_one();
}

}  // namespace detail

// Waits until the task has ended, on a thread that may wait.
template <class T>
T sync_wait(Task<T> task) {
  detail::TaskEnd<T> end;
  // Shared: the coroutine still touches it after this thread has been woken.
  auto signal = std::make_shared<detail::Signal>();
  detail::signal_end_of(task, end, signal);
  signal->done.wait(0, std::memory_order_acquire);
  return end.take();
}

}  // namespace slotcar::client
