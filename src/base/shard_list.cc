#include "base/shard_list.h"

namespace slotcar::base {

bool contains_shard_beyond_first(std::span<const ShardId> ascending, ShardId shard) {
  // In a list of all shards each stands at its own place.
  if (shard.value < ascending.size() && ascending[shard.value] == shard) return true;
  return std::binary_search(ascending.begin(), ascending.end(), shard);
}

}  // namespace slotcar::base
