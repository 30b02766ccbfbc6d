// Transaction: what a connection has queued (MULTI) and seen (WATCH) for its EXEC.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "keyspace/watch/watches.h"
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
  // Null: none. The caller must have them removed (shard/watch_removals.h).
  std::unique_ptr<keyspace::WatchSet> take_watches() { return std::move(watches_); }
  const keyspace::WatchSet* watches() const { return watches_.get(); }

  // --- MULTI
  void queue(std::unique_ptr<Call> call);
  std::size_t queued() const { return queue_.size(); }
  const Call& queued(std::size_t i) const { return *queue_[i]; }
  // About how much its commands ask for, as far as their arguments show.
  std::size_t size() const { return size_; }
  // The shards of all that is queued, ascending; empty with `needs_every_shard`.
  base::ShardList needs() const;
  bool needs_every_shard() const { return needs_every_shard_; }
  // Nothing is queued any more; the caller frees what was.
  std::vector<std::unique_ptr<Call>> take_queue();

  // --- EXEC, under its tokens
  bool has_begun() const { return has_begun_; }
  void begin() { has_begun_ = true; }
  // Runs the queued commands that are left, and answers. It ends early before a command that
  // has to run on another thread: one of the connection at home, a long one on a slow thread. The
  // scheduler then brings `exec` there with its tokens, and its handler is called again.
  void run_queue(Call& exec);

 private:
  enum class Next { run_here, move_to_slow_thread, move_home };
  Next next_step(Call& exec, const Call& next, std::size_t size, std::size_t done) const;

  std::unique_ptr<keyspace::WatchSet> watches_;
  std::vector<std::unique_ptr<Call>> queue_;
  std::vector<bool> needed_;  // by shard
  std::size_t size_ = 0;
  std::size_t next_ = 0;  // the first of the queue that has not ended
  bool needs_every_shard_ = false;
  bool has_begun_ = false;
};

// The size of an EXEC.
std::size_t transaction_size(const Call& exec);

}  // namespace slotcar::shard
