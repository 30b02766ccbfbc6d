// ZUNION numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM | MIN | MAX>]
// [WITHSCORES], ZUNIONSTORE destination numkeys key [key ...] [WEIGHTS weight [weight ...]]
// [AGGREGATE <SUM | MIN | MAX>]
#include "commands/zset/algebra.h"

namespace slotcar::commands {
namespace {

struct Operation {
  static constexpr bool kHasWeights = true;
  static types::ScoredResult make(Call& call, types::ScoredSources sources,
                                  const AlgebraRequest& request) {
    return types::unite(sources, request.aggregate, call.settings().keyspace.types.hash_seed);
  }
};

}  // namespace

extern constinit const Command zset_zunion{
    .name = "ZUNION",
    .summary = "Answers what is in any of several sorted sets.",
    .since = "6.2.0",
    .complexity =
        "O(N)+O(M*log(M)) with N the sum of the sizes of the operands and M the size of "
        "the result.",
    .syntax =
        "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE aggregate=<SUM | MIN | "
        "MAX>] [WITHSCORES]",
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

extern constinit const Command zset_zunionstore{
    .name = "ZUNIONSTORE",
    .summary = "Stores what is in any of several sorted sets.",
    .since = "2.0.0",
    .complexity =
        "O(N)+O(M*log(M)) with N the sum of the sizes of the operands and M the size of "
        "the result.",
    .syntax =
        "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE aggregate=<SUM "
        "| MIN | MAX>]",
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
