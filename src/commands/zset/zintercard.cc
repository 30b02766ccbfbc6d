// ZINTERCARD numkeys key [key ...] [LIMIT limit]
#include "commands/zset/algebra.h"

namespace slotcar::commands {
namespace {

struct AnswerCount {
  static void answer(Call& call, types::ScoredSources sources, const AlgebraRequest& request) {
    call.reply().integer(static_cast<std::int64_t>(types::count_common(sources, request.limit)));
  }
};

constexpr AlgebraForm kCounted{.counts = true};

}  // namespace

extern constinit const Command zset_zintercard{
    .name = "ZINTERCARD",
    .summary = "Answers how much is in all of several sorted sets, counting up to a limit.",
    .since = "7.0.0",
    .complexity =
        "O(N*K*log(N)) with N the size of the smallest operand and K the number of "
        "operands.",
    .syntax = "numkeys key [key ...] [LIMIT limit]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = schema::keys_counted_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::sortedset,
    .runs = on_keys((answer_algebra_of<AnswerCount, kCounted>)),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
    .prepare = plan_key_reads<PinnedSources>,
};

}  // namespace slotcar::commands
