// A session and the log: writes wait for admission with empty hands, and under `appendfsync always`
// replies wait until what they tell is durable (a few also under other settings: Log::safe). The
// session itself goes on meanwhile: it takes and runs further requests, and only their bytes stay
// behind.
#include <algorithm>
#include <utility>

#include "session/session.h"
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

// How many calls of the batch, from there on, may be started now. While the log has more unwritten
// records than it may, nothing that writes begins; what stands before it does.
std::size_t Session::ready_for_log(std::size_t from) const {
  const storage::Log* log = worker_.services().scheduler->log();
  if (log == nullptr || log->admits()) [[likely]]
    return batch_.size() - from;
  std::size_t to = from;
  while (to < batch_.size()) {
    const bool answered = last_answered_ && to + 1 == batch_.size();
    if (!answered && stopped_by(router::Reasons(router::Reason::log_full), *batch_[to])) break;
    ++to;
  }
  return to - from;
}

bool Session::log_fails() const {
  const storage::Log* log = worker_.services().scheduler->log();
  return log != nullptr && log->failing();
}

bool Session::log_has_room() const {
  const storage::Log* log = worker_.services().scheduler->log();
  return log == nullptr || log->admits();
}

// How many of the bytes that wait may be sent now.
std::size_t Session::sendable_bytes() {
  if (gate_.open()) [[likely]]
    return output_.size();
  const storage::Log* log = worker_.services().scheduler->log();
  const auto look = [this, log] {
    if (log == nullptr) return gate_.open_all();
    gate_.durable_up_to(log->safe());
  };
  look();
  if (!gate_.open()) {
    // First in the list, then one look more: whichever comes later, we or the log, sees the other.
    ask_log(storage::LogMark::safe, gate_.waits_for());
    look();
  }
  return gate_.sendable_bytes(output_);
}

void Session::keep_until_durable(runtime::Output::Mark from, Lsn lsn, std::size_t replies) {
  gate_.hold_back(output_, {from, lsn, worker_.loop().turn_monotonic(), replies});
}

// The commands ran, so their clients must learn that the outcome is not known; and what they would
// be shown, a crash may still undo. One error takes the place of each reply that waits. A push
// cannot be replaced: without the connection, too, the client knows that it may have missed some.
void Session::bound_sync_wait() {
  if (gate_.open() || drop_output_ || finished_) return;
  const std::int64_t wait_ms = services().settings->sync_wait_ms.get();
  if (wait_ms == 0) return;
  flush();  // it may be durable by now
  if (gate_.open() || drop_output_) return;
  const runtime::Nanos waited = worker_.loop().turn_monotonic() - gate_.waits_since();
  if (waited < wait_ms * runtime::kMillisecond) return;
  if (gate_.holds_push()) {
    services().log->warning(
        "closing client {}: the log is not synced, and what it was to be told "
        "has waited for appendonly-sync-timeout",
        id().value);
    return on_closed();
  }
  const std::size_t replies = gate_.replace_held(output_, kUnsyncedReply);
  worker_.thread().errors.add(static_cast<std::int64_t>(replies));
  worker_.thread().error_codes.add(kUnsyncedCode, static_cast<std::int64_t>(replies));
  flush();
}

void Session::ask_log(storage::LogMark mark, Lsn wanted) {
  Lsn& asked = log_asked_[static_cast<std::size_t>(mark)];
  if (asked.value != 0 && asked <= wanted) return;
  asked = wanted;
  worker_.wait_for_log(*this, mark, wanted);
}

// Whatever comes to be durable next makes room. Who asked looks once more before it waits.
void Session::ask_log_for_room() {
  const storage::Log* log = worker_.services().scheduler->log();
  if (log != nullptr) ask_log(storage::LogMark::durable, Lsn{log->durable().value + 1});
}

// Whether its call waits for the log, and the log has come so far. (It may have been switched off.)
void Session::look_at_log() {
  if (!waiting_ || wait_ends_at_.value == 0) return;
  const storage::Log* log = worker_.services().scheduler->log();
  const auto come = [this, log] { return log == nullptr || wait_ends_at_ <= log->durable(); };
  if (!come()) {
    ask_log(storage::LogMark::durable, wait_ends_at_);
    if (!come()) return;
  }
  stop_waiting(shard::WaitEnd::timeout);
}

void Session::log_advanced(storage::LogMark mark) {
  log_asked_[static_cast<std::size_t>(mark)] = Lsn{0};
  look_at_log();
  if (log_room_.has_waiter()) log_room_.wake();
  if (!output_.empty() && !finished_) flush();
}

}  // namespace slotcar::session
