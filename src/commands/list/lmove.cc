// LMOVE source destination LEFT | RIGHT LEFT | RIGHT, RPOPLPUSH source destination
#include "commands/list/moving.h"

namespace slotcar::commands {
namespace {

void lmove(Call& call) {
  ArgReader args(call.args(), 3);
  MoveEnds ends;
  ends.from = read_end(args);
  ends.to = read_end(args);
  if (args.failed()) return call.reply().error(args.error());
  move_element<lmove>(call, ends);
}

void rpoplpush(Call& call) {
  move_element<rpoplpush>(call, {ListEnd::tail, ListEnd::head});
}

}  // namespace

extern constinit const Command list_lmove{
    .name = "LMOVE",
    .summary = "Moves an element from an end of a list to an end of another one, and answers it.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "source destination wherefrom=<LEFT | RIGHT> whereto=<LEFT | RIGHT>",
    .group = Group::list,
    .arity = exactly(5),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::list,
    .runs = on_keys(lmove),
    .when_large = WhenLarge::hold,
};

extern constinit const Command list_rpoplpush{
    .name = "RPOPLPUSH",
    .summary = "Moves the last element of a list before the first one of another, and answers it.",
    .since = "1.2.0",
    .complexity = "O(1)",
    .syntax = "source destination",
    .group = Group::list,
    .arity = exactly(3),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::list,
    .runs = on_keys(rpoplpush),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
