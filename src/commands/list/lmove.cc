// LMOVE source destination LEFT | RIGHT LEFT | RIGHT, RPOPLPUSH source destination
#include <string>

#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kFrom = 0;
constexpr std::size_t kTo = 1;

// From one end of a list to an end of the same: one edit, because a key has only one at a time.
void turn(Call& call, ListEnd from, ListEnd to) {
  auto list = call.edit<keyspace::ListEdit>(kFrom);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return call.reply().null();
  const std::string text = list.list().at(from == ListEnd::head ? 0 : -1)->copy();
  list.drop(from, 1);
  list.push(to, text);
  call.reply().bulk(text);
}

void move(Call& call, ListEnd from, ListEnd to) {
  if (call.arg(1) == call.arg(2)) return turn(call, from, to);
  auto source = call.edit<keyspace::ListEdit>(kFrom);
  if (source.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!source.existed()) return call.reply().null();
  auto target = call.edit<keyspace::ListEdit>(kTo);
  if (target.wrong_type()) return call.reply().error(schema::kWrongType);

  source.pop(from, 1, [&](const types::Element& element) {
    types::Element::Scratch scratch;
    target.push(to, element.view(scratch));
    reply_element(call.reply(), element);
  });
}

void lmove(Call& call) {
  ArgReader args(call.args(), 3);
  const ListEnd from = read_end(args);
  const ListEnd to = read_end(args);
  if (args.failed()) return call.reply().error(args.error());
  move(call, from, to);
}

void rpoplpush(Call& call) {
  move(call, ListEnd::tail, ListEnd::head);
}

}  // namespace

extern constinit const Command list_lmove{
    .name = "LMOVE",
    .summary = "Moves an element from an end of a list to an end of another one, and answers it.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT>",
    .group = Group::list,
    .arity = exactly(5),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::list,
    .runs = on_keys(lmove),
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
};

}  // namespace slotcar::commands
