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
  // It may want keys that it does not declare, so it gets every token.
  bool roams() const { return until_stays_.load(std::memory_order_relaxed) > 0; }
  // It may run for long, so it runs on a slow thread.
  bool is_long() const { return until_quick_.load(std::memory_order_relaxed) > 0; }

  void ran(bool roamed, bool took_long) {
    note(until_stays_, roamed);
    note(until_quick_, took_long);
  }
  void surprised_by_key() { until_stays_.store(limits::kScriptTrustedAfter, kOrder); }
  void surprised_by_time() { until_quick_.store(limits::kScriptTrustedAfter, kOrder); }

 private:
  static constexpr auto kOrder = std::memory_order_relaxed;
  // Two threads at once may lose a step, which only delays the trust.
  static void note(std::atomic<int>& left, bool unexpected) {
    if (unexpected) return left.store(limits::kScriptTrustedAfter, kOrder);
    const int before = left.load(kOrder);
    if (before > 0) left.store(before - 1, kOrder);
  }

  // So many runs more until it is trusted. One that is new is looked at once.
  std::atomic<int> until_stays_{1};
  std::atomic<int> until_quick_{1};
};

}  // namespace slotcar::eval
