// ZREMRANGEBYRANK key start stop, ZREMRANGEBYSCORE key min max, ZREMRANGEBYLEX key min max
#include "commands/zset/range.h"

namespace slotcar::commands {
namespace {

// `kNow` is the command once more, when it has moved to the slow lane because it is long.
template <Call::Continuation kNow, class FindRanks>
void remove(Call& call, const ArgReader& args, bool may_move, const FindRanks& find_ranks) {
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find_for_write(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  const Ranks ranks = find_ranks(view);
  if (ranks.count() > 0) call.notify(0, EventClass::sorted_set, call.command().lower_name);
  if (entry != nullptr && ranks.count() == view.size()) {
    // Nothing stays: the key goes as by DEL, which takes no longer for a big value.
    call.space(0).remove(call.hold(), call.db(), call.key(0));
  } else if (may_move && ranks.count() > limits::kQuickElementsMax) {
    return run_on_slow_lane<kNow>(call);
  } else {
    auto set = call.edit<keyspace::SortedSetEdit>(0);
    set.erase_ranks(ranks.from, ranks.count());
  }
  call.reply().integer(static_cast<std::int64_t>(ranks.count()));
}

void zremrangebyrank_now(Call& call);

void zremrangebyrank_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const IndexRange range = read_index_range(args);
  remove<zremrangebyrank_now>(call, args, may_move, [&](const types::SortedSetView& view) {
    return ranks_of(range, view.size());
  });
}

void zremrangebyrank_now(Call& call) {
  zremrangebyrank_here(call, false);
}

void zremrangebyrank(Call& call) {
  zremrangebyrank_here(call, true);
}

void zremrangebyscore_now(Call& call);

void zremrangebyscore_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const ScoreRange range = read_score_range(args);
  remove<zremrangebyscore_now>(call, args, may_move, [&](const types::SortedSetView& view) {
    return ranks_of(range, view);
  });
}

void zremrangebyscore_now(Call& call) {
  zremrangebyscore_here(call, false);
}

void zremrangebyscore(Call& call) {
  zremrangebyscore_here(call, true);
}

void zremrangebylex_now(Call& call);

void zremrangebylex_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const MemberRange range = read_member_range(args);
  remove<zremrangebylex_now>(call, args, may_move, [&](const types::SortedSetView& view) {
    return ranks_of(range, view);
  });
}

void zremrangebylex_now(Call& call) {
  zremrangebylex_here(call, false);
}

void zremrangebylex(Call& call) {
  zremrangebylex_here(call, true);
}

}  // namespace

extern constinit const Command zset_zremrangebyrank{
    .name = "ZREMRANGEBYRANK",
    .summary = "Removes members of a sorted set by index.",
    .since = "2.0.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members removed.",
    .syntax = "key start stop",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::sortedset,
    .runs = on_keys(zremrangebyrank),
};

extern constinit const Command zset_zremrangebyscore{
    .name = "ZREMRANGEBYSCORE",
    .summary = "Removes the members whose scores lie within bounds.",
    .since = "1.2.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members removed.",
    .syntax = "key min max",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::sortedset,
    .runs = on_keys(zremrangebyscore),
};

extern constinit const Command zset_zremrangebylex{
    .name = "ZREMRANGEBYLEX",
    .summary = "Removes the members between two strings, where all scores are equal.",
    .since = "2.8.9",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members removed.",
    .syntax = "key min:string max:string",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::sortedset,
    .runs = on_keys(zremrangebylex),
};

}  // namespace slotcar::commands
