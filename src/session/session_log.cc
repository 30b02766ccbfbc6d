// A session and the log: writes wait for admission with empty hands, and under `appendfsync always`
// replies wait until what they tell is durable. The session itself goes on meanwhile: it takes and
// runs further requests, and only their bytes stay behind.
#include <algorithm>
#include <utility>

#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

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

// How many of the bytes that wait may be sent now.
std::size_t Session::sendable_bytes() {
  if (gate_.open()) [[likely]]
    return output_.size();
  const storage::Log* log = worker_.services().scheduler->log();
  const auto look = [this, log] {
    if (log == nullptr) return gate_.open_all();
    gate_.durable_up_to(log->durable());
  };
  look();
  if (!gate_.open()) {
    // First in the list, then one look more: whichever comes later, we or the log, sees the other.
    ask_log(gate_.waits_for());
    look();
  }
  return gate_.sendable_bytes(output_);
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
  if (!waiting_ || wait_ends_at_.value == 0) return;
  const storage::Log* log = worker_.services().scheduler->log();
  const auto come = [this, log] { return log == nullptr || wait_ends_at_ <= log->durable(); };
  if (!come()) {
    ask_log(wait_ends_at_);
    if (!come()) return;
  }
  stop_waiting(shard::WaitEnd::timeout);
}

void Session::log_advanced() {
  log_asked_ = Lsn{0};
  look_at_log();
  if (log_room_.has_waiter()) log_room_.wake();
  if (!output_.empty() && !finished_) flush();
}

}  // namespace slotcar::session
