// ScriptFacts: what was seen of a script, by which the next run of it gets its tokens and its
// thread. Guesses only: a run that is surprised is taken back and begins anew (keyspace/undo.h), so
// whatever stands here, the script does the same.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/limits.h"

namespace slotcar::eval {

class ScriptFacts {
 public:
  // It has not run yet, and nothing else here says anything.
  bool is_new() const { return is_new_.load(kOrder); }
  // It may look at all shards (KEYS, FLUSHALL), so it gets every token.
  bool looks_around() const { return until_narrow_.load(kOrder) > 0; }
  // It may want keys that it does not declare. On a worker it gains their tokens as it runs. On a
  // slow thread, where it may have run for long when it does not get one, it gets every token
  // first.
  bool roams() const { return until_stays_.load(kOrder) > 0; }
  // It may run for long, so it runs on a slow thread.
  bool is_long() const { return until_quick_.load(kOrder) > 0; }

  void ran(bool looked_around, bool roamed, bool took_long) {
    known();
    note(until_narrow_, looked_around);
    note(until_stays_, roamed);
    // A thread that is not given the processor for a moment makes any script look long, and a slow
    // thread costs much more than a short script does. So one long run among quick ones is only
    // remembered; the next one decides.
    note(until_quick_, took_long && (is_long() || until_forgiven_.load(kOrder) > 0));
    note(until_forgiven_, took_long);
  }
  void surprised_by_looking_around() { surprised(until_narrow_); }
  void surprised_by_key() { surprised(until_stays_); }
  void surprised_by_time() { surprised(until_quick_); }

 private:
  static constexpr auto kOrder = std::memory_order_relaxed;
  // Two threads at once may lose a step, which only delays the trust.
  static void note(std::atomic<int>& left, bool unexpected) {
    if (unexpected) return left.store(limits::kScriptTrustedAfter, kOrder);
    const int before = left.load(kOrder);
    if (before > 0) left.store(before - 1, kOrder);
  }

  void surprised(std::atomic<int>& left) {
    known();
    left.store(limits::kScriptTrustedAfter, kOrder);
  }
  void known() {
    if (is_new()) is_new_.store(false, kOrder);
  }

  // So many runs more until it is trusted. One that is new is looked at once.
  std::atomic<int> until_narrow_{1};
  std::atomic<int> until_stays_{1};
  std::atomic<int> until_quick_{1};
  std::atomic<int> until_forgiven_{0};  // so many runs more until a long one is forgotten
  std::atomic<bool> is_new_{true};
};

}  // namespace slotcar::eval
