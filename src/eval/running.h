// Running: what one thread's script is at, for those who want to stop it. The thread writes, SCRIPT
// KILL and FUNCTION KILL of other threads look and order.
//
// One word tells the script (a number that grows with each) and how far it is, so an order that
// comes too late for one script cannot hit the next. A script that has written cannot be killed:
// it says so before its first write, and the first of the two, the write or the order, decides.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/clock.h"

namespace slotcar::eval {

enum class ScriptKind : std::uint8_t { script, function };

// The answer to those who would have to wait for one that runs for too long.
constexpr std::string_view busy_text(ScriptKind kind) {
  return kind == ScriptKind::script
             ? "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN "
               "NOSAVE."
             : "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN "
               "NOSAVE.";
}

class Running {
 public:
  // --- the thread that runs it
  void begin() { word_.store(next_word(), std::memory_order_relaxed); }
  void end() {
    word_.store(word_.load(std::memory_order_relaxed) & ~kStates, std::memory_order_release);
    if (!is_busy()) return;
    busy_.store(false, std::memory_order_relaxed);
    forget_what();
  }
  // Before a write. False: it was killed. What is not busy is not seen by those who kill: an order
  // for an earlier script names another word.
  bool may_write() {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    if ((word & kStates) == kWrote) return true;
    if (!is_busy()) {
      word_.store((word & ~kStates) | kWrote, std::memory_order_release);
      return true;
    }
    return (word & kStates) == kRuns &&
           word_.compare_exchange_strong(word, (word & ~kStates) | kWrote,
                                         std::memory_order_acq_rel);
  }
  bool is_killed() const { return (word_.load(std::memory_order_acquire) & kStates) == kKilled; }
  // It has been running for longer than others are to wait.
  struct What {
    ScriptKind kind = ScriptKind::script;
    std::string name;
    std::vector<std::string> command;
    runtime::Nanos began = 0;
  };
  bool is_busy() const { return busy_.load(std::memory_order_relaxed); }
  void become_busy(What what) {
    std::lock_guard lock(mutex_);
    what_ = std::move(what);
    busy_.store(true, std::memory_order_release);
  }

  // --- any thread. What is busy now, with the word that names it.
  struct Seen {
    std::uint64_t word = 0;
    What what;
    bool wrote() const { return (word & kStates) == kWrote; }
    bool killed() const { return (word & kStates) == kKilled; }
  };
  bool look(Seen& seen) const {
    std::lock_guard lock(mutex_);
    seen.word = word_.load(std::memory_order_acquire);
    if (!is_busy() || (seen.word & kStates) == 0) return false;
    seen.what = what_;
    return true;
  }
  // False: it has written meanwhile, or ended.
  bool kill(std::uint64_t word) {
    return (word & kStates) == kRuns &&
           word_.compare_exchange_strong(word, (word & ~kStates) | kKilled,
                                         std::memory_order_acq_rel);
  }

 private:
  static constexpr std::uint64_t kRuns = 1;
  static constexpr std::uint64_t kWrote = 2;
  static constexpr std::uint64_t kKilled = 3;
  static constexpr std::uint64_t kStates = 3;

  std::uint64_t next_word() {
    return ((word_.load(std::memory_order_relaxed) | kStates) + 1) | kRuns;
  }
  void forget_what() {
    std::lock_guard lock(mutex_);
    what_ = {};
  }

  std::atomic<std::uint64_t> word_{0};
  std::atomic<bool> busy_{false};
  mutable std::mutex mutex_;
  What what_;
};

}  // namespace slotcar::eval
