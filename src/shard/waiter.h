// Waiter: a call that blocks on keys (BLPOP and relatives), as the queues of its keys know it. How
// waiters are served, and why that is right: waiters.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/shard_list.h"
#include "keyspace/entry.h"
#include "keyspace/watch/waited_keys.h"
#include "runtime/clock.h"

namespace slotcar::shard {

class Call;
class Waiter;
struct Thread;

// What must be under a key for a waiter to be answered. It is looked at by threads that do not own
// the waiting call, so it has copies of what it needs and never changes.
class WaitCondition {
 public:
  virtual ~WaitCondition() = default;
  // `entry`: what the key holds now, null if it is absent. `key`: which of the call's keys it is.
  virtual bool met(const keyspace::Entry* entry, std::size_t key) const = 0;
};

// A handler that found nothing asks for this (Call::wait).
struct WaitRequest {
  std::unique_ptr<const WaitCondition> condition;
  runtime::Nanos timeout = 0;              // 0: as long as it takes
  std::size_t keys_waited_for = SIZE_MAX;  // the first so many of its keys; the others it writes
  bool wants_end = false;                  // to be run again as well when a key goes
  void (*timed_out)(Call&) = nullptr;      // answers when its time is over; null: nothing came
};

class Waiter {
 public:
  // Where a thread that wants to end the wait finds it from now on. Called by the thread
  // that ran the call, under its tokens, before anyone may claim. False: the client is to go, and
  // must not be served any more. With a null waiter it only asks that.
  using OnReachable = bool (*)(void* owner, const std::shared_ptr<Waiter>& waiter);
  // Called at its home when it has begun to wait and was not served before that.
  using OnWaiting = void (*)(void* owner, const std::shared_ptr<Waiter>& waiter);

  // The thread that claims it owns the call, and must answer it. One of all that try succeeds. No
  // thread may touch a call that is not claimed.
  bool claim() {
    bool waiting = true;
    return waits_.compare_exchange_strong(waiting, false, std::memory_order_acq_rel,
                                          std::memory_order_relaxed);
  }
  bool is_claimed() const { return !waits_.load(std::memory_order_acquire); }
  // Monotonic; 0: none.
  runtime::Nanos deadline() const { return deadline_; }

 private:
  friend class Waiters;

  // Its place in the queue of one key; guarded by that shard's token. While it is there, it
  // keeps the waiter alive.
  struct Link : keyspace::WaitLink {
    std::shared_ptr<Waiter> owner;
    ShardId shard;
    std::uint32_t key = 0;  // which of the call's keys
  };
  std::span<Link> links() { return {links_.get(), link_count_}; }

  std::atomic<bool> waits_{true};
  Call* call_ = nullptr;  // the claimer's
  // Never changed once it is in a queue.
  Thread* home_ = nullptr;
  void* owner_ = nullptr;
  OnReachable on_reachable_ = nullptr;
  OnWaiting on_waiting_ = nullptr;
  runtime::Nanos deadline_ = 0;
  std::unique_ptr<const WaitCondition> condition_;
  void (*timed_out_)(Call&) = nullptr;
  std::unique_ptr<Link[]> links_;
  std::size_t link_count_ = 0;
  // The shards without which it cannot be served besides that of the key that is ready: those of
  // keys that it writes. Ascending, all of the call's; empty: none.
  base::ShardList needs_;
};

}  // namespace slotcar::shard
