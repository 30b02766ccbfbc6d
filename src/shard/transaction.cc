// What WATCH saw, and whether it still holds.
#include "shard/transaction.h"

namespace slotcar::shard {

void Transaction::watch(Call& call, std::size_t key_index) {
  const keyspace::Key& key = call.key(key_index);
  for (const Watched& watched : watched_) {
    if (watched.db == call.db() && watched.name == key.name) return;
  }
  if (!flag_) flag_ = std::make_shared<keyspace::WatchFlag>();
  // Looking removes a key that is over its time, so what is not there now is simply absent.
  const bool present = call.peek(key_index) != nullptr;
  watched_.push_back({call.db(), std::string(key.name), key.hash, key.slot, present});
  call.space(key_index).watch(call.db(), key, flag_);
}

bool Transaction::broken(Call& call) {
  if (watched_.empty()) return false;
  // A watched key that has come to its end but was not yet removed counts as changed: looking at it
  // removes it, which marks the flag.
  for (const Watched& watched : watched_) {
    if (!watched.present) continue;
    keyspace::Keyspace& keys = call.shards()[call.shards().shard_of(watched.slot)].keys();
    keys.peek(call.hold(), watched.db, watched.key());
  }
  return flag_->dirty.load(std::memory_order_acquire);
}

void Transaction::forget_watches() {
  flag_.reset();
  watched_.clear();
}

}  // namespace slotcar::shard
