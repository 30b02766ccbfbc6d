// MovingKeys: the keys whose values are on their way to another server (MIGRATE). From the moment
// at which their values were pinned until they are removed here, or stay after all, calls that
// might change one of them wait; reads go on.
//
// Redis lets every client wait while it moves keys. Here only those wait that would change what was
// sent already: the target would miss the change, and the removal of the key would lose it. A call
// that waits holds no token and is in the list of deferred calls of the shard, as one that came for
// what waiters are due (shard/waiters.h); the end of the move runs it again. How long that takes is
// bounded by the timeout of MIGRATE.
//
// What is held up: a call that writes and names a moving key, an EXEC with such a call in its
// queue, and a script as soon as it wants any key of the shard, because it may write what it did
// not name. What is not: the server's own removals (expiry, eviction), commands on all keys
// (FLUSHALL, SWAPDB) and a blocked client that is served in the call of another (BLMOVE's
// destination). So the mover still looks whether a value is the one that it sent
// (commands/generic/migration.h).
//
// The table of a shard is touched under its token only. A shard with moving keys has its
// `pending_handoffs` raised by one, so other shards pay nothing, and a call that finds it raised
// looks here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "shard/shard.h"
#include "shard/thread.h"

namespace slotcar::shard {

class Call;

class MovingKeys {
 public:
  explicit MovingKeys(ShardSet& shards);
  ~MovingKeys();

  // Under the token of the i-th key of the call that moves it.
  void add(const Call& mover, std::size_t i);
  // Under the tokens of all its keys: none of them moves any more. Deferred calls of their shards
  // run again when this hold has ended.
  void remove_all(Thread& thread, const Call& mover);

  // Under the tokens of a call that is about to run. Null: it may. Else it has to wait for a key of
  // that shard.
  Shard* find_obstacle(const Call& call) const;

 private:
  // By the hash of the key's name. Other keys with the same hash wait needlessly, and so does the
  // same name in another database.
  using Movers = std::unordered_map<std::uint64_t, const Call*>;

  bool moves_for_other(const Call& holder, const Call& named) const;

  ShardSet* shards_;
  std::vector<std::unique_ptr<Movers>> by_shard_;  // null: none moves
};

}  // namespace slotcar::shard
