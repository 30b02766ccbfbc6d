// KEYS pattern
//
// A walk: it visits one shard after the other for a bounded slice, so no client waits for it. Every
// key that exists from beginning to end is found; keys that are added or removed meanwhile may or
// may not be.
#include <string_view>

#include "base/glob.h"
#include "commands/declare.h"
#include "commands/generic/shard_order.h"
#include "runtime/output.h"

namespace slotcar::commands {
namespace {

// The names found so far, already encoded; their number is known only at the end.
struct Found final : shard::CallState {
  WalkPlace place;
  runtime::Output names;
  std::size_t count = 0;
};

WalkStep answer(Call& call, Found& found) {
  call.reply().array(found.count);
  call.reply().output().splice(std::move(found.names));
  return WalkStep::done();
}

WalkStep go_to_shard(Call& call, Found& found, std::uint32_t from) {
  const auto shard = shard_with_keys(call.shards(), call.db(), from);
  if (!shard) return answer(call, found);
  found.place = beginning_of(*shard);
  return WalkStep::go(shard->value);
}

WalkStep keys_start(Call& call) {
  auto& found = call.state<Found>();
  found.names.set_guard(call.reply().output().guard());
  return go_to_shard(call, found, 0);
}

WalkStep keys_visit(Call& call, shard::Shard& shard) {
  auto& found = call.state<Found>();
  const std::string_view pattern = call.arg(1);
  const bool all = pattern == "*";
  resp::ReplyWriter names(found.names, call.caller().protocol);
  VisitShare share(kKeysPerVisit);
  const auto take = [&](const Entry& entry) {
    share.look_at(entry.key());
    if (!all && !base::glob_match(pattern, entry.key())) return;
    names.bulk(entry.key());
    ++found.count;
  };
  while (!share.used_up()) {
    const auto place = place_with_keys(shard.keys(), call.db(), found.place);
    if (!place) return go_to_shard(call, found, shard.id().value + 1u);
    const auto more = shard.keys().scan_slot(call.hold(), call.db(), place->slot, place->position,
                                             share.begin_some(), take);
    if (more) {
      share.end_some();
      found.place = {place->slot, *more};
      continue;
    }
    const auto next = next_slot_of_shard(call.shards(), *place);
    if (!next) return go_to_shard(call, found, shard.id().value + 1u);
    found.place = *next;
  }
  return WalkStep::stay();
}

}  // namespace

extern constinit const Command generic_keys{
    .name = "KEYS",
    .summary = "Lists all keys whose name matches a pattern.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys in the database.",
    .syntax = "pattern",
    .group = Group::generic,
    .arity = exactly(2),
    .access = Access::readonly,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = on_walk(keys_start, keys_visit),
    .when_large = WhenLarge::hold,
    .size = schema::always_large,
};

}  // namespace slotcar::commands
