// DEBUG RELOAD [MERGE] [NOFLUSH] [NOSAVE], DEBUG LOADAOF: all tokens are taken first, so that no
// other client sees an intermediate state.
#include "base/ascii.h"
#include "commands/server/debug_walk.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using durability::Durability;

struct ReloadState : shard::CallState {
  Durability::Reload wanted;
};

void answer(Call& call, const Status& status) {
  if (status) return call.reply().ok();
  call.reply().error("ERR " + status.error().message);
}

using Present = eval::Scripts::Present;

void take_over_functions(node::Node& node, const Status& loaded, Present present) {
  if (loaded) node.scripts().take_over_libraries(node.durability().functions(), present);
}

void reload_held(Call& call) {
  const Durability::Reload wanted = call.state<ReloadState>().wanted;
  const Status loaded = call.node().durability().reload(call.thread(), wanted);
  take_over_functions(call.node(), loaded, wanted.empties ? Present::drop : Present::keep);
  answer(call, loaded);
}

void load_held(Call& call) {
  const Status loaded = call.node().durability().recover_again(call.thread());
  take_over_functions(call.node(), loaded, Present::drop);
  answer(call, loaded);
}

void with_all_tokens(Call& call, Call::Continuation slow) {
  // The transaction's changes so far would be in no file, and its record would be lost.
  if (call.in_transaction()) return call.reply().error("ERR not inside MULTI");
  call.needs().assign_all(call.shards().count());
  call.finish_without_tokens(slow);
}

}  // namespace

void debug_reload(Call& call) {
  Durability::Reload wanted;
  for (std::size_t i = 2; i < call.size(); ++i) {
    if (base::equals_ignoring_case(call.arg(i), "NOSAVE")) {
      wanted.saves = false;
    } else if (base::equals_ignoring_case(call.arg(i), "NOFLUSH") ||
               base::equals_ignoring_case(call.arg(i), "MERGE")) {
      wanted.empties = false;
    } else {
      return call.reply().error(
          "ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options.");
    }
  }
  call.state<ReloadState>().wanted = wanted;
  with_all_tokens(call, [](Call& rest) { rest.come_back_with_tokens(reload_held, true); });
}

void debug_loadaof(Call& call) {
  with_all_tokens(call, [](Call& rest) {
    rest.node().durability().wait_until_at_rest();
    rest.come_back_with_tokens(load_held, true);
  });
}

}  // namespace slotcar::commands
