// ZDIFF numkeys key [key ...] [WITHSCORES],
// ZDIFFSTORE destination numkeys key [key ...]
#include "commands/zset/algebra.h"

namespace slotcar::commands {
namespace {

struct Operation {
  static constexpr bool kHasWeights = false;
  static types::ScoredResult make(Call&, types::ScoredSources sources, const AlgebraRequest&) {
    return types::subtract(sources);
  }
};

}  // namespace

extern constinit const Command zset_zdiff{
    .name = "ZDIFF",
    .summary = "Answers what is in the first sorted set and in none of the others.",
    .since = "6.2.0",
    .complexity =
        "O(N*K*log(N)) with N the size of the first operand and K the number of operands.",
    .syntax = "numkeys key [key ...] [WITHSCORES]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = schema::keys_counted_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys(answer_elements<Operation>),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
    .prepare = plan_key_reads<PinnedSources>,
};

extern constinit const Command zset_zdiffstore{
    .name = "ZDIFFSTORE",
    .summary = "Stores what is in the first sorted set and in none of the others.",
    .since = "6.2.0",
    .complexity =
        "O(N*K*log(N)) with N the size of the first operand and K the number of operands.",
    .syntax = "destination numkeys key [key ...]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = {key_at(1, KeyUse::ow | KeyUse::update),
             schema::keys_counted_at(2, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::sortedset,
    .runs = on_keys(store_elements<Operation>),
    .when_large = WhenLarge::store,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
