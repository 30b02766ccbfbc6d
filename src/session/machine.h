// Machine: what a connection decides for itself, without I/O. Events go in (a request, an answer,
// the wish to close), decisions come out (how a request runs, what to wait for, what to wake). The
// coroutine in session.cc carries them out.
//
// What refuses a command is router/refusals.h's; the order in which a batch runs is batch.h's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "base/limits.h"
#include "schema/command.h"
#include "session/fiber.h"

namespace slotcar::session {

// CLIENT REPLY.
enum class ReplyMode : std::uint8_t { on, off, skip_this, skip_next };

class Machine {
 public:
  // --- life. Closing: no more requests; the connection ends when no call is under way.
  enum class Phase : std::uint8_t { open, closing, finished };
  bool closing() const { return phase_ != Phase::open; }
  bool finished() const { return phase_ == Phase::finished; }
  // True: it was open until now.
  bool close(UnixMs now) {
    if (closing()) return false;
    phase_ = Phase::closing;
    closing_since_ = now;
    return true;
  }
  void finish() { phase_ = Phase::finished; }
  // The peer takes its last reply too slowly.
  bool lingers(UnixMs now) const { return closing() && now - closing_since_ > kLingerMs; }

  // What has to happen to a fiber that waits, so that it sees that the connection closes.
  enum class Nudge : std::uint8_t {
    none,          // it comes by itself
    wake,          // what it waits for does not matter any more
    end_key_wait,  // only a call that waits for keys is cut short; any other one is waited for
  };
  static Nudge nudge(Wait wait) {
    switch (wait) {
      case Wait::call_done:
        return Nudge::end_key_wait;
      case Wait::input:
      case Wait::unpaused:
      case Wait::output_room:
      case Wait::log_room:
        return Nudge::wake;
      case Wait::nothing:
      case Wait::next_turn:
      case Wait::room_made:
        return Nudge::none;
    }
    return Nudge::none;
  }

  // --- requests
  enum class Way : std::uint8_t {
    together,  // with its neighbours, under one hold of their tokens
    at_once,   // touches only the connection: run and answered while requests are being decoded
    alone,     // as the last one of its batch
  };
  struct Request {
    const schema::Command& command;
    bool has_shards;      // it needs tokens
    bool begins_slow;     // it begins on a slow thread
    bool paused;          // CLIENT PAUSE is on
    bool nothing_before;  // no earlier request of the connection is still to be answered
  };
  // How a request that nothing refuses is run.
  Way way(const Request& request) const {
    const schema::Command& command = request.command;
    if (reply_mode_ != ReplyMode::on || request.paused || !command.queued || command.runs_script) {
      return Way::alone;
    }
    if (command.runs.form == schema::Runs::Form::on_keys) {
      const bool together = request.has_shards && !request.begins_slow &&
                            !has(command.access, schema::Access::blocking);
      return together ? Way::together : Way::alone;
    }
    const bool at_once = command.runs.form == schema::Runs::Form::on_session &&
                         has(command.access, schema::Access::fast) && request.nothing_before;
    return at_once ? Way::at_once : Way::alone;
  }

  // --- replies
  ReplyMode reply_mode() const { return reply_mode_; }
  void set_reply_mode(ReplyMode mode) { reply_mode_ = mode; }
  // The client does not want the reply of the call that ends now.
  bool silent() const {
    return reply_mode_ == ReplyMode::off || reply_mode_ == ReplyMode::skip_this;
  }
  void close_after_reply() { closes_after_reply_ = true; }
  // A call has come to its end, and its reply is queued or dropped. True: the connection closes.
  bool answered() {
    if (reply_mode_ == ReplyMode::skip_this) reply_mode_ = ReplyMode::on;
    if (reply_mode_ == ReplyMode::skip_next) reply_mode_ = ReplyMode::skip_this;
    return closes_after_reply_;
  }

  // --- turns. A connection has a share of each turn of the loop, of calls and of time.
  void count_call() { ++turn_calls_; }
  // A batch has taken so many cycles, of which a turn's share is `share`.
  void count_work(std::uint64_t cycles, std::uint64_t share) {
    turn_work_ += cycles;
    if (turn_work_ >= share) [[unlikely]]
      turn_calls_ = limits::kTurnCallsMax;
  }
  void begin_turn() {
    turn_calls_ = 0;
    turn_work_ = 0;
  }
  // Whether it has to wait before it takes further requests; `unread`: bytes that the client has
  // not taken yet.
  Wait before_next_batch(std::size_t unread) const {
    if (closing()) return Wait::nothing;
    if (turn_calls_ >= limits::kTurnCallsMax) return Wait::next_turn;
    return unread > limits::kUnreadOutputMax ? Wait::output_room : Wait::nothing;
  }

 private:
  static constexpr UnixMs kLingerMs = 10'000;

  UnixMs closing_since_ = 0;
  std::size_t turn_calls_ = 0;
  std::uint64_t turn_work_ = 0;
  Phase phase_ = Phase::open;
  ReplyMode reply_mode_ = ReplyMode::on;
  bool closes_after_reply_ = false;
};

}  // namespace slotcar::session
