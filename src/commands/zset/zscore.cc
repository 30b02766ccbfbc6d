// ZSCORE key member, ZMSCORE key member [member ...]
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

void reply_score(Call& call, const types::SortedSetView& view, std::string_view member) {
  double score = 0;
  if (view.find(member, score)) {
    call.reply().real(score);
  } else {
    call.reply().null();
  }
}

void zscore(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  reply_score(call, sorted_set_of(entry), call.arg(2));
}

void zmscore(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) reply_score(call, view, call.arg(i));
}

}  // namespace

extern constinit const Command zset_zscore{
    .name = "ZSCORE",
    .summary = "Answers the score of a member.",
    .since = "1.2.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key member",
    .group = Group::sorted_set,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zscore),
    .element = 2,
};

extern constinit const Command zset_zmscore{
    .name = "ZMSCORE",
    .summary = "Answers the scores of several members.",
    .since = "6.2.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members given.",
    .syntax = "key member [member ...]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zmscore),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
