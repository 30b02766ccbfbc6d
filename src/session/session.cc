// The life of a connection: the coroutine, its events, its end. What happens to each request stands
// in session_requests.cc.
#include "session/session.h"

#include "base/limits.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

Session::Session(Worker& worker, std::unique_ptr<runtime::Stream> stream,
                 std::shared_ptr<ClientRecord> record)
    : worker_(worker),
      stream_(std::move(stream)),
      record_(std::move(record)),
      decoder_(&worker.blocks(), worker.services().slow_lane) {
  caller_.client = record_->id;
  set_authenticated(!services().settings->has_password());
  stream_->set_events(this);
}

Session::~Session() {
  if (stream_) stream_->set_events(nullptr);
  count_memory(0);
  for (Call* call : batch_) worker_.return_call(call);
}

Services& Session::services() {
  return worker_.services();
}

void Session::begin() {
  fiber_ = serve();
  fiber_.resume();
}

Fiber Session::serve() {
  shard::Scheduler& scheduler = *services().scheduler;
  while (!closing_) {
    const Received received = receive();
    if (received == Received::end) {
      drop_output_ = true;
      break;
    }
    if (received == Received::nothing) {
      co_await input_;
      continue;
    }
    Taken taken = Taken::part;
    while (taken == Taken::part && !closing_) {
      taken = take_batch();
      std::size_t next = 0;
      while (stopped_by_log(next) && !closing_) {
        ask_log_for_room();
        if (stopped_by_log(next)) co_await log_room_;
      }
      if (closing_ && stopped_by_log(next)) next = batch_.size();  // nobody awaits it any more
      while (next < batch_.size()) {
        const std::size_t together = batch_.size() - next - (last_alone_ ? 1 : 0);
        if (together > 0) {
          const auto progress = run_together(next, together);
          next += progress.finished;
          if (progress.pending) {
            under_way_ = batch_[next];
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
          if (stopped_by_pause(call)) {
            services().counters->paused_now.fetch_add(1, std::memory_order_relaxed);
            while (stopped_by_pause(call) && !closing_) co_await unpaused_;
            services().counters->paused_now.fetch_sub(1, std::memory_order_relaxed);
          }
          if (closing_) break;
          under_way_ = &call;
          if (!scheduler.start(worker_.thread(), call)) co_await call_done_;
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
  leave();
}

// The calls of the batch from `next` on that run under one hold of their tokens.
shard::Scheduler::Progress Session::run_together(std::size_t next, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) batch_[next + i]->answer_into(output_);
  const runtime::Output::Mark before = output_.mark();
  const auto progress =
      services().scheduler->run_batch(worker_.thread(), {batch_.data() + next, count});
  hold_back(before, progress.gate);
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
  subscriptions_.reset();
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
  if (input_.awaited()) {
    input_.wake();
  } else if (!input_off_) {
    // A call is under way. Readiness would be repeated every turn: look away until it is done.
    input_off_ = true;
    stream_->want_input(false);
  }
}

void Session::on_output_room() {
  if (!output_.empty()) flush();
  if (output_room_.awaited()) output_room_.wake();
}

void Session::on_closed() {
  drop_output_ = true;
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
  if (waiting_) return static_cast<void>(stop_waiting(shard::WaitEnd::abandoned));
  if (input_.awaited()) return input_.wake();
  if (next_turn_.awaited()) return;  // its turn comes anyway
  if (unpaused_.awaited()) return unpaused_.wake();
  if (output_room_.awaited()) return output_room_.wake();
  if (log_room_.awaited()) return log_room_.wake();
}

void Session::mark_dirty() {
  if (dirty_ || output_.empty()) return;
  dirty_ = true;
  worker_.mark_dirty(*this);
}

void Session::flush() {
  dirty_ = false;
  leave_told();
  if (drop_output_) {
    output_.clear();
    return;
  }
  if (output_.empty()) return;
  const std::size_t free = free_to_leave();
  if (free == 0) return;
  const std::size_t before = output_.size();
  if (!stream_->send(output_, std::min(free, limits::kWriteBytesPerTurn))) {
    drop_output_ = true;
    output_.clear();
    close();
    return;
  }
  worker_.counters().output_bytes.add(static_cast<std::int64_t>(before - output_.size()));
  worker_.counters().writes.add(1);
  if (!output_.empty() || counted_memory_ != 0) publish_numbers();
  if (output_.empty() && output_room_.awaited()) output_room_.wake();
}

bool Session::over_limits() {
  const SessionSettings& settings = *services().settings;
  if (static_cast<std::int64_t>(decoder_.footprint()) > settings.query_buffer_max.load()) {
    services().counters->query_buffer_limit_disconnections.fetch_add(1);
    services().log->warning("closing client {}: it reached client-query-buffer-limit", id().value);
    drop_output_ = true;
    return true;
  }
  const std::int64_t hard = output_limit().hard.load(std::memory_order_relaxed);
  const bool too_much = (hard > 0 && static_cast<std::int64_t>(output_.footprint()) > hard) ||
                        (!authenticated_ && output_.size() > limits::kUnauthenticatedOutputMax);
  if (!too_much) return false;
  services().counters->output_limit_disconnections.fetch_add(1);
  services().log->warning("closing client {}: it reached its output buffer limit", id().value);
  drop_output_ = true;
  return true;
}

void Session::check_limits(UnixMs now) {
  constexpr UnixMs kLingerMs = 10'000;
  if (closing_) {
    // The peer takes its last reply too slowly.
    if (now - closing_since_ > kLingerMs) {
      drop_output_ = true;
      close();
    }
    return;
  }
  const SessionSettings& settings = *services().settings;
  const std::int64_t timeout = settings.idle_timeout_seconds.load(std::memory_order_relaxed);
  const std::int64_t idle = now - record_->last_active_ms.load(std::memory_order_relaxed);
  // Subscribers wait as long as they like.
  const bool waits = call_done_.awaited() || record_->subscribed();
  if (timeout > 0 && idle > timeout * 1000 && !waits) {
    drop_output_ = true;
    return close();
  }
  const OutputLimit& limit = output_limit();
  const std::int64_t soft = limit.soft.load(std::memory_order_relaxed);
  if (soft == 0 || static_cast<std::int64_t>(output_.footprint()) <= soft) {
    soft_limit_since_ = 0;
  } else if (soft_limit_since_ == 0) {
    soft_limit_since_ = now;
  } else if (now - soft_limit_since_ > limit.soft_seconds.load() * 1000) {
    services().counters->output_limit_disconnections.fetch_add(1);
    drop_output_ = true;
    close();
  }
}

void Session::publish_numbers() {
  record_->input_bytes.store(decoder_.buffered(), std::memory_order_relaxed);
  record_->input_memory.store(decoder_.footprint(), std::memory_order_relaxed);
  record_->output_bytes.store(output_.footprint(), std::memory_order_relaxed);
  count_memory(static_cast<std::int64_t>(record_->memory()));
}

void Session::count_memory(std::int64_t now) {
  worker_.counters().client_memory.add(now - counted_memory_);
  counted_memory_ = now;
}

void Session::call_finished(Call& call) {
  Session& session = *static_cast<Session*>(call.owner());
  if (session.waiting_) session.end_waiting();
  session.call_done_.wake();
}

}  // namespace slotcar::session
