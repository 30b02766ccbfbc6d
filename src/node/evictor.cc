#include "node/evictor.h"

#include <optional>

#include "node/node.h"
#include "schema/slot.h"

namespace slotcar::node {

using keyspace::EvictionPolicy;
using keyspace::Keyspace;

namespace {

// Shards looked at for one victim. Keys are spread evenly, so a few shards' best is nearly the
// best of all.
constexpr int kShardsSampled = 8;

}  // namespace

bool Evictor::make_room(shard::Thread& thread) {
  const auto policy = settings_.execution.keyspace.policy.load(std::memory_order_relaxed);
  const std::int64_t limit = settings_.maxmemory.load(std::memory_order_relaxed);
  if (node_.used_memory() <= limit) return true;
  if (node_.durability().loading()) return false;  // those who load do not take tokens
  if (policy == EvictionPolicy::noeviction) return false;
  // A removal is a write: none while nothing can be recorded.
  const storage::Log* log = node_.scheduler().log();
  if (log != nullptr && !log->admits()) return !log->failing();
  // As Redis: at the default tenacity half a millisecond, then the command goes on and the next
  // one evicts further, so that a sudden cut of the limit stops nobody for long.
  const int tenacity = settings_.maxmemory_eviction_tenacity.load(std::memory_order_relaxed);
  const runtime::Nanos budget = tenacity >= 100 ? INT64_MAX / 2 : tenacity * 50'000;
  const runtime::Nanos begin = thread.clock->monotonic();
  while (node_.used_memory() > limit) {
    if (!evict_one(thread, policy)) return false;
    if (thread.clock->monotonic() - begin > budget) return true;
  }
  return true;
}

std::int64_t Evictor::client_memory_max() const {
  const std::int64_t max = settings_.session.client_memory_max.load(std::memory_order_relaxed);
  if (max >= 0) return max;
  // A part of a maxmemory that is not set is no bound.
  return settings_.maxmemory.load(std::memory_order_relaxed) / 100 * -max;
}

bool Evictor::evict_one(shard::Thread& thread, EvictionPolicy policy) {
  shard::Scheduler& scheduler = node_.scheduler();
  shard::ShardSet& shards = node_.shards();
  const int samples = settings_.maxmemory_samples.load(std::memory_order_relaxed);
  const std::uint32_t count = shards.count();
  const std::uint32_t first = static_cast<std::uint32_t>(thread.random.below(count));
  std::optional<Keyspace::Victim> best;
  ShardId best_shard;
  int looked = 0;
  for (std::uint32_t i = 0; i < count && looked < kShardsSampled; ++i) {
    shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>((first + i * 61) % count)}];
    if (!shard.used() || !scheduler.try_take(shard)) continue;
    keyspace::Hold hold = scheduler.make_hold(thread, shard);
    hold.random = thread.random.next();
    auto victim = shard.keys().sample_victim(hold, policy, samples);
    scheduler.give_back(thread, shard);
    if (!victim) continue;
    ++looked;
    if (!best || victim->score > best->score) {
      best = std::move(victim);
      best_shard = shard.id();
    }
  }
  if (!best) return false;
  shard::Shard& shard = shards[best_shard];
  if (!scheduler.try_take(shard)) return true;  // somebody is there; the next round finds another
  keyspace::Hold hold = scheduler.make_hold(thread, shard);
  const keyspace::Key key{best->key, base::hash_bytes(best->key, shards.shape().seed),
                          schema::slot_of(best->key)};
  shard.keys().evict(hold, best->db, key);
  scheduler.serve_waiters(thread, hold, {&best_shard, 1});
  scheduler.close_hold(thread, hold);
  scheduler.give_back(thread, shard);
  return true;
}

}  // namespace slotcar::node
