// Asks for the cache lines that a batch of calls will need, under its tokens.
#pragma once

#include <span>

#include "shard/call.h"
#include "shard/shard.h"

namespace slotcar::shard {

void prefetch(ShardSet& shards, std::span<Call* const> calls);

}  // namespace slotcar::shard
