// The keys of a call one after the other, for commands that do the same with each.
#pragma once

#include <cstddef>

#include "commands/declare.h"

namespace slotcar::commands {

// Calls visit(i) for each key. With very many keys most of the time is spent waiting for memory,
// while all their tokens are held, so it is prefetched some keys ahead. (A few keys were prefetched
// by their batch.)
template <class Visit>
void for_each_key(Call& call, const Visit& visit) {
  constexpr std::size_t kBucketsAhead = 24;
  constexpr std::size_t kEntriesAhead = 12;
  const std::size_t count = call.key_count();
  const bool fetches = shard::is_large_size(count);
  for (std::size_t i = 0; fetches && i < kBucketsAhead; ++i) {
    call.space(i).prefetch_bucket(call.db(), call.key(i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (fetches && i + kBucketsAhead < count) {
      call.space(i + kBucketsAhead).prefetch_bucket(call.db(), call.key(i + kBucketsAhead));
    }
    if (fetches && i + kEntriesAhead < count) {
      call.space(i + kEntriesAhead).prefetch_entry(call.db(), call.key(i + kEntriesAhead));
    }
    visit(i);
  }
}

}  // namespace slotcar::commands
