// GarbageQueue: what the connections of one worker have given up and the worker frees, a slice in
// each turn (discarded.h says why the slow lane does not). The worker's thread alone touches it.
#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "base/reclaimer.h"
#include "session/worker/next_turn.h"

namespace slotcar::session {

class GarbageQueue {
 public:
  explicit GarbageQueue(NextTurn& next_turn) : next_turn_(next_turn) {}

  void add(std::unique_ptr<base::Garbage> garbage) {
    queue_.push_back(std::move(garbage));
    next_turn_.request();
  }
  bool empty() const { return queue_.empty(); }
  // At the end of a turn.
  void free_a_slice() {
    if (queue_.empty()) return;
    if (queue_.front()->free_some()) queue_.pop_front();
    if (!queue_.empty()) next_turn_.request();
  }

 private:
  NextTurn& next_turn_;
  std::deque<std::unique_ptr<base::Garbage>> queue_;
};

}  // namespace slotcar::session
