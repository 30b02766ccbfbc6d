#include "lane_machine.h"

#include <algorithm>

#include "base/assert.h"

namespace slotcar::client {
namespace {

// What is known about a call that ends without an answer. One that is being repeated may have run
// the first time, wherever it is now.
Error::Ran ran_if(bool was_sent, const Call& call) {
  return was_sent || call.may_have_run ? Error::Ran::unknown : Error::Ran::no;
}

}  // namespace

LaneMachine::LaneMachine(const LaneRules& rules, HandshakeRules handshake, LaneEvents& events)
    : rules_(rules), handshake_(std::move(handshake)), events_(events) {}

LaneMachine::~LaneMachine() {
  // Its owner has ended or moved all calls before.
  ASSERT(waiting_.empty());
}

std::optional<Error> LaneMachine::refusal(const Call& call, Nanos now) const {
  if (closed_) return closed_;
  if (call.cancel_asked.load(std::memory_order_acquire)) {
    return Error{Error::Kind::cancelled, Error::Ran::no, "cancelled before it was sent"};
  }
  if (call.leave_by() <= now) {
    return Error{Error::Kind::timeout, Error::Ran::no, "timed out before it was sent"};
  }
  const bool up = state_ == State::ready;
  const std::size_t calls = waiting_.size() + in_flight_.size();
  const std::size_t bytes = std::max(pending_bytes_, output.size()) + call.wire_size();
  if (calls < rules_.pending_calls_max && bytes <= rules_.pending_bytes_max &&
      (up || waiting_.size() < rules_.down_calls_max)) {
    return std::nullopt;
  }
  std::string text = "too many calls wait";
  if (!up) text += " while the lane is down";
  if (!up && !last_trouble_.empty()) text += " (" + last_trouble_ + ")";
  return Error{Error::Kind::overloaded, Error::Ran::no, text + ": " + std::to_string(calls)};
}

void LaneMachine::submit(Call& call, Nanos now) {
  if (auto error = refusal(call, now)) {
    error->ran = ran_if(false, call);
    return events_.on_settled(call, std::move(*error), 0);
  }
  pending_bytes_ += call.wire_size();
  if (state_ == State::ready) return send(call, now);
  watch(call.leave_by());
  waiting_.push_back(&call);
}

void LaneMachine::send(Call& call, Nanos now) {
  watch(call.deadline);
  // A connection that was idle has not been silent.
  if (in_flight_.empty()) quiet_since_ = now;
  const std::size_t before = output.size();
  if (call.raw.empty()) {
    append_request(output, call.request);
  } else {
    output.append(call.raw);
  }
  queued_ += output.size() - before;
  call.earlier.clear();
  in_flight_.push_back({&call, queued_, call.answers, now});
}

void LaneMachine::connected(Nanos now) {
  ASSERT(state_ == State::down);
  parser_ = ReplyParser();
  output.clear();
  failure_.reset();
  fed_ = answered_at_ = sent_ = 0;
  last_received_ = now;
  state_ = State::introducing;
  handshake_.begin(output);
  queued_ = output.size();
  if (handshake_.done()) become_ready(now);
}

void LaneMachine::become_ready(Nanos now) {
  state_ = State::ready;
  last_trouble_.clear();
  events_.on_up();
  while (!waiting_.empty()) {
    Call& call = *waiting_.front();
    waiting_.pop_front();
    send(call, now);
  }
}

void LaneMachine::received(std::string_view bytes, Nanos now) {
  if (state_ == State::down || failure_) return;
  last_received_ = quiet_since_ = now;
  fed_ += bytes.size();
  parser_.feed(bytes);
  Reply value;
  while (!failure_) {
    switch (parser_.next(value)) {
      case ReplyParser::Outcome::incomplete:
        return;
      case ReplyParser::Outcome::error:
        return fail({Error::Kind::protocol, Error::Ran::unknown, parser_.error()});
      case ReplyParser::Outcome::value:
        answer(std::move(value));
        break;
    }
  }
}

void LaneMachine::answer(Reply&& value) {
  const std::uint64_t here = fed_ - parser_.buffered();
  const auto size = static_cast<std::size_t>(here - answered_at_);
  answered_at_ = here;
  if (value.kind() == Reply::Kind::push) return events_.on_push(std::move(value));
  if (state_ == State::introducing) {
    if (auto error = handshake_.answer(value)) return fail(std::move(*error));
    if (handshake_.done()) become_ready(last_received_);
    return;
  }
  if (in_flight_.empty()) {
    return fail({Error::Kind::protocol, Error::Ran::unknown,
                 "the server answered what was not asked: " + value.describe()});
  }
  Entry& entry = in_flight_.front();
  if (--entry.answers > 0) {
    if (entry.call) entry.call->earlier.push_back(std::move(value));
    return;
  }
  Call* call = entry.call;
  in_flight_.pop_front();
  if (!call) return;
  if (value.is_error()) {
    return settle(*call, Error{Error::Kind::server, Error::Ran::yes, value.take_text()}, size);
  }
  settle(*call, std::move(value), size);
}

void LaneMachine::settle(Call& call, Result<Reply>&& result, std::size_t reply_bytes) {
  pending_bytes_ -= call.wire_size();
  events_.on_settled(call, std::move(result), reply_bytes);
}

void LaneMachine::fail(Error error) {
  if (!failure_) failure_ = std::move(error);
}

void LaneMachine::disconnected(const Error& why, Nanos) {
  const bool was_ready = state_ == State::ready;
  state_ = State::down;
  failure_.reset();
  last_trouble_ = why.message;
  output.clear();
  std::deque<Call*> again;
  std::vector<std::pair<Call*, Error>> ended;
  for (const Entry& entry : std::exchange(in_flight_, {})) {
    if (!entry.call) continue;
    Call& call = *entry.call;
    const bool may_have_run = entry.end <= sent_;
    if (!call.pinned && (!may_have_run || call.may_repeat) &&
        call.attempts < limits::kAttemptsMax) {
      if (may_have_run) {
        ++call.attempts;
        call.may_have_run = true;
      }
      again.push_back(&call);
      watch(call.leave_by());
      continue;
    }
    const Error::Ran ran = ran_if(may_have_run, call);
    const bool unknown = ran == Error::Ran::unknown;
    ended.emplace_back(&call,
                       Error{unknown ? Error::Kind::outcome_unknown : Error::Kind::connection, ran,
                             "the connection broke (" + why.message + ")" +
                                 (unknown ? "; the outcome is unknown" : "")});
  }
  waiting_.insert(waiting_.begin(), again.begin(), again.end());
  if (was_ready) events_.on_down();
  // Settled last: the callback of an ended call may submit a new one.
  for (auto& [call, error] : ended) settle(*call, std::move(error));
}

void LaneMachine::tick(Nanos now) {
  if (now < next_due_) return;
  next_due_ = kNoDeadline;
  std::vector<std::pair<Call*, bool>> late;
  for (Entry& entry : in_flight_) {
    if (!entry.call) continue;
    if (entry.call->deadline <= now) {
      late.emplace_back(std::exchange(entry.call, nullptr), true);
    } else {
      watch(entry.call->deadline);
    }
  }
  std::erase_if(waiting_, [&](Call* call) {
    if (call->leave_by() > now) {
      watch(call->leave_by());
      return false;
    }
    late.emplace_back(call, false);
    return true;
  });
  // Answers are overdue and nothing arrives: the peer is gone without closing the connection.
  if (state_ == State::ready && !in_flight_.empty() && !in_flight_.front().call) {
    const Nanos silent_at = quiet_since_ + rules_.silence_max;
    if (now >= silent_at) {
      fail({Error::Kind::connection, Error::Ran::unknown, "the server is silent"});
    } else {
      next_due_ = std::min(next_due_, silent_at);
    }
  }
  for (const auto& [call, was_sent] : late) expire(*call, was_sent);
}

void LaneMachine::expire(Call& call, bool was_sent) {
  if (!was_sent && state_ != State::ready) {
    const std::string why = last_trouble_.empty() ? "still connecting" : last_trouble_;
    return settle(call,
                  Error{Error::Kind::connection, ran_if(false, call), "no connection: " + why});
  }
  settle(call, Error{Error::Kind::timeout, ran_if(was_sent, call),
                     was_sent ? "no answer in time; the outcome is unknown"
                              : "timed out before it was sent"});
}

bool LaneMachine::cancel(std::uint64_t id) {
  for (Entry& entry : in_flight_) {
    if (!entry.call || entry.call->id != id) continue;
    Call& call = *std::exchange(entry.call, nullptr);
    settle(call, Error{Error::Kind::cancelled, Error::Ran::unknown,
                       "cancelled after it was sent; the outcome is unknown"});
    return true;
  }
  for (auto call = waiting_.begin(); call != waiting_.end(); ++call) {
    if ((*call)->id != id) continue;
    Call& found = **call;
    waiting_.erase(call);
    settle(found,
           Error{Error::Kind::cancelled, ran_if(false, found), "cancelled before it was sent"});
    return true;
  }
  return false;
}

void LaneMachine::fail_all(const Error& why) {
  fail(why);
  closed_ = why;
  std::deque<Call*> waiting = std::exchange(waiting_, {});
  for (const Entry& entry : std::exchange(in_flight_, {})) {
    if (!entry.call) continue;
    const bool may_have_run = entry.end <= sent_;
    settle(*entry.call, Error{why.kind, ran_if(may_have_run, *entry.call), why.message});
  }
  for (Call* call : waiting) settle(*call, Error{why.kind, ran_if(false, *call), why.message});
}

std::deque<Call*> LaneMachine::take_waiting() {
  for (const Call* call : waiting_) pending_bytes_ -= call->wire_size();
  return std::exchange(waiting_, {});
}

}  // namespace slotcar::client
