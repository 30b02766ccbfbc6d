// MULTI
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void multi(session::Session& session, Call& call) {
  if (call.caller().in_multi) return call.reply().error("ERR MULTI calls can not be nested");
  session.requests().begin_multi();
  call.reply().ok();
}

}  // namespace

extern constinit const Command transactions_multi{
    .name = "MULTI",
    .summary = "Begins a transaction: what follows is queued until EXEC.",
    .since = "1.2.0",
    .complexity = "O(1)",
    .group = Group::transactions,
    .arity = exactly(1),
    .access =
        Access::noscript | Access::loading | Access::stale | Access::fast | Access::allow_busy,
    .acl = Acl::transaction,
    .runs = schema::on_session(multi),
    .queued = false};

}  // namespace slotcar::commands
