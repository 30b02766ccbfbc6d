#include "shard/prefetch.h"

#include <array>

#include "types/approach.h"

namespace slotcar::shard {

namespace {

// A key whose entry is on its way to the cache, and in whose value something will be looked for.
struct Sought {
  const keyspace::Entry* entry;
  const Call* call;
  std::size_t element;
};
constexpr std::size_t kSoughtMax = 32;

// In big collections the way goes on: all of them take their steps in turns.
void fetch_elements(std::span<const Sought> sought) {
  struct Ahead {
    const types::TreeObject* object = nullptr;
    types::Approach approach = {};
  };
  std::array<Ahead, kSoughtMax> ahead;
  std::size_t under_way = 0;
  for (const Sought& one : sought) {
    if (one.entry->is_string()) continue;
    const types::TreeObject* object = one.entry->cell().tree;
    if (object == nullptr) continue;
    types::fetch_lines(object, 1);
    ahead[under_way].object = object;
    ahead[under_way++].approach.element = one.call->arg(one.element);
  }
  while (under_way > 0) {
    for (std::size_t i = 0; i < under_way;) {
      if (ahead[i].object->fetch_ahead(ahead[i].approach)) {
        ++i;
      } else {
        ahead[i] = ahead[--under_way];
      }
    }
  }
}

}  // namespace

// All cache lines of a batch are asked for before the first is needed: the misses overlap.
void prefetch(ShardSet& shards, std::span<Call* const> calls) {
  for (Call* call : calls) {
    for (const LocatedKey& key : call->keys()) {
      shards[key.shard].keys().prefetch_bucket(call->db(), key.key);
    }
  }
  std::array<Sought, kSoughtMax> sought;
  std::size_t found = 0;
  for (Call* call : calls) {
    const std::size_t element = call->declaration().element;
    const bool goes_on = element != 0 && element < call->size();
    for (const LocatedKey& key : call->keys()) {
      const auto* entry = shards[key.shard].keys().prefetch_entry(call->db(), key.key);
      if (!goes_on || entry == nullptr || found == kSoughtMax) continue;
      sought[found++] = {entry, call, element};
    }
  }
  if (found > 0) fetch_elements(std::span(sought).first(found));
}

}  // namespace slotcar::shard
