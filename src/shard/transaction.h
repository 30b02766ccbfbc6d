// Transaction: what a connection has queued (MULTI) and seen (WATCH) for its EXEC.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "keyspace/watches.h"
#include "shard/call.h"

namespace slotcar::shard {

// Owned by the session; touched by the one call under way.
class Transaction {
 public:
  // --- WATCH
  void watch(Call& call, std::size_t key_index);  // under the key's token
  // Whether a watched key has changed. Under the tokens of all watched keys.
  bool broken(Call& call) const { return watches_ != nullptr && watches_->is_broken(call.now()); }
  // Likewise: removes the watches on the spot if they are few.
  void remove_few_watches(Call& call);
  // Null: none. Whoever takes them must have them removed (shard/watch_removals.h).
  std::unique_ptr<keyspace::WatchSet> take_watches() { return std::move(watches_); }
  const keyspace::WatchSet* watches() const { return watches_.get(); }

  // --- MULTI
  std::vector<std::unique_ptr<Call>>& queue() { return queue_; }

 private:
  std::unique_ptr<keyspace::WatchSet> watches_;
  std::vector<std::unique_ptr<Call>> queue_;
};

}  // namespace slotcar::shard
