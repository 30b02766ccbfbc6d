// BLMOVE source destination LEFT | RIGHT LEFT | RIGHT timeout
// BRPOPLPUSH source destination timeout
#include "commands/list/moving.h"
#include "commands/waiting.h"

namespace slotcar::commands {
namespace {

void move_or_wait(Call& call, MoveEnds ends, std::string_view timeout_text) {
  const auto timeout = read_timeout(call, timeout_text);
  if (!timeout) return;
  const Entry* source = call.find_for_write(kMoveFrom);
  if (!absent_or(call, source, types::Type::list)) return;
  if (source != nullptr) return move_element(call, ends);
  if (call.in_transaction()) return call.reply().null();
  wait_for_type(call, types::Type::list, *timeout, 1);
}

void blmove(Call& call) {
  ArgReader args(call.args(), 3);
  MoveEnds ends;
  ends.from = read_end(args);
  ends.to = read_end(args);
  if (args.failed()) return call.reply().error(args.error());
  move_or_wait(call, ends, call.arg(5));
}

void brpoplpush(Call& call) {
  move_or_wait(call, {ListEnd::tail, ListEnd::head}, call.arg(3));
}

}  // namespace

extern constinit const Command list_blmove{
    .name = "BLMOVE",
    .summary = "Moves an element from a list to another and answers it; waits until there is one.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "source destination wherefrom=<LEFT | RIGHT> whereto=<LEFT | RIGHT> timeout",
    .group = Group::list,
    .arity = exactly(6),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::may_grow | Access::noscript | Access::blocking,
    .acl = Acl::list,
    .runs = on_keys(blmove),
};

extern constinit const Command list_brpoplpush{
    .name = "BRPOPLPUSH",
    .summary =
        "Moves the last element of a list before the first one of another and answers it; waits "
        "until there is one.",
    .since = "2.2.0",
    .complexity = "O(1)",
    .syntax = "source destination timeout",
    .group = Group::list,
    .arity = exactly(4),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::may_grow | Access::noscript | Access::blocking,
    .acl = Acl::list,
    .runs = on_keys(brpoplpush),
};

}  // namespace slotcar::commands
