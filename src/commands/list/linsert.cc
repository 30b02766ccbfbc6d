// LINSERT key BEFORE | AFTER pivot element
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

using Side = keyspace::ListEdit::Side;

Side read_side(ArgReader& args) {
  if (args.accept("BEFORE")) return Side::before;
  if (!args.accept("AFTER")) args.fail(schema::kSyntaxError);
  return Side::after;
}

void insert_now(Call& call) {
  ArgReader args(call.args(), 2);
  const Side side = read_side(args);
  auto list = call.edit<keyspace::ListEdit>(0);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return call.reply().integer(0);
  if (!elements_allowed(call, call.args().subspan(4))) return;

  const bool found = list.insert(side, call.arg(3), call.arg(4));
  call.reply().integer(found ? static_cast<std::int64_t>(list.size()) : -1);
}

void linsert(Call& call) {
  ArgReader args(call.args(), 2);
  read_side(args);
  if (args.failed()) return call.reply().error(args.error());
  if (call.is_large(scan_size(list_size(call)))) return change_holding<insert_now>(call);
  insert_now(call);
}

}  // namespace

extern constinit const Command list_linsert{
    .name = "LINSERT",
    .summary = "Inserts an element before or behind another one of a list.",
    .since = "2.2.0",
    .complexity = "O(N) with N the number of elements before the pivot.",
    .syntax = "key where=<BEFORE | AFTER> pivot element",
    .group = Group::list,
    .arity = exactly(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .acl = Acl::list,
    .runs = on_keys(linsert),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
