// ZCOUNT key min max, ZLEXCOUNT key min max
#include "commands/zset/range.h"

namespace slotcar::commands {
namespace {

template <class Range>
void count(Call& call, ArgReader& args, const Range& range) {
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  call.reply().integer(static_cast<std::int64_t>(ranks_of(range, sorted_set_of(entry)).count()));
}

void zcount(Call& call) {
  ArgReader args(call.args(), 2);
  const ScoreRange range = read_score_range(args);
  count(call, args, range);
}

void zlexcount(Call& call) {
  ArgReader args(call.args(), 2);
  const MemberRange range = read_member_range(args);
  count(call, args, range);
}

}  // namespace

extern constinit const Command zset_zcount{
    .name = "ZCOUNT",
    .summary = "Answers how many members have scores within bounds.",
    .since = "2.0.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key min max",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zcount),
};

extern constinit const Command zset_zlexcount{
    .name = "ZLEXCOUNT",
    .summary = "Answers how many members lie between two strings, where all scores are equal.",
    .since = "2.8.9",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key min:string max:string",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zlexcount),
};

}  // namespace slotcar::commands
