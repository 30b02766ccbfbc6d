// ReplyGate: what of a connection's output may be sent, and until which position of the log the
// rest is kept. Under `appendfsync always` a reply that tells of a write waits until the write is
// durable; the replies behind it wait with it, because replies leave in request order.
//
// It knows positions in the output and LSNs, and nothing of streams, workers or the log. A part of
// its session, touched by the session's worker alone.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ids.h"
#include "runtime/output.h"

namespace slotcar::session {

class ReplyGate {
 public:
  // Bytes from `from` on, the output's end as it was before they were written, may leave once the
  // log is durable up to `lsn`; Lsn{0}: at once.
  void hold_back(runtime::Output::Mark from, Lsn lsn) {
    if (lsn.value == 0) [[likely]]
      return;
    add(from, lsn);
  }

  // Everything may leave.
  bool open() const { return next_ == gates_.size(); }
  // What the first bytes that are kept wait for; not if it is open.
  Lsn waits_for() const { return gates_[next_].lsn; }

  void durable_up_to(Lsn durable);
  // With the log switched off nothing is promised any more.
  void open_all();

  // How many of the bytes that are queued in `output` may be sent now.
  std::size_t sendable_bytes(const runtime::Output& output) const {
    if (open()) [[likely]]
      return output.size();
    const std::size_t sent = output.mark().size - output.size();
    return gates_[next_].from.size - sent;
  }

 private:
  struct Gate {
    runtime::Output::Mark from;
    Lsn lsn;
  };
  void add(runtime::Output::Mark from, Lsn lsn);

  std::vector<Gate> gates_;  // ascending in both; those before next_ are open
  std::size_t next_ = 0;
};

}  // namespace slotcar::session
