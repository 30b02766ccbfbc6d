// LogWaits: the positions of the log that a connection waits for. It waits for three reasons:
// replies wait until their writes are durable, a write waits until the log has room, and a call
// waits for the log (WAITAOF). A part of its session; no I/O.
#pragma once

#include <cstddef>

#include "base/ids.h"
#include "storage/log/log.h"

namespace slotcar::session {

class LogWaits {
 public:
  // The connection waits until `mark` has reached `wanted`. True: the worker must be asked to
  // notify it; false: the worker will notify it early enough anyway.
  bool ask(storage::LogMark mark, Lsn wanted) {
    Lsn& asked = asked_[static_cast<std::size_t>(mark)];
    if (asked.value != 0 && asked <= wanted) return false;
    asked = wanted;
    return true;
  }
  // The worker has notified the connection.
  void notified(storage::LogMark mark) { asked_[static_cast<std::size_t>(mark)] = Lsn{0}; }

  // The wait of the call under way is over, too, when the log is durable up to there.
  void end_wait_at(Lsn durable) { wait_ends_at_ = durable; }
  void call_ended() { wait_ends_at_ = Lsn{0}; }
  bool ends_wait() const { return wait_ends_at_.value != 0; }
  Lsn wait_ends_at() const { return wait_ends_at_; }

 private:
  Lsn asked_[2] = {};    // by mark; 0: did not ask
  Lsn wait_ends_at_{0};  // 0: the call under way does not wait for the log
};

}  // namespace slotcar::session
