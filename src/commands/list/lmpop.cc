// LMPOP numkeys key [key ...] LEFT | RIGHT [COUNT count]
#include "commands/list/multi_pop.h"

namespace slotcar::commands {
namespace {

void pop_first(Call& call) {
  ArgReader args(call.args());
  if (!pop_from_first_list(call, read_lists_pop(args))) call.reply().null_array();
}

void lmpop(Call& call) {
  ArgReader args(call.args());
  const ListsPop request = read_lists_pop(args);
  if (args.failed()) return call.reply().error(args.error());
  if (pops_long(call, request.count)) return change_holding<pop_first>(call);
  pop_first(call);
}

}  // namespace

extern constinit const Command list_lmpop{
    .name = "LMPOP",
    .summary = "Takes elements off the first list that has some, and answers them.",
    .since = "7.0.0",
    .complexity = "O(N+M) with N the number of keys and M the number of elements answered.",
    .syntax = "numkeys key [key ...] where=<LEFT | RIGHT> [COUNT count]",
    .group = Group::list,
    .arity = at_least(4),
    .keys = schema::keys_counted_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::list,
    .runs = on_keys(lmpop),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
