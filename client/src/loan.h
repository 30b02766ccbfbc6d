// Loan: which thread may touch a lane's machine and socket. Normally it is the I/O thread. A thread
// that waits for its answer anyway may instead borrow an idle lane, write its request and read its
// answer itself: two system calls and no other thread, as with a connection of its own. (Through
// the I/O thread the same call costs two more wake-ups.)
//
//   kept         the I/O thread has it
//   free         offered: the lane is idle, and the first thread that comes may borrow it
//   out          borrowed
//   called_back  borrowed, and the I/O thread wants it: a message will report its return
//
//   offer      I/O thread   kept -> free
//   try_take   any thread   free -> out
//   call_back  I/O thread   free -> kept: true; out -> called_back: false, and wait for the message
//   give_back  borrower     out -> free: true; called_back -> kept: false, and send the message
//   hand_over  borrower     out or called_back -> kept; send the message: something is unfinished
//
// Every change of owner releases on one side and acquires on the other, so plain data that the
// owner touches needs nothing more.
#pragma once

#include <atomic>

namespace slotcar::client {

class Loan {
 public:
  bool try_take() {
    // Reads before writing, so that a thread that searches for an idle lane does not disturb
    // others.
    State expected = State::free;
    return state_.load(std::memory_order_relaxed) == State::free &&
           state_.compare_exchange_strong(expected, State::out, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  [[nodiscard]] bool give_back() {
    State expected = State::out;
    if (state_.compare_exchange_strong(expected, State::free, std::memory_order_release,
                                       std::memory_order_relaxed)) {
      return true;
    }
    hand_over();
    return false;
  }
  void hand_over() { state_.store(State::kept, std::memory_order_release); }

  // The rest by the I/O thread only.
  void offer() { state_.store(State::free, std::memory_order_release); }
  [[nodiscard]] bool call_back() {
    State seen = state_.load(std::memory_order_acquire);
    for (;;) {
      if (seen == State::kept) return true;
      if (seen == State::called_back) return false;
      const State wanted = seen == State::free ? State::kept : State::called_back;
      if (state_.compare_exchange_weak(seen, wanted, std::memory_order_acquire,
                                       std::memory_order_acquire)) {
        return wanted == State::kept;
      }
    }
  }
  bool is_kept() const { return state_.load(std::memory_order_acquire) == State::kept; }

 private:
  enum class State : int { kept, free, out, called_back };
  std::atomic<State> state_{State::kept};
};

}  // namespace slotcar::client
