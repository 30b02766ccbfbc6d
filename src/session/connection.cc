#include "session/connection.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "session/discarded.h"
#include "session/worker.h"

namespace slotcar::session {

namespace {

// MISCONF is for what did not run.
constexpr std::string_view kUnsyncedReply =
    "-UNSYNCED The command ran, but what it wrote or read is not on disk after "
    "appendonly-sync-timeout, because the disk fails or is slow: a crash may still undo it, or it "
    "may survive. See INFO persistence.\r\n";
constexpr std::string_view kUnsyncedCode = "UNSYNCED";

}  // namespace

Connection::Connection(Worker& worker, std::unique_ptr<runtime::Stream> stream,
                       std::shared_ptr<ClientRecord> record)
    : worker_(worker),
      services_(worker.services()),
      stream_(std::move(stream)),
      record_(std::move(record)),
      identity_(*record_),
      lease_term_(services_.cluster.lease != nullptr ? services_.cluster.lease->term() : 0) {
  record_->reply.count_in(&services().counters->reply_memory);
}

Connection::~Connection() {
  if (stream_) stream_->set_events(nullptr);
  count_memory(0);
  record_->reply.end();
}

// --- the end -----------------------------------------------------------------------------------

void Connection::begin_closing() {
  if (machine_.close(worker_.thread().now())) {
    record_->closing.store(true, std::memory_order_relaxed);
  }
}

void Connection::close() {
  begin_closing();
  if (machine_.finished()) return;
  switch (Machine::nudge(wakeups_.waits_for())) {
    case Machine::Nudge::none:
      return;
    case Machine::Nudge::wake:
      return wakeups_.wake(wakeups_.waits_for());
    case Machine::Nudge::end_key_wait:
      return static_cast<void>(stop_waiting(shard::WaitEnd::abandoned));
  }
}

void Connection::cut() {
  outbox_.drop();
  abandon_reply();
  close();
}

bool Connection::stop_waiting(shard::WaitEnd why) {
  const std::shared_ptr<shard::Waiter> waiter = services().clients->waiter(*record_);
  if (!waiter) return false;
  // If another thread was first, the call is on its way home anyhow.
  const bool ended = services().scheduler->waiters().end(worker_.thread(), waiter, why);
  if (ended && why == shard::WaitEnd::role_changed) machine_.close_after_reply();
  return ended;
}

// --- what leaves -------------------------------------------------------------------------------

void Connection::mark_dirty() {
  if (dirty_ || outbox_.bytes().empty()) return;
  dirty_ = true;
  worker_.send_queue().add_replies(*this);
}

void Connection::flush() {
  dirty_ = false;
  leave_push_queue();
  if (outbox_.dropped()) return drop_output();
  runtime::Output& bytes = outbox_.bytes();
  if (bytes.empty()) return;
  const std::size_t free = sendable_bytes();
  if (free == 0) return;
  const std::size_t before = bytes.size();
  // By the clock of now, because a process can be stopped anywhere (cluster/lease.h).
  const bool may_send =
      services_.cluster.lease == nullptr || services_.cluster.lease->may_send(lease_term_);
  if (!may_send || !stream_->send(bytes, std::min(free, limits::kWriteBytesPerTurn))) {
    drop_output();
    abandon_reply();
    close();
    return;
  }
  outbox_.sent();
  worker_.counters().output_bytes.add(static_cast<std::int64_t>(before - bytes.size()));
  worker_.counters().writes.add(1);
  if (!bytes.empty() || counted_memory_ != 0) publish_output();
  if (bytes.empty() && wakeups_.has_waiter(Wait::output_room)) wakeups_.wake(Wait::output_room);
}

bool Connection::wants_to_send() const {
  return !outbox_.dropped() && (!outbox_.bytes().empty() || stream_->in_flight() > 0);
}

void Connection::keep_until_durable(runtime::Output::Mark from, Lsn lsn, std::size_t replies,
                                    bool confirms) {
  outbox_.hold_back({from, lsn, worker_.loop().turn_monotonic(), replies, confirms});
}

// How many of the bytes that wait may be sent now.
std::size_t Connection::sendable_bytes() {
  ReplyGate& gate = outbox_.gate();
  if (gate.open()) [[likely]]
    return outbox_.bytes().size();
  const storage::Log* log = services().scheduler->log();
  const auto look = [&gate, log] {
    if (log == nullptr) return gate.open_all();
    gate.durable_up_to(log->safe());
  };
  look();
  if (!gate.open()) {
    // First it asks, then it looks once more: whichever comes later, it or the log, sees the other.
    ask_log(storage::LogMark::safe, gate.waits_for());
    look();
  }
  return gate.sendable_bytes(outbox_.bytes());
}

void Connection::ask_log(storage::LogMark mark, Lsn wanted) {
  if (log_waits_.ask(mark, wanted)) worker_.log_waiters().add(id(), mark, wanted);
}

void Connection::push(const base::SharedBytes& bytes) {
  if (outbox_.dropped() || machine_.closing()) return;
  hold_back(outbox_.push(bytes), worker_.send_queue().push_gate(), 0);
  pushed();
}

void Connection::push(runtime::Output&& bytes) {
  if (outbox_.dropped() || machine_.closing()) return;
  hold_back(outbox_.push(std::move(bytes)), worker_.send_queue().push_gate(), 0);
  pushed();
}

void Connection::push_after_reply(runtime::Output&& bytes) {
  outbox_.defer(std::move(bytes), worker_.send_queue().push_gate());
  bound_pushes();
}

void Connection::release_deferred_pushes() {
  const auto deferred = outbox_.take_deferred();
  if (!deferred || outbox_.dropped() || machine_.closing()) return;
  hold_back(outbox_.push(std::move(deferred->bytes)), deferred->gate, 0);
  pushed();
}

void Connection::pushed() {
  if (outbox_.bytes().size() > PushQueue::kBytesMax) {
    mark_dirty();
  } else if (!dirty_ && !in_push_queue()) {
    worker_.send_queue().add_pushes(*this);
  }
  bound_pushes();
}

// The commands ran, so their clients must learn that the outcome is not known; and a crash may
// still undo what they would be shown. One error takes the place of each reply that waits. A push
// cannot be replaced: its connection is closed, so that the client knows that it may have missed
// some.
void Connection::bound_sync_wait() {
  ReplyGate& gate = outbox_.gate();
  if (gate.open() || outbox_.dropped() || machine_.finished()) return;
  const std::int64_t wait_ms = services().settings->sync_wait_ms;
  if (wait_ms == 0) return;
  flush();  // it may be durable by now
  if (gate.open() || outbox_.dropped()) return;
  const runtime::Nanos waited = worker_.loop().turn_monotonic() - gate.waits_since();
  if (waited < wait_ms * runtime::kMillisecond) return;
  if (gate.holds_push()) {
    services().log->warning(
        "closing client {}: the log is not synced, and what it was to be told "
        "has waited for appendonly-sync-timeout",
        id().value);
    return cut();
  }
  const std::size_t replies = gate.replace_held(outbox_.bytes(), kUnsyncedReply);
  worker_.thread().errors.add(static_cast<std::int64_t>(replies));
  worker_.thread().error_codes.add(kUnsyncedCode, static_cast<std::int64_t>(replies));
  flush();
}

// --- bounds ------------------------------------------------------------------------------------

const OutputLimit& Connection::output_limit() const {
  const SessionSettings& settings = *services().settings;
  const bool listens = record_->subscriptions.any() || record_->flags.monitoring.get();
  return listens ? settings.pubsub : settings.normal;
}

void Connection::bound_reply(const shard::Call* call) {
  const std::int64_t hard = output_limit().hard;
  std::size_t most =
      hard > 0 ? static_cast<std::size_t>(hard) : services().memory->reply_bytes_max();
  if (!identity_.authenticated()) most = std::min(most, limits::kUnauthenticatedOutputMax);
  const schema::Command* command = call != nullptr ? call->command().command : nullptr;
  record_->reply.begin(
      most, command != nullptr &&
                (has(command->access, schema::Access::readonly) || command->runs_transaction));
}

bool Connection::over_output_limit() {
  const bool too_much =
      outbox_.over_hard_limit(output_limit()) ||
      (!identity_.authenticated() && outbox_.bytes().size() > limits::kUnauthenticatedOutputMax);
  if (too_much) close_for_output();
  return too_much;
}

void Connection::close_for_output() {
  services().counters->output_limit_disconnections.fetch_add(1, std::memory_order_relaxed);
  services().log->warning("closing client {}: it reached its output buffer limit", id().value);
  drop_output();
  abandon_reply();
}

void Connection::drop_output() {
  outbox_.drop();
  discard_output(outbox_.bytes(), worker_);
}

void Connection::bound_pushes() {
  if (outbox_.dropped()) return;
  if (!outbox_.over_hard_limit(output_limit()) &&
      !outbox_.over_push_limit(services().settings->pubsub)) {
    return;
  }
  close_for_output();
  // Not here: closing unsubscribes, and the worker may be walking over its subscribers.
  Worker& worker = worker_;
  worker.loop().post(runtime::make_task([&worker, id = id()] { worker.sessions().close(id); }));
}

void Connection::publish_output() {
  record_->memory.output.set(outbox_.footprint());
  record_->output_waiting.set(outbox_.waiting());
  count_memory(static_cast<std::int64_t>(record_->memory.sum()));
}

void Connection::count_memory(std::int64_t now) {
  worker_.counters().client_memory.add(now - counted_memory_);
  counted_memory_ = now;
}

}  // namespace slotcar::session
