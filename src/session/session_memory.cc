// What a session may take of memory, and what happens when it takes more: the bounds of its input,
// of its replies and of what is pushed to it; and its wait for room where commands may grow the
// data set.
#include <algorithm>

#include "base/limits.h"
#include "session/discarded.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

namespace {

bool exceeds(std::size_t bytes, const std::atomic<std::int64_t>& limit) {
  const std::int64_t most = limit.load(std::memory_order_relaxed);
  return most > 0 && static_cast<std::int64_t>(bytes) > most;
}

}  // namespace

// --- replies -----------------------------------------------------------------------------------

const OutputLimit& Session::output_limit() {
  const SessionSettings& settings = *services().settings;
  const bool listens = record_->subscribed() || record_->monitoring.load(std::memory_order_relaxed);
  return listens ? settings.pubsub : settings.normal;
}

// The call that is about to run may answer so much. Its output looks at it as it grows, wherever
// the call runs. Null: one call or another of a batch.
void Session::bound_reply(const Call* call) {
  const std::int64_t hard = output_limit().hard.get();
  std::size_t most =
      hard > 0 ? static_cast<std::size_t>(hard) : services().memory->reply_bytes_max();
  if (!authenticated_) most = std::min(most, limits::kUnauthenticatedOutputMax);
  const schema::Command* command = call != nullptr ? call->command().command : nullptr;
  record_->reply.begin(
      most, command != nullptr &&
                (has(command->access, schema::Access::readonly) || command->runs_transaction));
}

// Nobody will get the reply of the call under way: it ends as soon as it looks, if it only reads.
void Session::abandon_reply() {
  record_->reply.stop();
}

// The call gave its reply up half-way, so none of it may leave, nor anything after it.
void Session::reply_given_up(Call& call) {
  discard_output(call.own_output(), worker_);
  flush();  // the replies before it, as far as the peer takes them now
  if (record_->reply.overflowed()) {
    close_for_output();
  } else {
    drop_output();
  }
  closing_ = true;
  closing_since_ = worker_.thread().now();
  record_->closing.store(true, std::memory_order_relaxed);
}

// More waits for the connection than may: what waits is dropped, and no more is sent. The owner
// closes.
void Session::close_for_output() {
  services().counters->output_limit_disconnections.fetch_add(1, std::memory_order_relaxed);
  services().log->warning("closing client {}: it reached its output buffer limit", id().value);
  drop_output();
  abandon_reply();
}

// Nothing more is sent.
void Session::drop_output() {
  drop_output_ = true;
  discard_output(output_, worker_);
}

// --- pushes ------------------------------------------------------------------------------------

// What is pushed is bounded as the messages of a subscriber are, whatever class the connection is
// of: nobody knows how long it would have to wait for a client that does not read.
std::size_t Session::pushed_bytes() const {
  const std::size_t held_back = tracking_ ? tracking_->held_back.footprint() : 0;
  return push_backlog_.bytes() + held_back;
}

void Session::bound_pushes() {
  if (drop_output_) return;
  if (!exceeds(output_.footprint(), output_limit().hard) &&
      !exceeds(pushed_bytes(), services().settings->pubsub.hard)) {
    return;
  }
  close_for_output();
  // Not here: closing unsubscribes, and somebody walks over the subscribers.
  Worker& worker = worker_;
  worker.loop().post(runtime::make_task([&worker, id = id()] { worker.close_client(id); }));
}

// --- looked at again and again -----------------------------------------------------------------

bool Session::over_limits() {
  const SessionSettings& settings = *services().settings;
  if (static_cast<std::int64_t>(decoder_.footprint()) > settings.query_buffer_max.get()) {
    services().counters->query_buffer_limit_disconnections.fetch_add(1);
    services().log->warning("closing client {}: it reached client-query-buffer-limit", id().value);
    drop_output_ = true;
    return true;
  }
  const bool too_much = exceeds(output_.footprint(), output_limit().hard) ||
                        (!authenticated_ && output_.size() > limits::kUnauthenticatedOutputMax);
  if (too_much) close_for_output();
  return too_much;
}

void Session::check_limits(UnixMs now) {
  constexpr UnixMs kLingerMs = 10'000;
  if (!gate_.open()) bound_sync_wait();
  if (finished_) return;
  if (closing_) {
    // The peer takes its last reply too slowly.
    if (now - closing_since_ > kLingerMs) {
      drop_output_ = true;
      close();
    }
    return;
  }
  // It waits for the log's room. The disk may have begun to fail meanwhile: then its write is
  // refused. Or the room was not made by a sync, which would have woken it.
  if (log_room_.has_waiter() && (log_fails() || log_has_room())) return log_room_.wake();
  const SessionSettings& settings = *services().settings;
  const std::int64_t timeout = settings.idle_timeout_seconds.get();
  const std::int64_t idle = now - record_->last_active_ms.load(std::memory_order_relaxed);
  // Subscribers wait as long as they like.
  const bool waits = call_done_.has_waiter() || record_->subscribed();
  if (timeout > 0 && idle > timeout * 1000 && !waits) {
    drop_output_ = true;
    return close();
  }
  const OutputLimit& own = output_limit();
  const OutputLimit& pushes = settings.pubsub;
  const bool by_all = exceeds(output_.footprint(), own.soft);
  if (!by_all && !exceeds(pushed_bytes(), pushes.soft)) {
    soft_limit_since_ = 0;
    return;
  }
  const OutputLimit& limit = by_all ? own : pushes;
  if (soft_limit_since_ == 0) {
    soft_limit_since_ = now;
  } else if (now - soft_limit_since_ > limit.soft_seconds.get() * 1000) {
    close_for_output();
    close();
  }
}

void Session::publish_numbers() {
  record_->input_bytes.store(decoder_.buffered(), std::memory_order_relaxed);
  record_->input_memory.store(decoder_.footprint(), std::memory_order_relaxed);
  const std::size_t held_back = tracking_ ? tracking_->held_back.footprint() : 0;
  record_->output_bytes.store(output_.footprint() + held_back, std::memory_order_relaxed);
  record_->output_waiting.store(output_.size() + held_back, std::memory_order_relaxed);
  count_memory(static_cast<std::int64_t>(record_->memory()));
}

void Session::count_memory(std::int64_t now) {
  worker_.counters().client_memory.add(now - counted_memory_);
  counted_memory_ = now;
}

// --- room for the data set ---------------------------------------------------------------------

// Whether there is room for a command that grows. Where only the tokens are held by others, there
// is, as soon as they give them back: the batch waits for that before it runs (`await_room`).
bool Session::has_room() {
  const MemoryGate::Room room = services().memory->make_room(worker_.thread());
  // What had to go for this command is told before its reply.
  if (listens()) worker_.inbox().empty_early();
  if (room == MemoryGate::Room::busy) room_wanted_ = true;
  return room != MemoryGate::Room::none;
}

// True: the fiber is to wait for `room_made_`. Only what may grow waits.
bool Session::await_room() {
  if (!std::exchange(room_wanted_, false)) return false;
  const bool grows = std::any_of(batch_.begin(), batch_.end(), [](const Call* call) {
    if (!call->has_command()) return false;
    const schema::Command& command = *call->command().command;
    return has(command.access, schema::Access::may_grow) || command.runs_transaction;
  });
  if (grows) services().memory->make_room_later(worker_, [this] { room_made_.wake(); });
  return grows;
}

}  // namespace slotcar::session
