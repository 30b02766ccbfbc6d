// Transaction: what a connection has queued (MULTI) and seen (WATCH) for its EXEC.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "keyspace/interest.h"
#include "keyspace/key.h"
#include "shard/call.h"

namespace slotcar::shard {

// Owned by the session; touched by the one call under way.
class Transaction {
 public:
  // --- WATCH
  struct Watched {
    DbIndex db;
    std::string name;
    std::uint64_t hash;
    Slot slot;
    bool present;  // alive when it was watched: only such a key can have come to its end since
    keyspace::Key key() const { return {name, hash, slot}; }
  };
  void watch(Call& call, std::size_t key_index);  // under the key's token
  // Whether a watched key has changed. Under the tokens of all watched keys.
  bool broken(Call& call);
  void forget_watches();  // needs no token: the shards drop flags that nobody else knows
  const std::vector<Watched>& watched() const { return watched_; }

  // --- MULTI
  std::vector<std::unique_ptr<Call>>& queue() { return queue_; }

 private:
  std::shared_ptr<keyspace::WatchFlag> flag_;
  std::vector<Watched> watched_;
  std::vector<std::unique_ptr<Call>> queue_;
};

}  // namespace slotcar::shard
