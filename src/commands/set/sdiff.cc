// SDIFF key [key ...], SDIFFSTORE destination key [key ...]
#include "commands/set/set_algebra.h"

namespace slotcar::commands {
namespace {

void reply_difference(Call& call, types::SetCells sets) {
  FoundMembers found(call);
  types::for_each_in_first_only(sets, call.settings().keyspace.types,
                                [&](const types::Element& member) { return found.add(member); });
  found.answer(call);
}

void subtract(Call& call, types::SetCells sets, types::OwnCell& result) {
  types::subtract(sets, call.settings().keyspace.types, result);
}

struct Difference {
  static constexpr auto kWork = types::difference_work;
  static constexpr auto kReply = reply_difference;
  static constexpr auto kMake = subtract;
};

}  // namespace

extern constinit const Command set_sdiff{
    .name = "SDIFF",
    .summary = "Answers what is in the first set and in none of the others.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members of all sets.",
    .syntax = "key [key ...]",
    .group = Group::set,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(answer_algebra<Difference>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
    .prepare = plan_key_reads<PinnedSets>,
};

extern constinit const Command set_sdiffstore{
    .name = "SDIFFSTORE",
    .summary = "Stores what is in the first set and in none of the others.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members of all sets.",
    .syntax = "destination key [key ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = {key_at(1, KeyUse::ow | KeyUse::update), keys(2, -1, 1, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::set,
    .runs = on_keys(store_algebra<Difference>),
    .when_large = WhenLarge::store,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
