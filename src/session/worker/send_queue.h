// SendQueue: the connections of one worker that have something to send. Replies leave at the end of
// the turn in which they were queued, and before pushes. Pushes leave in portions (push_queue.h).
// The worker's thread alone touches it.
#pragma once

#include <vector>

#include "base/ids.h"
#include "session/push_queue.h"
#include "session/worker/next_turn.h"

namespace slotcar::session {

class Connection;

class SendQueue {
 public:
  explicit SendQueue(NextTurn& next_turn) : next_turn_(next_turn) {}

  // The connection is queued at most once; it keeps account of that.
  void add_replies(Connection& connection) { replies_.push_back(&connection); }
  void add_pushes(Connection& connection);
  // Pushes that are queued from now on may leave once the log is durable up to there; 0: at once.
  void set_push_gate(Lsn gate) { push_gate_ = gate; }
  Lsn push_gate() const { return push_gate_; }

  void flush();  // at the end of a turn

 private:
  void flush_replies();
  void flush_pushes();

  NextTurn& next_turn_;
  std::vector<Connection*> replies_;
  PushQueue pushes_;
  Lsn push_gate_{0};
};

}  // namespace slotcar::session
