#include "node/evictor.h"

#include <optional>
#include <utility>

#include "base/limits.h"
#include "node/node.h"
#include "node/process_facts.h"
#include "schema/slot.h"

namespace slotcar::node {

using keyspace::EvictionPolicy;
using keyspace::Keyspace;
using schema::WalkStep;
using shard::Call;

namespace {

// Shards sampled for one victim. Keys are spread evenly, so the best of a few shards is nearly the
// best of all.
constexpr int kShardsSampled = 8;

}  // namespace

Evictor::Evictor(Node& node, Settings& settings)
    : node_(node),
      settings_(settings),
      command_("(evict)", schema::on_walk(&Evictor::start_visit, &Evictor::visit_shard)),
      machine_bytes_(static_cast<std::size_t>(system_memory_bytes())),
      visits_(limits::kWorkersMax) {}

Evictor::~Evictor() = default;

bool Evictor::over() const {
  return node_.memory_for_eviction() > settings_.maxmemory.get();
}

// A removal is a write: none while writes cannot be recorded.
bool Evictor::may_evict() const {
  const storage::Log* log = node_.scheduler().log();
  return log == nullptr || log->admits();
}

// As in Redis: half a millisecond at the default tenacity, then the command runs and the next one
// evicts further, so that a sudden cut of the limit delays no client for long.
runtime::Nanos Evictor::budget() const {
  const int tenacity = settings_.maxmemory_eviction_tenacity.get();
  return tenacity >= 100 ? INT64_MAX / 2 : tenacity * 50'000;
}

session::MemoryGate::Room Evictor::make_room(shard::Thread& thread) {
  const auto policy = settings_.execution.keyspace.policy.get();
  if (!over()) return Room::there;
  if (node_.durability().loading()) return Room::none;  // loading threads do not take tokens
  if (policy == EvictionPolicy::noeviction) return Room::none;
  if (!may_evict()) return node_.scheduler().log()->failing() ? Room::none : Room::there;
  const runtime::Nanos begin = thread.clock->monotonic();
  while (over() && may_evict()) {
    switch (evict_one(thread, policy)) {
      case Evicted::one:
        break;
      case Evicted::none:
        return Room::none;
      case Evicted::busy:
        return Room::busy;
    }
    if (thread.clock->monotonic() - begin > budget()) return Room::there;
  }
  return Room::there;
}

std::int64_t Evictor::client_memory_max() const {
  const std::int64_t max = settings_.session.client_memory_max.get();
  if (max >= 0) return max;
  // Without maxmemory a percentage of it is no bound.
  return settings_.maxmemory.get() / 100 * -max;
}

std::size_t Evictor::reply_bytes_max() const {
  const std::int64_t limit = settings_.maxmemory.get();
  if (limit > 0) return static_cast<std::size_t>(limit);
  return machine_bytes_ / limits::kReplyPartOfMachine;
}

Evictor::Evicted Evictor::evict_one(shard::Thread& thread, EvictionPolicy policy) {
  shard::Scheduler& scheduler = node_.scheduler();
  shard::ShardSet& shards = node_.shards();
  const int samples = settings_.maxmemory_samples.get();
  const std::uint32_t count = shards.count();
  const std::uint32_t first = static_cast<std::uint32_t>(thread.random.below(count));
  std::optional<Keyspace::Victim> best;
  ShardId best_shard;
  int looked = 0;
  bool passed_over = false;
  for (std::uint32_t i = 0; i < count && looked < kShardsSampled; ++i) {
    shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>((first + i * 61) % count)}];
    if (!shard.used()) continue;
    if (!scheduler.try_take(shard)) {
      passed_over = true;
      continue;
    }
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
  if (!best) return passed_over ? Evicted::busy : Evicted::none;
  shard::Shard& shard = shards[best_shard];
  if (!scheduler.try_take(shard)) return Evicted::busy;
  keyspace::Hold hold = scheduler.make_hold(thread, shard);
  const keyspace::Key key{best->key, base::hash_bytes(best->key, shards.shape().seed),
                          schema::slot_of(best->key)};
  shard.keys().evict(hold, best->db, key);
  scheduler.close_hold(thread, hold);
  scheduler.give_back(thread, shard);
  return Evicted::one;
}

// --- waiting for tokens ------------------------------------------------------------------------

// Visits the shards in turn, and ends when there is room, or after a round that found nothing.
struct Evictor::Visit {
  explicit Visit(Evictor& e) : evictor(&e) {}

  Evictor* evictor;
  Call call;
  std::uint32_t vain = 0;  // shards since the last one with a victim
  runtime::Nanos begun = 0;
  bool under_way = false;
  std::vector<std::function<void()>> waiting;
};

void Evictor::make_room_later(session::Worker& worker, std::function<void()> made) {
  auto& visit = visits_[worker.id().value];
  if (!visit) visit = std::make_unique<Visit>(*this);
  visit->waiting.push_back(std::move(made));
  if (visit->under_way) return;
  visit->under_way = true;
  visit->vain = 0;
  visit->begun = worker.thread().clock->monotonic();
  Call& call = visit->call;
  call.reset();
  call.set_command(command_.registered());
  call.set_home(worker.thread(), &Evictor::visit_finished, visit.get());
  if (node_.scheduler().start(worker.thread(), call)) visit_finished(call);
}

WalkStep Evictor::start_visit(Call& call) {
  Visit& visit = *static_cast<Visit*>(call.owner());
  const std::uint32_t count = call.shards().count();
  return go_to_shard(visit, static_cast<std::uint32_t>(call.random().below(count)));
}

WalkStep Evictor::go_to_shard(Visit& visit, std::uint32_t from) {
  shard::ShardSet& shards = visit.evictor->node_.shards();
  for (; visit.vain < shards.count(); ++visit.vain, ++from) {
    const ShardId id{static_cast<std::uint16_t>(from % shards.count())};
    if (shards[id].used()) return WalkStep::go(id.value);
  }
  return WalkStep::done();
}

WalkStep Evictor::visit_shard(Call& call, shard::Shard& shard) {
  Visit& visit = *static_cast<Visit*>(call.owner());
  Evictor& self = *visit.evictor;
  const auto policy = self.settings_.execution.keyspace.policy.get();
  const int samples = self.settings_.maxmemory_samples.get();
  ++visit.vain;
  for (int i = 0; i < limits::kEvictedPerHold; ++i) {
    if (!self.over() || !self.may_evict()) return WalkStep::done();
    const auto victim = shard.keys().sample_victim(call.hold(), policy, samples);
    if (!victim) break;
    shard.keys().evict(call.hold(), victim->db, call.make_key(victim->key));
    visit.vain = 0;
  }
  const bool spent = call.thread().clock->monotonic() - visit.begun > self.budget();
  if (spent && visit.vain == 0) return WalkStep::done();
  return go_to_shard(visit, shard.id().value + 1u);
}

void Evictor::visit_finished(Call& call) {
  Visit& visit = *static_cast<Visit*>(call.owner());
  visit.under_way = false;
  // Each of them may need room again.
  const auto waiting = std::exchange(visit.waiting, {});
  for (const auto& made : waiting) made();
}

}  // namespace slotcar::node
