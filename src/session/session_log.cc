// A session and the log: writes wait for admission with empty hands, and under `appendfsync always`
// replies wait until what they tell is durable. The session itself goes on meanwhile: it takes and
// runs further requests, and only their bytes stay behind.
#include <algorithm>
#include <utility>

#include "schema/errors.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

// The disk fails: writes are refused before they run, reads are served. Empty: it does not.
std::string_view Session::disk_refusal(const shard::Call& call) const {
  const storage::Log* log = worker_.services().scheduler->log();
  const bool log_fails = log != nullptr && log->failing();
  const bool saves_fail = worker_.services().durability->refuses_writes();
  if (!log_fails && !saves_fail) [[likely]]
    return {};
  if (!writes(call)) return {};
  return log_fails ? schema::kMisconf : schema::kMisconfSave;
}

// The log has more unwritten records than it may: nothing that writes begins now.
bool Session::stopped_by_log(std::size_t from) const {
  const storage::Log* log = worker_.services().scheduler->log();
  if (log == nullptr || log->admits()) [[likely]]
    return false;
  return std::any_of(
      batch_.begin() + static_cast<std::ptrdiff_t>(from), batch_.end(),
      [this](const shard::Call* call) { return call->has_command() && writes(*call); });
}

void Session::hold_back(runtime::Output::Mark from, Lsn gate) {
  if (gate.value == 0) [[likely]]
    return;
  if (!gates_.empty() && gates_.back().lsn >= gate) return;  // behind a later one anyway
  gates_.push_back({from, gate});
}

// How many of the bytes that wait may be sent now.
std::size_t Session::free_to_leave() {
  if (gates_.empty()) [[likely]]
    return output_.size();
  const storage::Log* log = worker_.services().scheduler->log();
  const auto open_gates = [this, log] {
    // With the log switched off nothing is promised any more.
    while (!gates_.empty() && (log == nullptr || gates_.front().lsn <= log->durable())) {
      gates_.pop_front();
    }
  };
  open_gates();
  if (!gates_.empty()) {
    // First in the list, then one look more: whichever comes later, we or the log, sees the other.
    ask_log(gates_.front().lsn);
    open_gates();
  }
  if (gates_.empty()) return output_.size();
  const std::size_t sent = output_.mark().size - output_.size();
  return gates_.front().from.size - sent;
}

void Session::ask_log(Lsn wanted) {
  if (log_asked_.value != 0 && log_asked_ <= wanted) return;
  log_asked_ = wanted;
  worker_.wait_for_log(*this, wanted);
}

// Whatever comes to be durable next makes room. Who asked looks once more before it waits.
void Session::ask_log_for_room() {
  const storage::Log* log = worker_.services().scheduler->log();
  if (log != nullptr) ask_log(Lsn{log->durable().value + 1});
}

// Whether its call waits for the log, and the log has come so far. (It may have been switched off.)
void Session::look_at_log() {
  if (!waiting_ || awaited_log_.value == 0) return;
  const storage::Log* log = worker_.services().scheduler->log();
  const auto come = [this, log] { return log == nullptr || awaited_log_ <= log->durable(); };
  if (!come()) {
    ask_log(awaited_log_);
    if (!come()) return;
  }
  stop_waiting(shard::WaitEnd::timeout);
}

void Session::log_advanced() {
  log_asked_ = Lsn{0};
  look_at_log();
  if (log_room_.awaited()) log_room_.wake();
  if (!output_.empty() && !finished_) flush();
}

}  // namespace slotcar::session
