// ZRANK key member [WITHSCORE], ZREVRANK key member [WITHSCORE]
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

void rank(Call& call, bool from_the_end) {
  ArgReader args(call.args(), 3);
  if (args.left() > 1) {
    return call.reply().error("ERR wrong number of arguments for '" + call.command().lower_name +
                              "' command");
  }
  const bool with_score = args.accept("WITHSCORE");
  if (!args.done()) return call.reply().error(schema::kSyntaxError);

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  double score = 0;
  const auto found = view.rank_of(call.arg(2), score);
  if (!found) return with_score ? call.reply().null_array() : call.reply().null();
  if (with_score) call.reply().array(2);
  call.reply().integer(static_cast<std::int64_t>(from_the_end ? view.size() - 1 - *found : *found));
  if (with_score) call.reply().real(score);
}

void zrank(Call& call) {
  rank(call, false);
}

void zrevrank(Call& call) {
  rank(call, true);
}

}  // namespace

extern constinit const Command zset_zrank{
    .name = "ZRANK",
    .summary = "Answers how many members come before one in a sorted set.",
    .since = "2.0.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key member [WITHSCORE@7.2.0]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zrank),
    .element = 2,
};

extern constinit const Command zset_zrevrank{
    .name = "ZREVRANK",
    .summary = "Answers how many members come after one in a sorted set.",
    .since = "2.0.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key member [WITHSCORE@7.2.0]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zrevrank),
    .element = 2,
};

}  // namespace slotcar::commands
