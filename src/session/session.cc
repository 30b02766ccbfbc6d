// The life of a connection: the coroutine, its events, its end. What happens to each request stands
// in session_requests.cc.
#include "session/session.h"

#include "base/limits.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

namespace {

// Counts as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::int64_t>& counter) : counter_(counter) {
    counter_.fetch_add(1, std::memory_order_relaxed);
  }
  ~Counted() { counter_.fetch_sub(1, std::memory_order_relaxed); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::int64_t>& counter_;
};

}  // namespace

Session::Session(Worker& worker, std::unique_ptr<runtime::Stream> stream,
                 std::shared_ptr<ClientRecord> record)
    : worker_(worker),
      stream_(std::move(stream)),
      record_(std::move(record)),
      decoder_(&worker.blocks(), worker.services().slow_lane) {
  caller_.client = record_->id;
  record_->reply.count_in(&services().counters->reply_memory);
  set_authenticated(!services().settings->has_password());
  stream_->set_events(this);
}

Session::~Session() {
  if (stream_) stream_->set_events(nullptr);
  count_memory(0);
  record_->reply.end();
  for (Call* call : batch_) worker_.return_call(call);
}

Services& Session::services() {
  return worker_.services();
}

void Session::begin() {
  fiber_ = serve();
  fiber_.start(*this);
}

Fiber Session::serve() {
  while (!closing_) {
    const Received received = receive();
    if (received == Received::end) break;
    if (received == Received::nothing) {
      co_await input_;
      continue;
    }
    Taken taken = Taken::part;
    while (taken == Taken::part && !closing_) {
      taken = take_batch();
      if (room_wanted_ && await_room()) co_await room_made_;
      std::size_t next = 0;
      while (next < batch_.size()) {
        const std::size_t ready = ready_for_log(next);
        if (ready == 0) {
          if (closing_) break;  // no client reads its reply any more
          if (log_fails()) {
            reject_late(*batch_[next++], router::Reason::log_failing);
          } else if (ask_log_for_room(), ready_for_log(next) == 0) {
            co_await log_room_;
          }
          continue;
        }
        const std::size_t together = std::min(ready, batch_.size() - next - (last_alone_ ? 1 : 0));
        if (together > 0) {
          const auto progress = run_together(next, together);
          next += progress.finished;
          if (progress.pending) {
            co_await call_done_;
            answered(*batch_[next++]);
            continue;
          }
          if (progress.finished == together) continue;
        }
        Call& call = *batch_[next];
        if (next + 1 == batch_.size() && last_answered_) {
          // Refused while others before it had still to run: its turn has come.
        } else {
          while (stopped_by_pause(call) && !closing_) {
            const Counted paused(services().counters->paused_now);
            co_await unpaused_;
          }
          if (closing_) break;
          if (!start(call)) co_await call_done_;
          while (Wakeup* until = rest_of(call)) co_await *until;
        }
        answered(call);
        ++next;
      }
      batch_ended();
      if (turn_calls_ >= limits::kTurnCallsMax && !closing_) {
        worker_.go_on_next_turn(*this);
        co_await next_turn_;
        turn_calls_ = 0;
      }
      while (output_.size() > limits::kUnreadOutputMax && !closing_) co_await output_room_;
    }
    if (!may_receive()) break;
    co_await input_;
  }
  if (!closing_) close();
  decoder_.release();
  untrack();  // before the last reply leaves: whoever has read it finds us gone
  while (wants_to_send()) co_await output_room_;
  forget_subscriptions();
  while (Wakeup* until = rest_of_forgetting()) co_await *until;
  leave();
}

// True: it is finished already.
bool Session::start(Call& call) {
  under_way_ = &call;
  bound_reply(&call);
  return services().scheduler->start(worker_.thread(), call);
}

// The calls of the batch from `next` on that run under one hold of their tokens.
shard::Scheduler::Progress Session::run_together(std::size_t next, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) batch_[next + i]->answer_into(output_);
  const runtime::Output::Mark before = output_.mark();
  bound_reply(nullptr);
  const auto progress =
      services().scheduler->run_batch(worker_.thread(), {batch_.data() + next, count});
  hold_back(before, progress.gate, progress.finished);
  if (progress.pending) {
    under_way_ = batch_[next + progress.finished];
    bound_reply(under_way_);
  }
  return progress;
}

