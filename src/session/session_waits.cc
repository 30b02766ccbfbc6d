// A session whose call waits for keys (BLPOP and the like): its timer, its cancelling, and what
// others may know of it. The wait itself is shard/waiters.h's.
#include "runtime/event_loop.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

void Waiting::time_is_over() {
  session->stop_waiting(shard::WaitEnd::timeout);
}

// On whichever thread ran the call. From `set_waiter` on the wait may be ended, and then the
// session may be gone at any moment.
bool Session::call_reachable(void* owner, const std::shared_ptr<shard::Waiter>& waiter) {
  Session& session = *static_cast<Session*>(owner);
  const std::shared_ptr<ClientRecord> record = session.record_;
  if (waiter) session.services().clients->set_waiter(*record, waiter);
  return !record->closing.load(std::memory_order_acquire);
}

void Session::call_waits(void* owner, const std::shared_ptr<shard::Waiter>& waiter) {
  static_cast<Session*>(owner)->begin_waiting(waiter);
}

void Session::begin_waiting(const std::shared_ptr<shard::Waiter>& waiter) {
  waiting_ = std::make_unique<Waiting>(*this, waiter);
  services().counters->waiting_now.fetch_add(1, std::memory_order_relaxed);
  record_->last_command.store(&batch_.back()->command(), std::memory_order_relaxed);
  record_->last_active_ms.store(worker_.thread().now(), std::memory_order_relaxed);
  record_->waiting.store(true, std::memory_order_relaxed);
  const Call& waits = *batch_.back();
  record_->waiting_memory.store(waits.footprint() + waits.key_count() * ClientRecord::kNameBytes,
                                std::memory_order_relaxed);
  // Until now its reply might have been near.
  if (!waiter->is_claimed()) release_deferred_pushes();
  // It has been asked to end while the call was under way elsewhere.
  if (closing_) return static_cast<void>(stop_waiting(shard::WaitEnd::abandoned));
  if (waiter->deadline() != 0) worker_.loop().arm(waiting_->timer, waiter->deadline());
  // The call has its own copy of its arguments, so thousands that wait hold no input buffers. What
  // was pipelined behind it stays unread; a peer that leaves is noticed nevertheless.
  decoder_.release();
  if (!input_off_) {
    input_off_ = true;
    stream_->want_input(false);
  }
  stream_->want_end(true);
  look_at_log();
}

// The call has come home.
void Session::end_waiting() {
  waiting_.reset();
  services().counters->waiting_now.fetch_sub(1, std::memory_order_relaxed);
  record_->waiting.store(false, std::memory_order_relaxed);
  record_->waiting_memory.store(0, std::memory_order_relaxed);
  stream_->want_end(false);
}

bool Session::stop_waiting(shard::WaitEnd why) {
  const std::shared_ptr<shard::Waiter> waiter = services().clients->waiter(*record_);
  if (!waiter) return false;
  // If somebody else was first the call is on its way home anyhow.
  const bool ended = services().scheduler->waiters().end(worker_.thread(), waiter, why);
  if (ended && why == shard::WaitEnd::role_changed) close_after_reply_ = true;
  return ended;
}

}  // namespace slotcar::session
