// ZPOPMIN key [count], ZPOPMAX key [count], ZMPOP numkeys key [key ...] <MIN | MAX> [COUNT count]
#include "commands/element_work.h"
#include "commands/zset/popping.h"

namespace slotcar::commands {
namespace {

// `kAgain` is the command once more, where it may take long.
template <Call::Continuation kAgain>
void pop_command(Call& call, bool from_the_end) {
  ArgReader args(call.args(), 2);
  if (args.left() > 1) return call.reply().error(schema::kSyntaxError);
  const bool has_count = !args.done();
  const std::int64_t wanted = has_count ? args.integer(schema::kMustBePositive) : 1;
  if (wanted < 0) args.fail(schema::kMustBePositive);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find_for_write(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const std::size_t count = std::min(sorted_set_of(entry).size(), static_cast<std::size_t>(wanted));
  if (count == 0) return call.reply().array(0);
  if (call.is_large(work_of(entry->cell(), count))) return change_holding<kAgain>(call);
  if (has_count) return pop_members(call, 0, count, from_the_end, ElementsReply(call, count, true));
  // A single element is not a list of pairs in either protocol.
  call.reply().array(2);
  pop_members(call, 0, 1, from_the_end, [&](const types::Scored& element) {
    reply_element(call.reply(), element.member);
    call.reply().real(element.score);
  });
}

void zpopmin(Call& call) {
  pop_command<zpopmin>(call, false);
}

void zpopmax(Call& call) {
  pop_command<zpopmax>(call, true);
}

void zmpop(Call& call) {
  ArgReader args(call.args());
  const SetsPop request = read_sets_pop(args);
  if (args.failed()) return call.reply().error(args.error());
  if (pops_long(call, request)) return change_holding<zmpop>(call);
  if (!pop_from_first_set(call, request)) call.reply().null_array();
}

}  // namespace

extern constinit const Command zset_zpopmin{
    .name = "ZPOPMIN",
    .summary = "Removes the members with the lowest scores and answers them.",
    .since = "5.0.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members popped.",
    .syntax = "key [count]",
    .group = Group::sorted_set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zpopmin),
    .when_large = WhenLarge::hold,
};

extern constinit const Command zset_zpopmax{
    .name = "ZPOPMAX",
    .summary = "Removes the members with the highest scores and answers them.",
    .since = "5.0.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members popped.",
    .syntax = "key [count]",
    .group = Group::sorted_set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zpopmax),
    .when_large = WhenLarge::hold,
};

extern constinit const Command zset_zmpop{
    .name = "ZMPOP",
    .summary = "Pops members from the first of several sorted sets that is there.",
    .since = "7.0.0",
    .complexity =
        "O(K)+O(M*log(N)) with K the number of keys, N the size of the sorted set and M the "
        "number of members popped.",
    .syntax = "numkeys key [key ...] where=<MIN | MAX> [COUNT count]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = schema::keys_counted_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::sortedset,
    .runs = on_keys(zmpop),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
