// RANDOMKEY
#include <optional>

#include "commands/declare.h"
#include "runtime/random.h"

namespace slotcar::commands {
namespace {

// Most keys may have expired, and during CLIENT PAUSE they are not even removed. After this many of
// them the next name is returned, expired or not, as in Redis.
constexpr int kTriesMax = 100;

struct Tries final : shard::CallState {
  int left = kTriesMax;
};

// One shard in a single pass over the counters, each with the probability of its share of the keys.
std::optional<ShardId> random_shard(Call& call) {
  std::optional<ShardId> chosen;
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < call.shards().count(); ++i) {
    const ShardId id{static_cast<std::uint16_t>(i)};
    const keyspace::Keyspace* numbers = call.shards()[id].numbers();
    const std::int64_t keys = numbers ? numbers->keys(call.db()) : 0;
    if (keys <= 0) continue;
    total += static_cast<std::uint64_t>(keys);
    if (call.random().below(total) < static_cast<std::uint64_t>(keys)) chosen = id;
  }
  return chosen;
}

WalkStep try_a_shard(Call& call) {
  const auto shard = random_shard(call);
  int& left = call.state<Tries>().left;
  // (The counters may be out of date: a shard that is found empty costs a try, too.)
  if (shard && left-- > 0) return WalkStep::go(shard->value);
  call.reply().null();
  return WalkStep::done();
}

WalkStep randomkey_visit(Call& call, shard::Shard& shard) {
  const Entry* entry = shard.keys().random_key(call.hold(), call.db(), call.state<Tries>().left);
  if (entry == nullptr) return try_a_shard(call);
  call.reply().bulk(entry->key());
  return WalkStep::done();
}

}  // namespace

extern constinit const Command generic_randomkey{
    .name = "RANDOMKEY",
    .summary = "Answers the name of some key of the database, each with equal chance.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "",
    .group = Group::generic,
    .arity = exactly(1),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_walk(try_a_shard, randomkey_visit),
};

}  // namespace slotcar::commands
