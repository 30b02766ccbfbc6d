// Holds: opens and closes holds, so everything that belongs to one stretch of work under tokens:
// the proof (keyspace/hold.h), the epoch and the snapshot's cuts, the record in the log, what a
// reply waits for, and notifications. One per node, a part of the scheduler. No other makes a Hold.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/shared_bytes.h"
#include "keyspace/hold.h"
#include "shard/call.h"
#include "shard/event_sink.h"
#include "shard/hold_observer.h"
#include "shard/moving_keys.h"
#include "shard/record_observer.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "storage/log/log.h"

namespace slotcar::shard {

class Holds {
 public:
  Holds(ShardSet& shards, const ExecutionSettings& settings)
      : shards_(&shards), settings_(&settings), moving_keys_(shards) {}

  void set_reclaimer(base::Reclaimer& reclaimer) { reclaimer_ = &reclaimer; }
  void set_event_sink(EventSink& sink) { event_sink_ = &sink; }
  void set_record_observer(RecordObserver* observer) { record_observer_ = observer; }
  void set_hold_observer(HoldObserver* observer) { hold_observer_ = observer; }
  bool is_observed() const { return hold_observer_ != nullptr; }
  MovingKeys& moving_keys() { return moving_keys_; }

  // --- durability. Without a log nothing is recorded.
  void set_log(storage::Log* log) { log_.store(log, std::memory_order_release); }
  storage::Log* log() const { return log_.load(std::memory_order_acquire); }
  Epoch epoch() const { return Epoch{epoch_.load(std::memory_order_acquire)}; }
  // Before any call runs: the epoch that recovery has found.
  void set_epoch(Epoch epoch) { epoch_.store(epoch.value, std::memory_order_release); }
  // A snapshot begins: raises the epoch; from here on each shard is cut before a call touches it.
  Epoch begin_cuts();
  // No shard is cut any more (those that are stay so until the snapshot ends their cuts).
  void end_cuts() { cutting_.store(0, std::memory_order_release); }

  // --- opening. The list of shards must outlive the hold.
  // The tokens of these shards are held; none for work on what was pinned.
  keyspace::Hold open(Thread& thread, std::span<const ShardId> held);
  // Recovery, while no client is served: this thread is the only user of what it touches, anywhere.
  keyspace::Hold open_applying(Thread& thread);
  // A batch goes on with another of its calls, or a call has gained tokens.
  static void cover(keyspace::Hold& hold, std::span<const ShardId> held) { hold.shards_ = held; }
  // Before a shard is touched: reads what was left there to be read (shard/shard_reads.h), and cuts
  // it if a snapshot has begun since its last use.
  void enter(Thread& thread, Shard& shard, Epoch epoch) {
    if (shard.unread_parts != nullptr) [[unlikely]]
      read_left_parts(thread, shard);
    cut(shard, epoch);
  }
  // The shards that a call needs. True: waiters of some keys there have still to be served, or some
  // keys are on their way to another server.
  bool enter_all(Thread& thread, const Call& call, Epoch epoch);

  // --- closing, while the tokens are still held
  // Counts changes, hands the effects to the log, emits the notifications.
  void close(Thread& thread, keyspace::Hold& hold);
  // After the call's own record: until where the log must be durable before its reply may leave,
  // because the reply may have been read from there.
  void find_gate(Call& call, const keyspace::Hold& hold) const;
  // `replied`: what the output of the calls held at the beginning of the hold.
  void observe(Thread& thread, std::span<Call* const> ran, std::size_t replied) const;

 private:
  void cut(Shard& shard, Epoch epoch);
  void read_left_parts(Thread& thread, Shard& shard);
  void append_record(Thread& thread, keyspace::Hold& hold, storage::Log& log);

  ShardSet* shards_;
  const ExecutionSettings* settings_;
  base::Reclaimer* reclaimer_ = nullptr;
  EventSink* event_sink_ = nullptr;
  RecordObserver* record_observer_ = nullptr;
  HoldObserver* hold_observer_ = nullptr;
  MovingKeys moving_keys_;
  std::atomic<storage::Log*> log_{nullptr};
  std::atomic<std::uint64_t> epoch_{1};
  std::atomic<std::uint64_t> cutting_{0};  // the epoch whose snapshot cuts shards now
};

}  // namespace slotcar::shard
