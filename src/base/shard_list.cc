#include "base/shard_list.h"

namespace slotcar::base {

bool contains_shard_beyond_first(std::span<const ShardId> ascending, ShardId shard) {
  // In a list of all shards each shard's index is its own number.
  if (shard.value < ascending.size() && ascending[shard.value] == shard) return true;
  return std::binary_search(ascending.begin(), ascending.end(), shard);
}

}  // namespace slotcar::base
