#include "shard/moving_keys.h"

#include "base/assert.h"
#include "shard/call.h"
#include "shard/transaction.h"

namespace slotcar::shard {

using schema::Access;

MovingKeys::MovingKeys(ShardSet& shards) : shards_(&shards), by_shard_(shards.count()) {}

MovingKeys::~MovingKeys() = default;

void MovingKeys::add(const Call& mover, std::size_t i) {
  const LocatedKey& located = mover.located(i);
  std::unique_ptr<Movers>& movers = by_shard_[located.shard.value];
  if (movers == nullptr) {
    movers = std::make_unique<Movers>();
    ++(*shards_)[located.shard].pending_handoffs;
  }
  const auto [at, added] = movers->emplace(located.key.hash, &mover);
  ASSERT(added || at->second == &mover);  // another one would have held this call up
}

void MovingKeys::remove_all(Thread& thread, const Call& mover) {
  for (const LocatedKey& located : mover.keys()) {
    std::unique_ptr<Movers>& movers = by_shard_[located.shard.value];
    if (movers == nullptr) continue;
    const auto at = movers->find(located.key.hash);
    if (at == movers->end() || at->second != &mover) continue;
    movers->erase(at);
    Shard& shard = (*shards_)[located.shard];
    if (movers->empty()) {
      movers.reset();
      --shard.pending_handoffs;
    }
    while (Call* deferred = shard.deferred_calls.pop()) thread.ready.push(*deferred);
  }
}

bool MovingKeys::moves_for_other(const Call& holder, const Call& named) const {
  if (!has(named.declaration().access, Access::write)) return false;
  for (const LocatedKey& located : named.keys()) {
    const Movers* movers = by_shard_[located.shard.value].get();
    if (movers == nullptr) continue;
    const auto at = movers->find(located.key.hash);
    if (at != movers->end() && at->second != &holder) return true;
  }
  return false;
}

Shard* MovingKeys::find_obstacle(const Call& call) const {
  if (call.command().kind == schema::Registered::Kind::internal) return nullptr;
  const schema::Command& command = call.declaration();
  Shard* first = nullptr;
  for (const ShardId id : call.needs()) {
    if (by_shard_[id.value] == nullptr) continue;
    first = &(*shards_)[id];
    break;
  }
  if (first == nullptr) return nullptr;
  if (command.runs_script) return first;
  bool waits = moves_for_other(call, call);
  const Transaction* transaction = command.runs_transaction ? call.transaction() : nullptr;
  if (transaction != nullptr && !transaction->has_begun()) {
    for (std::size_t i = 0; !waits && i < transaction->queued(); ++i) {
      const Call& queued = transaction->queued(i);
      waits = queued.declaration().runs_script || moves_for_other(call, queued);
    }
  }
  // Any shard of its own with moving keys will do: it is run again when that one has fewer.
  return waits ? first : nullptr;
}

}  // namespace slotcar::shard
