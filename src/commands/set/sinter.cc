// SINTER key [key ...], SINTERSTORE destination key [key ...]
#include "commands/set/set_algebra.h"

namespace slotcar::commands {
namespace {

void reply_intersection(Call& call, types::SetCells sets) {
  FoundMembers found(call);
  types::for_each_in_all(sets, [&](const types::Element& member) { return found.add(member); });
  found.answer(call);
}

void intersect(Call& call, types::SetCells sets, types::OwnCell& result) {
  types::intersect(sets, call.settings().keyspace.types, result);
}

struct Intersection {
  static constexpr auto kWork = types::intersection_work;
  static constexpr auto kReply = reply_intersection;
  static constexpr auto kMake = intersect;
};

}  // namespace

extern constinit const Command set_sinter{
    .name = "SINTER",
    .summary = "Answers what is in all of several sets.",
    .since = "1.0.0",
    .complexity = "O(N*M) with N the size of the smallest set and M the number of sets.",
    .syntax = "key [key ...]",
    .group = Group::set,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(answer_algebra<Intersection>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
    .prepare = plan_key_reads<PinnedSets>,
};

extern constinit const Command set_sinterstore{
    .name = "SINTERSTORE",
    .summary = "Stores what is in all of several sets.",
    .since = "1.0.0",
    .complexity = "O(N*M) with N the size of the smallest set and M the number of sets.",
    .syntax = "destination key [key ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = {key_at(1, KeyUse::rw | KeyUse::update), keys(2, -1, 1, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::set,
    .runs = on_keys(store_algebra<Intersection>),
    .when_large = WhenLarge::store,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
