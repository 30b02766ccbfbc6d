// Fiber: the coroutine of one connection. It returns no value, and its frame is the connection's
// only stack. Wakeups: what it waits for.
//
// A fiber waits only through Wakeups. Its owner's `before_suspending` runs before each wait that
// really suspends it, so what has to be done then stands in one place and no new wait can forget
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

  // `co_await wakeups.until(wait)`.
  struct Until {
    bool await_ready() noexcept {
      const bool signalled = (all.signalled_ & bit(wait)) != 0;
      all.signalled_ &= static_cast<std::uint8_t>(~bit(wait));
      return signalled;
    }
    void await_suspend(std::coroutine_handle<> handle) noexcept {
      all.handle_ = handle;
      all.waits_for_ = wait;
    }
    void await_resume() noexcept { all.signalled_ &= static_cast<std::uint8_t>(~bit(wait)); }

    Wakeups& all;
    Wait wait;
  };
  Until until(Wait wait) { return {*this, wait}; }

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

    // Whatever the coroutine waits for, its owner hears of it first.
    struct Suspension {
      bool await_ready() noexcept { return until.await_ready(); }
      void await_suspend(std::coroutine_handle<> handle) noexcept {
        owner.before_suspending();
        until.await_suspend(handle);
      }
      void await_resume() noexcept { until.await_resume(); }

      FiberOwner& owner;
      Wakeups::Until until;
    };
    Suspension await_transform(Wakeups::Until until) { return {*owner_, until}; }

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
