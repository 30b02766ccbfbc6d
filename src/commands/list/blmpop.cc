// BLMPOP timeout numkeys key [key ...] LEFT | RIGHT [COUNT count]
#include "commands/list/multi_pop.h"
#include "commands/waiting.h"

namespace slotcar::commands {
namespace {

void pop_or_wait(Call& call) {
  const auto timeout = read_timeout(call, call.arg(1));
  if (!timeout) return;
  ArgReader args(call.args(), 2);
  if (pop_from_first_list(call, read_lists_pop(args))) return;
  if (call.in_transaction()) return call.reply().null_array();
  wait_for_type(call, types::Type::list, *timeout);
}

void blmpop(Call& call) {
  ArgReader args(call.args(), 2);
  const ListsPop request = read_lists_pop(args);
  if (args.failed()) return call.reply().error(args.error());
  if (!read_timeout(call, call.arg(1))) return;
  if (pops_long(call, request.count)) return change_holding<pop_or_wait>(call);
  pop_or_wait(call);
}

}  // namespace

extern constinit const Command list_blmpop{
    .name = "BLMPOP",
    .summary = "Takes elements off the first list that has some; waits until one has.",
    .since = "7.0.0",
    .complexity = "O(N+M) with N the number of keys and M the number of elements answered.",
    .syntax = "timeout numkeys key [key ...] where=<LEFT | RIGHT> [COUNT count]",
    .group = Group::list,
    .arity = at_least(5),
    .keys = schema::keys_counted_at(2, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::blocking,
    .acl = Acl::list,
    .runs = on_keys(blmpop),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
