// Moves an element between ends of lists: LMOVE, RPOPLPUSH and their blocking forms.
#pragma once

#include <string>

#include "commands/counted_as.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {

struct MoveEnds {
  ListEnd from = ListEnd::tail;
  ListEnd to = ListEnd::head;
};

// source and destination are arguments 1 and 2.
inline constexpr std::size_t kMoveFrom = 0;
inline constexpr std::size_t kMoveTo = 1;

// From one end of a list to an end of the same list: one edit, because a key has only one at a
// time.
inline void turn(Call& call, MoveEnds ends) {
  auto list = call.edit<keyspace::ListEdit>(kMoveFrom);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return call.reply().null();
  const CountedAs once(call, 1);
  const std::string text = list.list().at(ends.from == ListEnd::head ? 0 : -1)->copy();
  // First the one, then the other, so that the events come in Redis's order.
  list.push(ends.to, text);
  list.drop(ends.from, 1);
  call.reply().bulk(text);
}

inline void move_element(Call& call, MoveEnds ends) {
  if (call.arg(1) == call.arg(2)) return turn(call, ends);
  auto source = call.edit<keyspace::ListEdit>(kMoveFrom);
  if (source.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!source.existed()) return call.reply().null();
  auto target = call.edit<keyspace::ListEdit>(kMoveTo);
  if (target.wrong_type()) return call.reply().error(schema::kWrongType);

  const CountedAs once(call, 1);
  source.pop(ends.from, 1, [&](const types::Element& element) {
    types::Element::Scratch scratch;
    target.push(ends.to, element.view(scratch));
    reply_element(call.reply(), element);
  });
}

}  // namespace slotcar::commands
