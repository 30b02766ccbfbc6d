// Multi: whether MULTI is open on a connection, what it has queued for EXEC, and what it watches.
// The queue and the watches themselves are a shard::Transaction (shard/transaction.h), made on
// first use. A part of its session; the call under way may touch the transaction.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "router/refusals.h"
#include "shard/call.h"
#include "shard/transaction.h"

namespace slotcar::session {

class Multi {
 public:
  bool is_open() const { return open_; }
  // A command since MULTI was refused: EXEC will not run.
  bool is_spoilt() const { return spoilt_; }

  void open() {
    open_ = true;
    spoilt_ = false;
  }
  void spoil() { spoilt_ = open_; }
  // Keeps a copy of the call until EXEC. `stopped_by`: all that would ever stop the command.
  // Returns about what the copy takes.
  std::size_t queue(shard::Call& call, router::Reasons stopped_by);
  // After EXEC, DISCARD or RESET: nothing is queued, and the caller frees what was. The watches are
  // to be taken, too.
  std::vector<std::unique_ptr<shard::Call>> close();
  // Null: none. The caller must have them removed (shard/watch_removals.h).
  std::unique_ptr<keyspace::WatchSet> take_watches() {
    return transaction_ ? transaction_->take_watches() : nullptr;
  }

  // Null: nothing was ever queued or watched.
  const shard::Transaction* find_transaction() const { return transaction_.get(); }
  // For the call that works on it (EXEC, WATCH).
  shard::Transaction& transaction();
  // What EXEC needs: the shards of all that is queued and watched.
  void prepare(shard::Call& exec, const shard::ShardSet& shards) const;

  std::size_t queued() const { return transaction_ ? transaction_->queued() : 0; }
  std::size_t watched() const { return watches() != nullptr ? watches()->size() : 0; }
  std::size_t watched_bytes() const { return watches() != nullptr ? watches()->bytes() : 0; }
  const shard::Call& queued(std::size_t i) const { return transaction_->queued(i); }
  // What stops any of the queued commands, and so EXEC.
  router::Reasons stopped_by() const { return stopped_by_; }

 private:
  const keyspace::WatchSet* watches() const {
    return transaction_ ? transaction_->watches() : nullptr;
  }

  std::unique_ptr<shard::Transaction> transaction_;
  router::Reasons stopped_by_;
  bool open_ = false;
  bool spoilt_ = false;
};

}  // namespace slotcar::session
