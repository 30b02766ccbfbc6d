#include "shard/shard.h"

namespace slotcar::shard {

void Shard::make_keys() {
  keys_ = std::make_unique<keyspace::Keyspace>(*shape_, id_, *next_due_);
  published_.store(keys_.get(), std::memory_order_release);
}

ShardSet::ShardSet(const keyspace::KeyspaceShape& shape)
    : shape_(shape),
      all_(base::ShardList::all(shape.shards)),
      next_due_(shape.shards),
      shards_(shape.shards) {
  for (std::uint32_t i = 0; i < shape.shards; ++i) {
    next_due_[i].store(kNever, std::memory_order_relaxed);
    shards_[i].id_ = ShardId{static_cast<std::uint16_t>(i)};
    shards_[i].shape_ = &shape_;
    shards_[i].next_due_ = &next_due_[i];
  }
}

std::int64_t ShardSet::keys(DbIndex db) const {
  std::int64_t sum = 0;
  for (const Shard& shard : shards_) {
    if (const auto* numbers = shard.numbers()) sum += numbers->keys(db);
  }
  return sum;
}

std::int64_t ShardSet::keys_with_expiry(DbIndex db) const {
  std::int64_t sum = 0;
  for (const Shard& shard : shards_) {
    if (const auto* numbers = shard.numbers()) sum += numbers->keys_with_expiry(db);
  }
  return sum;
}

}  // namespace slotcar::shard
