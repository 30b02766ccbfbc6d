// LaneMachine: the machine of one lane, and of every other connection on which calls are answered
// in order (exclusive connections, connections to sentinels).
//
// RESP has no request numbers: the n-th answer belongs to the n-th request. Everything here serves
// that one rule.
//
//   waiting_     calls accepted while the connection is not ready, in order, none of them sent
//   in_flight_   calls whose bytes are in `output` or beyond, in order; the front one is answered
//                next. A call that ended early (timeout, cancel) leaves an empty entry in its
//                place, which discards the answer when it comes. So a late answer never
//                reaches another caller.
//
// Each entry knows the position of its last byte in the connection's sent bytes. When the
// connection breaks, a call whose last byte was not sent cannot have run: it is sent again on the
// next connection, in its old order, before newer ones. A call that was sent completely may have
// run: it is retried only if it changes nothing or its caller allowed it, and otherwise ends with
// "outcome unknown". Nothing else is ever sent twice.
//
// Bounds: in calls and bytes while up, in calls while down; what does not fit is refused. Bytes of
// calls that ended early count until they are sent: a server that does not read must not fill this
// process's memory, however short the timeouts are.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "call.h"
#include "handshake.h"
#include "machine.h"
#include "reply_builder.h"

namespace slotcar::client {

struct LaneRules {
  std::size_t pending_calls_max = limits::kPendingCallsMax;
  std::size_t pending_bytes_max = limits::kPendingBytesMax;
  std::size_t down_calls_max = limits::kDownCallsMax;
  // A connection on which nothing arrives for this long though answers are overdue is cut.
  Nanos silence_max = 10 * runtime::kSecond;
};

// Receives the machine's results.
class LaneEvents {
 public:
  virtual ~LaneEvents() = default;
  // The call has ended here: a reply (perhaps the server's error) or a failure. Ownership passes.
  virtual void on_settled(Call& call, Result<Reply>&& result, std::size_t reply_bytes) = 0;
  virtual void on_push(Reply&& push) = 0;
  virtual void on_up() = 0;
  virtual void on_down() = 0;
};

class LaneMachine final : public Machine {
 public:
  LaneMachine(const LaneRules& rules, HandshakeRules handshake, LaneEvents& events);
  ~LaneMachine() override;

  // Takes the call over; it is settled at once if there is no room.
  void submit(Call& call, Nanos now);
  // False: it is not here.
  bool cancel(std::uint64_t id);
  // Fails all calls, and later ones as soon as they are submitted (shutdown).
  void fail_all(const Error& why);
  // Gives the calls that were never sent to another machine.
  std::deque<Call*> take_waiting();

  void connected(Nanos now) override;
  void received(std::string_view bytes, Nanos now) override;
  void sent(std::size_t bytes) override { sent_ += bytes; }
  void disconnected(const Error& why, Nanos now) override;
  void tick(Nanos now) override;
  Nanos next_due() const override { return next_due_; }
  bool ready() const override { return state_ == State::ready; }
  bool idle() const override { return waiting_.empty() && in_flight_.empty(); }
  const std::optional<Error>& failure() const override { return failure_; }

  Nanos last_received() const { return last_received_; }
  // Of the call whose answer is next; 0 if there is none.
  Nanos oldest_sent_at() const { return in_flight_.empty() ? 0 : in_flight_.front().sent_at; }
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t in_flight() const { return in_flight_.size(); }

 private:
  enum class State { down, introducing, ready };
  struct Entry {
    Call* call;         // null: ended early, its answer is discarded
    std::uint64_t end;  // of its bytes in the stream
    int answers;        // still to come
    Nanos sent_at;
  };

  std::optional<Error> refusal(const Call& call, Nanos now) const;
  void send(Call& call, Nanos now);
  void become_ready(Nanos now);
  void answer(Reply&& value);
  void expire(Call& call, bool was_sent);
  void settle(Call& call, Result<Reply>&& result, std::size_t reply_bytes = 0);
  void watch(Nanos due) {
    if (due < next_due_) next_due_ = due;
  }
  void fail(Error error);

  LaneRules rules_;
  Handshake handshake_;
  LaneEvents& events_;
  State state_ = State::down;
  std::optional<Error> failure_;
  std::optional<Error> closed_;  // for good
  std::string last_trouble_;     // why there is no connection, for calls that time out
  ReplyParser parser_;
  std::uint64_t fed_ = 0;          // bytes received on this connection
  std::uint64_t answered_at_ = 0;  // ... up to the end of the last answer
  std::uint64_t queued_ = 0;       // bytes put into `output` on this connection
  std::uint64_t sent_ = 0;         // ... and taken from it
  std::deque<Call*> waiting_;
  std::deque<Entry> in_flight_;
  std::size_t pending_bytes_ = 0;
  Nanos next_due_ = kNoDeadline;
  Nanos last_received_ = 0;
  Nanos quiet_since_ = 0;  // nothing has arrived since then although answers are pending
};

}  // namespace slotcar::client
