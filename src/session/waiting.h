// Waiting: what a session has while its call waits for keys (BLPOP and the like): the waiter, the
// timer that ends its wait, and what CLIENT LIST and INFO show of it. Lives as long as the wait.
// The wait itself is shard/waiters.h's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/member_timer.h"
#include "session/connection.h"
#include "shard/waiter.h"

namespace slotcar::session {

class Waiting {
 public:
  Waiting(Connection& connection, std::shared_ptr<shard::Waiter> waiter, const shard::Call& call)
      : connection_(connection), waiter_(std::move(waiter)) {
    connection_.services().counters->waiting_now.fetch_add(1, std::memory_order_relaxed);
    ClientRecord& record = connection_.record();
    record.flags.waiting.set(true);
    record.memory.waiting.set(call.footprint() + call.key_count() * ClientMemory::kNameBytes);
    // In a cluster all keys of a call are of one slot.
    if (call.key_count() > 0) record.waits_in_slot.set(call.key(0).slot.value);
  }
  ~Waiting() {
    connection_.services().counters->waiting_now.fetch_sub(1, std::memory_order_relaxed);
    ClientRecord& record = connection_.record();
    record.flags.waiting.set(false);
    record.memory.waiting.set(0);
    record.waits_in_slot.set(ClientRecord::kNoSlot);
    connection_.stream().want_end(false);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  // A thread has begun to serve the call.
  bool is_claimed() const { return waiter_->is_claimed(); }
  runtime::Nanos deadline() const { return waiter_->deadline(); }  // 0: none
  runtime::Timer& timer() { return timer_; }

 private:
  void on_deadline() { connection_.stop_waiting(shard::WaitEnd::timeout); }

  Connection& connection_;
  std::shared_ptr<shard::Waiter> waiter_;
  runtime::MemberTimer<&Waiting::on_deadline> timer_{*this};
};

// In a cluster: ends the wait if another node has the slot of the keys now. Asked after a change of
// topology; and when a call has begun to wait, for it was routed before that.
inline void recheck_slot(Connection& connection) {
  const router::Redirects* redirects = connection.services().router->redirects();
  const ClientRecord& record = connection.record();
  const int slot = record.waits_in_slot.get();
  if (redirects == nullptr || slot == ClientRecord::kNoSlot) return;
  const bool only_reads = has(record.last_command.get()->command->access, schema::Access::readonly);
  const shard::Caller& caller = connection.identity().caller();
  if (redirects->may_wait(Slot{static_cast<std::uint16_t>(slot)}, caller, only_reads)) return;
  connection.stop_waiting(shard::WaitEnd::slot_moved);
}

}  // namespace slotcar::session
