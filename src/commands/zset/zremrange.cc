// ZREMRANGEBYRANK key start stop, ZREMRANGEBYSCORE key min max, ZREMRANGEBYLEX key min max
#include "commands/counted_as.h"
#include "commands/zset/range.h"

namespace slotcar::commands {
namespace {

// `kAgain` is the same command on the slow lane.
template <Call::Continuation kAgain, class FindRanks>
void remove(Call& call, const ArgReader& args, const FindRanks& find_ranks) {
  if (args.failed()) return call.reply().error(args.error());
  const Entry* entry = call.find_for_write(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  const Ranks ranks = find_ranks(view);
  const bool removes_all = entry != nullptr && ranks.count() == view.size();
  if (!removes_all && call.is_large(ranks.count())) return change_holding<kAgain>(call);
  if (ranks.count() > 0) call.notify(0, EventClass::sorted_set, call.command().lower_name);
  if (removes_all) {
    // Nothing is left: the key is removed as by DEL, which is as fast for a big value.
    const CountedAs each(call, ranks.count());
    call.space(0).remove(call.hold(), call.db(), call.key(0));
  } else {
    auto set = call.edit<keyspace::SortedSetEdit>(0);
    set.erase_ranks(ranks.from, ranks.count());
  }
  call.reply().integer(static_cast<std::int64_t>(ranks.count()));
}

void zremrangebyrank(Call& call) {
  ArgReader args(call.args(), 2);
  const IndexRange range = read_index_range(args);
  remove<zremrangebyrank>(
      call, args, [&](const types::SortedSetView& view) { return ranks_of(range, view.size()); });
}

void zremrangebyscore(Call& call) {
  ArgReader args(call.args(), 2);
  const ScoreRange range = read_score_range(args);
  remove<zremrangebyscore>(call, args,
                           [&](const types::SortedSetView& view) { return ranks_of(range, view); });
}

void zremrangebylex(Call& call) {
  ArgReader args(call.args(), 2);
  const MemberRange range = read_member_range(args);
  remove<zremrangebylex>(call, args,
                         [&](const types::SortedSetView& view) { return ranks_of(range, view); });
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
    .when_large = WhenLarge::hold,
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
    .when_large = WhenLarge::hold,
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
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
