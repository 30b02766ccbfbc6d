#include "session/worker/send_queue.h"

#include "session/connection.h"

namespace slotcar::session {

void SendQueue::add_pushes(Connection& connection) {
  pushes_.add(connection);
}

void SendQueue::flush() {
  if (!pushes_.empty()) flush_pushes();
  flush_replies();
}

// Flushing may wake sessions that answer more: those are flushed in this turn too.
void SendQueue::flush_replies() {
  for (std::size_t i = 0; i < replies_.size(); ++i) replies_[i]->flush();
  replies_.clear();
}

void SendQueue::flush_pushes() {
  flush_replies();  // these come first
  for (std::size_t left = PushQueue::kPortion; left > 0 && !pushes_.empty(); --left) {
    static_cast<Connection&>(pushes_.pop()).flush();
  }
  if (!pushes_.empty()) next_turn_.request();
}

}  // namespace slotcar::session
