// Fiber: the coroutine of one connection. It returns no value, and its frame is the connection's
// only stack. Wakeups: what it waits for.
//
// A fiber waits only through Wakeups. Its owner's `before_suspending` runs before each wait that
// really suspends it, so what has to be done then is in one place and no new wait can forget
// it.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

#include "base/assert.h"

namespace slotcar::session {

// What a fiber may wait for.
enum class Wait : std::uint8_t {
  nothing,
  input,        // bytes from the client
  call_done,    // the end of the call under way
  next_turn,    // the loop's next turn: its share of this one is used up
  output_room,  // the client has taken some of its replies
  unpaused,     // the end of CLIENT PAUSE
  log_room,     // the log admits writes again
  room_made,    // an eviction has made room under maxmemory
};

// The waits of one fiber, of which one can be on at a time. A wake that comes before its wait is
// remembered.
class Wakeups {
 public:
  // What the fiber is suspended for.
  Wait waits_for() const { return handle_ ? waits_for_ : Wait::nothing; }
  bool has_waiter(Wait wait) const { return waits_for() == wait; }
  void wake(Wait wait) {
    if (has_waiter(wait)) {
      std::exchange(handle_, nullptr).resume();
    } else {
      signalled_ |= bit(wait);
    }
  }

  // --- for the fiber
  // Whether the wake has come already. It is used up.
  bool take_signal(Wait wait) {
    const bool signalled = (signalled_ & bit(wait)) != 0;
    signalled_ &= static_cast<std::uint8_t>(~bit(wait));
    return signalled;
  }
  void suspend(Wait wait, std::coroutine_handle<> handle) {
    handle_ = handle;
    waits_for_ = wait;
  }

 private:
  static constexpr std::uint8_t bit(Wait wait) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(wait));
  }

  std::coroutine_handle<> handle_ = nullptr;
  Wait waits_for_ = Wait::nothing;
  std::uint8_t signalled_ = 0;
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

    // `co_await Wait::input`. The frame keeps each of these, so they are small.
    struct Suspension {
      bool await_ready() noexcept { return promise.wakeups_->take_signal(wait); }
      void await_suspend(std::coroutine_handle<> handle) noexcept {
        promise.owner_->before_suspending();
        promise.wakeups_->suspend(wait, handle);
      }
      void await_resume() noexcept { promise.wakeups_->take_signal(wait); }

      promise_type& promise;
      Wait wait;
    };
    Suspension await_transform(Wait wait) { return {*this, wait}; }

   private:
    friend class Fiber;
    FiberOwner* owner_ = nullptr;
    Wakeups* wakeups_ = nullptr;
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
  void start(FiberOwner& owner, Wakeups& wakeups) {
    handle_.promise().owner_ = &owner;
    handle_.promise().wakeups_ = &wakeups;
    handle_.resume();
  }
  bool done() const { return !handle_ || handle_.done(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace slotcar::session
