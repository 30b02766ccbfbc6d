// FLUSHALL [ASYNC | SYNC]
// FLUSHDB [ASYNC | SYNC]
//
// Under all tokens every shard swaps its tables for empty ones, which takes the same time whatever
// was in them; the effect is one record. Freeing comes afterwards, on the slow lane. With SYNC the
// reply waits for it, except in a transaction.
#include "base/ascii.h"
#include "base/limits.h"
#include "commands/counted_as.h"
#include "commands/declare.h"
#include "shard/scheduler.h"

namespace slotcar::commands {
namespace {

struct Emptied : shard::CallState {
  std::vector<std::shared_ptr<keyspace::Contents>> contents;
  std::int64_t keys = 0;
};

// The contents of many shards, freed one shard after the other.
struct Flushed final : base::Garbage {
  Flushed(Emptied& emptied, bool lazily, base::Reclaimer* r)
      : Garbage(lazily ? emptied.keys : 0), contents(std::move(emptied.contents)), reclaimer(r) {}
  bool free_some() override {
    if (contents.empty()) return true;
    // A running snapshot may still read them; then the last reference frees them.
    const bool alone = contents.back().use_count() == 1;
    // Incremented and decremented once: that synchronizes with the other owners' changes.
    std::shared_ptr<keyspace::Contents>(contents.back()).reset();
    if (!alone || contents.back()->free_some(limits::kFreedKeysPerSlice, reclaimer)) {
      contents.pop_back();
    }
    if (contents.empty() && parked != nullptr) parked->schedule().scheduler->finish_parked(*parked);
    return contents.empty();
  }
  std::vector<std::shared_ptr<keyspace::Contents>> contents;
  base::Reclaimer* reclaimer;
  Call* parked = nullptr;  // whose reply waits for the end
};

// Nothing: a syntax error, which was sent.
std::optional<bool> read_lazily(Call& call) {
  if (call.size() == 1) return call.settings().lazyfree_user_flush.get();
  if (call.size() == 2 && base::equals_ignoring_case(call.arg(1), "ASYNC")) return true;
  if (call.size() == 2 && base::equals_ignoring_case(call.arg(1), "SYNC")) return false;
  call.reply().error(schema::kSyntaxError);
  return std::nullopt;
}

void empty(Call& call, DbIndex db, Emptied& emptied) {
  shard::ShardSet& shards = call.shards();
  for (std::uint32_t i = 0; i < shards.count(); ++i) {
    shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>(i)}];
    if (!shard.used()) continue;
    keyspace::Keyspace::Garbage garbage = shard.keys().flush(call.hold(), db);
    emptied.keys += static_cast<std::int64_t>(garbage.keys);
    if (garbage.contents) emptied.contents.push_back(std::move(garbage.contents));
  }
}

// One effect, which counts as many changes as there were keys.
void record(Call& call, std::optional<DbIndex> db) {
  const auto keys = static_cast<std::size_t>(call.state<Emptied>().keys);
  const CountedAs each(call, keys);
  keyspace::record_flush(call.hold(), db);
}

void finish(Call& call, bool lazily) {
  call.reply().ok();
  Emptied& emptied = call.state<Emptied>();
  if (emptied.contents.empty()) return;
  base::Reclaimer* reclaimer = call.hold().reclaimer;
  auto flushed = std::make_unique<Flushed>(emptied, lazily, reclaimer);
  if (reclaimer == nullptr) return;  // a log is applied where nobody waits; it is freed here
  if (!lazily && !call.in_transaction()) flushed->parked = &call.park();
  reclaimer->free_later(std::move(flushed));
}

void flushall(Call& call) {
  const auto lazily = read_lazily(call);
  if (!lazily) return;
  for (std::uint32_t i = 0; i < call.shards().shape().databases; ++i) {
    empty(call, DbIndex{static_cast<std::uint16_t>(i)}, call.state<Emptied>());
  }
  record(call, std::nullopt);
  finish(call, *lazily);
}

void flushdb(Call& call) {
  const auto lazily = read_lazily(call);
  if (!lazily) return;
  empty(call, call.db(), call.state<Emptied>());
  record(call, call.db());
  finish(call, *lazily);
}

}  // namespace

extern constinit const Command server_flushall{
    .name = "FLUSHALL",
    .summary = "Removes all keys of all databases.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys, all but a fixed part of it in the background.",
    .syntax = "[async=<ASYNC@4.0.0 | SYNC@6.2.0>]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::write,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = schema::on_all_shards(flushall)};

extern constinit const Command server_flushdb{
    .name = "FLUSHDB",
    .summary = "Removes all keys of the database.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys, all but a fixed part of it in the background.",
    .syntax = "[async=<ASYNC@4.0.0 | SYNC@6.2.0>]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::write,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = schema::on_all_shards(flushdb)};

}  // namespace slotcar::commands
