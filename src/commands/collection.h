// Shared by the commands on collections: the type check, replying with elements, and moving a long
// read to the slow lane.
#pragma once

#include <utility>

#include "base/limits.h"
#include "commands/declare.h"
#include "types/cell.h"
#include "types/element.h"
#include "types/type.h"

namespace slotcar::commands {

// Whether a command may continue: the key is missing or of this type. If not, it replies WRONGTYPE.
inline bool absent_or(Call& call, const Entry* entry, types::Type type) {
  if (entry == nullptr || entry->type() == type) [[likely]]
    return true;
  call.reply().error(schema::kWrongType);
  return false;
}

inline void reply_element(resp::ReplyWriter& reply, const types::Element& element) {
  if (element.is_integer) {
    reply.bulk_integer(element.number);
  } else {
    reply.bulk(element.text);
  }
}

// A read that was found to be long: its sources are pinned, the tokens are released, and `answer`
// runs with the pins in call.state<Pinned>().
struct Pinned : shard::CallState {
  std::vector<types::OwnCell> cells;  // one for each pinned value; empty cells for missing keys

  void let_go(base::Reclaimer* reclaimer) override {
    for (types::OwnCell& cell : cells) types::let_go(cell.take_tree(), reclaimer);
  }
};
inline void pin_and_answer(Call& call, std::vector<types::OwnCell> pins,
                           Call::Continuation answer) {
  call.state<Pinned>().cells = std::move(pins);
  call.finish_without_tokens(answer);
}
inline void pin_and_answer(Call& call, const types::CellView& seen, Call::Continuation answer) {
  std::vector<types::OwnCell> pins;
  pins.push_back(types::OwnCell::pin(seen));
  pin_and_answer(call, std::move(pins), answer);
}

// A change that was found to be long before anything was done: the tokens are released, and
// `kChange` does all of it on the slow lane, holding them again.
template <Call::Continuation kChange>
void change_holding(Call& call) {
  call.finish_without_tokens([](Call& there) { there.come_back_with_tokens(kChange, true); });
}

}  // namespace slotcar::commands
