// Fiber: the coroutine of one connection. It starts at once, never returns a value, and its frame
// is the connection's only stack. Wakeup: what it waits for.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "base/assert.h"

namespace slotcar::session {

class Fiber {
 public:
  struct promise_type {
    Fiber get_return_object() {
      return Fiber(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { UNREACHABLE(); }
  };

  Fiber() = default;
  explicit Fiber(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Fiber(Fiber&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Fiber& operator=(Fiber&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Fiber() {
    if (handle_) handle_.destroy();
  }

  void resume() { handle_.resume(); }
  bool done() const { return !handle_ || handle_.done(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// One thing that a fiber may wait for. A wake that comes first is remembered.
class Wakeup {
 public:
  bool await_ready() noexcept { return std::exchange(signalled_, false); }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiting_ = handle; }
  void await_resume() noexcept { signalled_ = false; }

  bool awaited() const { return waiting_ != nullptr; }
  void wake() {
    if (auto handle = std::exchange(waiting_, nullptr)) {
      handle.resume();
    } else {
      signalled_ = true;
    }
  }
  void forget() { signalled_ = false; }

 private:
  std::coroutine_handle<> waiting_ = nullptr;
  bool signalled_ = false;
};

}  // namespace slotcar::session
