// WatchRemovals: what a client watched and watches no more is removed from the shards. EXEC holds
// the tokens of all watched keys and removes a few itself; this class does the rest: UNWATCH,
// DISCARD, RESET, the end of a connection, an EXEC that was refused or had watched many keys.
//
// Few watches whose tokens are free go on the spot. Otherwise an internal call takes the shards one
// after the other, a bounded number of watches in each hold and one hold in each turn of the
// worker. The set belongs to that call and is freed at its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "keyspace/watch/watches.h"
#include "schema/internal_command.h"
#include "shard/shard.h"

namespace slotcar::shard {

class Call;
class Scheduler;
struct Thread;

class WatchRemovals {
 public:
  WatchRemovals(Scheduler& scheduler, ShardSet& shards);
  ~WatchRemovals();

  // On a worker's own thread. The set may be null.
  void take(Thread& home, std::unique_ptr<keyspace::WatchSet> set);
  // Any thread: about what those still to be removed take.
  std::int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Removal;
  bool remove_where_free(Thread& thread, keyspace::WatchSet& set);
  void go_on(Removal& removal);
  static void remove_slice(Call& call);
  static void slice_ended(Call& call);

  Scheduler* scheduler_;
  ShardSet* shards_;
  schema::InternalCommand command_;
  std::atomic<std::int64_t> bytes_{0};
  // Under way, so that those which the end of the node cuts short are freed.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Removal>> removals_;
};

}  // namespace slotcar::shard
