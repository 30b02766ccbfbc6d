// Moves an element between ends of lists: LMOVE, RPOPLPUSH and their blocking forms.
#pragma once

#include <string>

#include "commands/counted_as.h"
#include "commands/element_work.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {

struct MoveEnds {
  ListEnd from = ListEnd::tail;
  ListEnd to = ListEnd::head;
};

// source and destination are arguments 1 and 2.
inline constexpr std::size_t kMoveFrom = 0;
inline constexpr std::size_t kMoveTo = 1;

// Whether the command is to be done once more, by kAgain, where it may take long: the elements are
// very long. (Those that have waited are done at once.)
template <Call::Continuation kAgain>
bool moves_elsewhere(Call& call, const keyspace::ListEdit& source) {
  if constexpr (kAgain == nullptr) {
    return false;
  } else {
    if (!call.is_large(work_of(source.view(), 1))) return false;
    change_holding<kAgain>(call);
    return true;
  }
}

// From one end of a list to an end of the same list: one edit, because a key has only one at a
// time.
template <Call::Continuation kAgain>
void turn(Call& call, MoveEnds ends) {
  auto list = call.edit<keyspace::ListEdit>(kMoveFrom);
  if (list.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!list.existed()) return call.reply().null();
  if (moves_elsewhere<kAgain>(call, list)) return;
  const CountedAs once(call, 1);
  const std::string text = list.list().at(ends.from == ListEnd::head ? 0 : -1)->copy();
  // First the one, then the other, so that the events come in Redis's order.
  list.push(ends.to, text);
  list.drop(ends.from, 1);
  call.reply().bulk(text);
}

template <Call::Continuation kAgain = nullptr>
void move_element(Call& call, MoveEnds ends) {
  if (call.arg(1) == call.arg(2)) return turn<kAgain>(call, ends);
  auto source = call.edit<keyspace::ListEdit>(kMoveFrom);
  if (source.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!source.existed()) return call.reply().null();
  auto target = call.edit<keyspace::ListEdit>(kMoveTo);
  if (target.wrong_type()) return call.reply().error(schema::kWrongType);
  if (moves_elsewhere<kAgain>(call, source)) return;

  const CountedAs once(call, 1);
  source.pop(ends.from, 1, [&](const types::Element& element) {
    types::Element::Scratch scratch;
    target.push(ends.to, element.view(scratch));
    reply_element(call.reply(), element);
  });
}

}  // namespace slotcar::commands
