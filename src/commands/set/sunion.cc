// SUNION key [key ...], SUNIONSTORE destination key [key ...]
#include "commands/set/set_algebra.h"

namespace slotcar::commands {
namespace {

void reply_union(Call& call, types::SetCells sets) {
  if (sets.size() == 1) return reply_members(call, types::SetView(sets[0]));
  types::OwnCell all;
  types::unite(sets, call.settings().keyspace.types, all);
  reply_members(call, types::SetView(all.view()));
}

void unite(Call& call, types::SetCells sets, types::OwnCell& result) {
  types::unite(sets, call.settings().keyspace.types, result);
}

struct Union {
  static constexpr auto kWork = types::union_work;
  static constexpr auto kReply = reply_union;
  static constexpr auto kMake = unite;
};

}  // namespace

extern constinit const Command set_sunion{
    .name = "SUNION",
    .summary = "Answers what is in any of several sets.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members of all sets.",
    .syntax = "key [key ...]",
    .group = Group::set,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(answer_algebra<Union>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
    .prepare = plan_key_reads<PinnedSets>,
};

extern constinit const Command set_sunionstore{
    .name = "SUNIONSTORE",
    .summary = "Stores what is in any of several sets.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members of all sets.",
    .syntax = "destination key [key ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = {key_at(1, KeyUse::ow | KeyUse::update), keys(2, -1, 1, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::set,
    .runs = on_keys(store_algebra<Union>),
    .when_large = WhenLarge::store,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
