// WATCH key [key ...]
#include "commands/declare.h"
#include "shard/transaction.h"

namespace slotcar::commands {
namespace {

void watch(Call& call) {
  if (call.caller().in_multi) return call.reply().error("ERR WATCH inside MULTI is not allowed");
  for (std::size_t i = 0; i < call.key_count(); ++i) call.transaction()->watch(call, i);
  call.reply().ok();
}

}  // namespace

extern constinit const Command transactions_watch{
    .name = "WATCH",
    .summary = "Lets the next EXEC run only if none of the keys has changed by then.",
    .since = "2.2.0",
    .complexity = "O(1) for each key.",
    .syntax = "key [key ...]",
    .group = Group::transactions,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro),
    .access =
        Access::noscript | Access::loading | Access::stale | Access::fast | Access::allow_busy,
    .acl = Acl::transaction,
    .runs = on_keys(watch),
    .queued = false};

}  // namespace slotcar::commands