// Everything that came is done. False: nothing more shall come.
bool Session::may_receive() {
  decoder_.release();
  if (over_limits() || closing_) return false;
  if (decoder_.holds_block()) publish_numbers();  // half a request stays in memory
  if (input_off_) {
    input_off_ = false;
    stream_->want_input(true);
  }
  return true;
}

void Session::leave() {
  discard();
  drop_output();
  untrack();
  set_monitoring(false);
  count_memory(0);  // while it is listed: whoever adds up the memory of all must not miss both
  finished_ = true;
  worker_.session_ended(*this);
}

bool Session::wants_to_send() const {
  return !drop_output_ && (!output_.empty() || stream_->in_flight() > 0);
}

Session::Received Session::receive() {
  apply_decoder_limits();
  const resp::Decoder::Room room = decoder_.prepare();
  const auto got = stream_->receive(room.data, std::min(room.size, limits::kReadBytesPerTurn));
  switch (got.kind) {
    case runtime::Stream::Received::Kind::end:
      drop_output_ = true;
      return Received::end;
    case runtime::Stream::Received::Kind::none_yet:
      decoder_.release();
      return Received::nothing;
    case runtime::Stream::Received::Kind::bytes:
      break;
  }
  worker_.counters().input_bytes.add(static_cast<std::int64_t>(got.size));
  worker_.counters().reads.add(1);
  decoder_.received(got.size);
  if (listens()) worker_.inbox().empty_early();
  return Received::some;
}

void Session::on_input() {
  turn_calls_ = 0;
  // Killed by another connection whose request to close us is still on its way.
  if (!closing_ && record_->closing.load(std::memory_order_acquire)) return on_closed();
  if (input_.has_waiter()) {
    input_.wake();
  } else if (!input_off_) {
    // A call is under way. Readiness would be repeated every turn: look away until it is done.
    input_off_ = true;
    stream_->want_input(false);
  }
}

void Session::on_output_room() {
  if (!output_.empty()) flush();
  if (output_room_.has_waiter()) output_room_.wake();
}

void Session::on_closed() {
  drop_output_ = true;
  abandon_reply();
  close();
}

void Session::close() {
  if (!closing_) {
    closing_ = true;
    closing_since_ = worker_.thread().now();
    record_->closing.store(true, std::memory_order_relaxed);
  }
  // Whatever the fiber waits for, it shall look at `closing_`; only a call under way is waited for.
  if (finished_) return;
  if (call_done_.has_waiter()) return static_cast<void>(stop_waiting(shard::WaitEnd::abandoned));
  if (input_.has_waiter()) return input_.wake();
  if (next_turn_.has_waiter()) return;  // its turn comes anyway
  if (unpaused_.has_waiter()) return unpaused_.wake();
  if (output_room_.has_waiter()) return output_room_.wake();
  if (log_room_.has_waiter()) return log_room_.wake();
}

void Session::mark_dirty() {
  if (dirty_ || output_.empty()) return;
  dirty_ = true;
  worker_.mark_dirty(*this);
}

void Session::flush() {
  dirty_ = false;
  leave_push_queue();
  if (drop_output_) return drop_output();
  if (output_.empty()) return;
  const std::size_t free = sendable_bytes();
  if (free == 0) return;
  const std::size_t before = output_.size();
  if (!stream_->send(output_, std::min(free, limits::kWriteBytesPerTurn))) {
    drop_output();
    abandon_reply();
    close();
    return;
  }
  const std::size_t end = output_.mark().size;
  push_backlog_.sent(end - output_.size(), end);
  worker_.counters().output_bytes.add(static_cast<std::int64_t>(before - output_.size()));
  worker_.counters().writes.add(1);
  if (!output_.empty() || counted_memory_ != 0) publish_numbers();
  if (output_.empty() && output_room_.has_waiter()) output_room_.wake();
}

void Session::call_finished(Call& call) {
  Session& session = *static_cast<Session*>(call.owner());
  if (call.schedule().waiter != nullptr)
    session.services().clients->set_waiter(*session.record_, nullptr);
  if (session.waiting_) session.end_waiting();
  session.call_done_.wake();
}

}  // namespace slotcar::session
