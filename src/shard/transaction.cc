// What WATCH saw.
#include "shard/transaction.h"

#include "base/limits.h"

namespace slotcar::shard {

void Transaction::watch(Call& call, std::size_t key_index) {
  if (!watches_) watches_ = std::make_unique<keyspace::WatchSet>();
  const LocatedKey& located = call.located(key_index);
  // Looking removes a key that is over its time, so what is not there now is simply absent.
  const keyspace::Entry* entry = call.peek(key_index);
  watches_->add(call.space(key_index).watched(), call.hold(), located.shard, call.db(), located.key,
                entry);
}

void Transaction::remove_few_watches(Call& call) {
  if (!watches_ || watches_->size() > limits::kWatchesRemovedAtOnce) return;
  while (watches_->size() > 0) {
    const ShardId shard = watches_->first_shard();
    watches_->remove_some(call.shards()[shard].keys().watched(), *call.hold().counters, shard,
                          limits::kWatchesRemovedAtOnce);
  }
  watches_.reset();
}

}  // namespace slotcar::shard
