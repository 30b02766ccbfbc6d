// Fiber: the coroutine of one connection. It never returns a value, and its frame
// is the connection's only stack. Wakeup: what it waits for.
//
// A fiber waits for nothing but Wakeups, and its owner's `before_suspending` runs before each wait
// that really suspends it. So what has to be done then stands in one place, and a new wait cannot
// forget it.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

#include "base/assert.h"

namespace slotcar::session {

// One thing that a fiber may wait for. A wake that comes first is remembered.
class Wakeup {
 public:
  bool await_ready() noexcept { return std::exchange(signalled_, false); }
  void await_suspend(std::coroutine_handle<> handle) noexcept { waiting_ = handle; }
  void await_resume() noexcept { signalled_ = false; }

  bool has_waiter() const { return waiting_ != nullptr; }
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

class FiberOwner {
 public:
  virtual void before_suspending() = 0;

 protected:
  ~FiberOwner() = default;
};

class Fiber {
 public:
  class promise_type {
   public:
    Fiber get_return_object() {
      return Fiber(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { UNREACHABLE(); }

    // Whatever the coroutine waits for, its owner hears of it first.
    struct Suspension {
      bool await_ready() noexcept { return wakeup.await_ready(); }
      void await_suspend(std::coroutine_handle<> handle) noexcept {
        owner.before_suspending();
        wakeup.await_suspend(handle);
      }
      void await_resume() noexcept { wakeup.await_resume(); }

      FiberOwner& owner;
      Wakeup& wakeup;
    };
    Suspension await_transform(Wakeup& wakeup) { return {*owner_, wakeup}; }

   private:
    friend class Fiber;
    FiberOwner* owner_ = nullptr;
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

  // Runs it up to its first wait.
  void start(FiberOwner& owner) {
    handle_.promise().owner_ = &owner;
    handle_.resume();
  }
  bool done() const { return !handle_ || handle_.done(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace slotcar::session
