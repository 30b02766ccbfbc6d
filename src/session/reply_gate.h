// ReplyGate: what of a connection's output may be sent, and until which position of the log the
// rest is kept. Under `appendfsync always` a reply that reveals a write waits until the write is
// durable. The replies behind it wait with it, because replies leave in request order.
//
// A held reply does not wait for ever: when the disk hangs or fails, an error takes its place. So
// a gate knows which bytes it holds and how many requests they answer. Each of these requests gets
// one error instead of its reply; what is only queued behind a held reply stays as it is. A push
// has no request that an error could answer, so a gate that holds one cannot replace it. The
// confirmations of a SUBSCRIBE inside EXEC are such pushes, too, though they are part of a reply: a
// client that got an error instead would be subscribed without knowing it.
//
// It knows positions in the output and LSNs, and nothing of streams, workers or the log. A part of
// its session, touched by the session's worker alone.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "runtime/clock.h"
#include "runtime/output.h"

namespace slotcar::session {

class ReplyGate {
 public:
  // A stretch of the output: from there to its end.
  struct Held {
    runtime::Output::Mark from;
    Lsn lsn;  // may leave once the log is durable up to there; not 0
    runtime::Nanos since;
    std::size_t replies;    // how many requests it answers; 0: a push
    bool confirms = false;  // a reply with confirmations of subscriptions in it
  };
  void hold_back(const runtime::Output& output, const Held& held);

  // Everything may leave.
  bool open() const { return next_ == gates_.size(); }
  // What the first bytes that are kept wait for, and since when; not if it is open.
  Lsn waits_for() const { return gates_[next_].lsn; }
  runtime::Nanos waits_since() const { return gates_[next_].since; }

  void durable_up_to(Lsn durable);
  // With the log switched off nothing is promised any more.
  void open_all();

  // Whether something is kept that answers no request.
  bool holds_push() const;
  // Drops what is kept and puts `error`, an encoded reply, in the place of each reply. Returns how
  // many there were. Everything may leave then.
  std::size_t replace_held(runtime::Output& output, std::string_view error);

  // How many of the bytes that are queued in `output` may be sent now.
  std::size_t sendable_bytes(const runtime::Output& output) const {
    if (open()) [[likely]]
      return output.size();
    return gates_[next_].from - sent(output);
  }

 private:
  struct Gate {
    std::size_t from;  // positions as in Output::Mark
    std::size_t to;
    Lsn lsn;
    runtime::Nanos since;
    std::size_t replies;
    bool has_push;
  };
  static std::size_t sent(const runtime::Output& output) {
    return output.mark().size - output.size();
  }

  std::vector<Gate> gates_;  // ascending in positions and LSNs; those before next_ are open
  std::size_t next_ = 0;
};

}  // namespace slotcar::session
