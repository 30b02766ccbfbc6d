// Outbox: what waits to be sent to a connection, replies and pushes in one order, and what of it
// may leave. Keeps the books only: it knows no stream, no worker and no log.
//
//   reply gate     bytes that wait until the log is durable (reply_gate.h)
//   push backlog   how much of it the client did not ask for (push_backlog.h)
//   deferred       invalidations that came while a reply was under way: they leave after it
//
// A part of its session, touched by the session's worker alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/ids.h"
#include "base/shared_bytes.h"
#include "runtime/clock.h"
#include "runtime/output.h"
#include "session/push_backlog.h"
#include "session/reply_gate.h"
#include "session/settings.h"

namespace slotcar::session {

class Outbox {
 public:
  runtime::Output& bytes() { return bytes_; }
  const runtime::Output& bytes() const { return bytes_; }
  ReplyGate& gate() { return gate_; }
  const ReplyGate& gate() const { return gate_; }

  // What was queued last, from a position on, waits for the log.
  void hold_back(const ReplyGate::Held& held) { gate_.hold_back(bytes_, held); }

  // What the client did not ask for now. Returns where it begins.
  runtime::Output::Mark push(const base::SharedBytes& bytes) {
    const runtime::Output::Mark before = bytes_.mark();
    backlog_.pushed(bytes.size());
    bytes_.append(bytes, 0, bytes.size());
    return before;
  }
  runtime::Output::Mark push(runtime::Output&& bytes) {
    const runtime::Output::Mark before = bytes_.mark();
    backlog_.pushed(bytes.size());
    bytes_.splice(std::move(bytes));
    return before;
  }
  // Pushes that leave after the reply under way.
  struct Deferred {
    runtime::Output bytes;
    Lsn gate{0};
  };
  void defer(runtime::Output&& bytes, Lsn gate) {
    if (!deferred_) deferred_ = std::make_unique<Deferred>();
    deferred_->bytes.splice(std::move(bytes));
    deferred_->gate = std::max(deferred_->gate, gate);
  }
  // Null: none. They are out of here then.
  std::unique_ptr<Deferred> take_deferred() { return std::move(deferred_); }

  // After bytes have been taken from the front.
  void sent() {
    const std::size_t end = bytes_.mark().size;
    backlog_.sent(end - bytes_.size(), end);
  }

  // Nothing more is sent. What waits is the caller's to discard.
  void drop() { dropped_ = true; }
  bool dropped() const { return dropped_; }

  // --- how much it is
  std::size_t waiting() const { return bytes_.size() + deferred_bytes(); }
  std::size_t footprint() const { return bytes_.footprint() + deferred_bytes(); }
  std::size_t pushed_bytes() const { return backlog_.bytes() + deferred_bytes(); }
  static bool exceeds(std::size_t bytes, std::int64_t limit) {
    return limit > 0 && static_cast<std::int64_t>(bytes) > limit;
  }
  // `own`: the limit of the connection's class. What is pushed is bounded as the messages of a
  // subscriber are, whatever the class is: a client that does not read would keep it for ever.
  bool over_hard_limit(const OutputLimit& own) const {
    return exceeds(bytes_.footprint(), own.hard);
  }
  bool over_push_limit(const OutputLimit& pushes) const {
    return exceeds(pushed_bytes(), pushes.hard);
  }
  // Looked at again and again: true once it has been over a soft limit for too long.
  bool over_soft_limit(const OutputLimit& own, const OutputLimit& pushes, UnixMs now) {
    const bool by_all = exceeds(bytes_.footprint(), own.soft);
    if (!by_all && !exceeds(pushed_bytes(), pushes.soft)) {
      over_since_ = 0;
      return false;
    }
    if (over_since_ == 0) {
      over_since_ = now;
      return false;
    }
    return now - over_since_ > (by_all ? own : pushes).soft_seconds * 1000;
  }

 private:
  std::size_t deferred_bytes() const { return deferred_ ? deferred_->bytes.footprint() : 0; }

  runtime::Output bytes_;
  ReplyGate gate_;
  PushBacklog backlog_;
  std::unique_ptr<Deferred> deferred_;
  UnixMs over_since_ = 0;
  bool dropped_ = false;
};

}  // namespace slotcar::session
