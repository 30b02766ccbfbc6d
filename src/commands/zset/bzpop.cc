// BZPOPMIN key [key ...] timeout, BZPOPMAX key [key ...] timeout
// BZMPOP timeout numkeys key [key ...] <MIN | MAX> [COUNT count]
#include "commands/waiting.h"
#include "commands/zset/popping.h"

namespace slotcar::commands {
namespace {

void pop_or_wait(Call& call, bool from_the_end) {
  const auto timeout = read_timeout(call, call.arg(call.size() - 1));
  if (!timeout) return;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (!call.may_see(i)) continue;
    const Entry* entry = call.find_for_write(i);
    if (entry == nullptr) continue;
    // A key that changed its type while the call waited counts as one without a sorted set.
    if (call.is_served() && entry->type() != types::Type::sorted_set) continue;
    if (!absent_or(call, entry, types::Type::sorted_set)) return;
    call.reply().array(3);
    call.reply().bulk(call.key(i).name);
    return pop_members(call, i, 1, from_the_end, [&](const types::Scored& element) {
      reply_element(call.reply(), element.member);
      call.reply().real(element.score);
    });
  }
  if (call.in_transaction()) return call.reply().null_array();
  wait_for_type(call, types::Type::sorted_set, *timeout);
}

void bzpopmin(Call& call) {
  pop_or_wait(call, false);
}

void bzpopmax(Call& call) {
  pop_or_wait(call, true);
}

void bzmpop(Call& call) {
  ArgReader args(call.args(), 2);
  const SetsPop request = read_sets_pop(args);
  if (args.failed()) return call.reply().error(args.error());
  const auto timeout = read_timeout(call, call.arg(1));
  if (!timeout) return;
  if (pops_long(call, request)) return change_holding<bzmpop>(call);
  if (pop_from_first_set(call, request)) return;
  if (call.in_transaction()) return call.reply().null_array();
  wait_for_type(call, types::Type::sorted_set, *timeout);
}

}  // namespace

extern constinit const Command zset_bzpopmin{
    .name = "BZPOPMIN",
    .summary =
        "Removes the member with the lowest score from the first sorted set that has one; waits "
        "until one has.",
    .since = "5.0.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key [key ...] timeout",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = keys(1, -2, 1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::noscript | Access::fast | Access::blocking,
    .acl = Acl::sortedset,
    .runs = on_keys(bzpopmin),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command zset_bzpopmax{
    .name = "BZPOPMAX",
    .summary =
        "Removes the member with the highest score from the first sorted set that has one; waits "
        "until one has.",
    .since = "5.0.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key [key ...] timeout",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = keys(1, -2, 1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::noscript | Access::fast | Access::blocking,
    .acl = Acl::sortedset,
    .runs = on_keys(bzpopmax),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command zset_bzmpop{
    .name = "BZMPOP",
    .summary = "Pops members from the first sorted set that is there; waits until one is.",
    .since = "7.0.0",
    .complexity =
        "O(K)+O(M*log(N)) with K the number of keys, N the size of the sorted set and M the "
        "number of members popped.",
    .syntax = "timeout numkeys key [key ...] where=<MIN | MAX> [COUNT count]",
    .group = Group::sorted_set,
    .arity = at_least(5),
    .keys = schema::keys_counted_at(2, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::blocking,
    .acl = Acl::sortedset,
    .runs = on_keys(bzmpop),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
