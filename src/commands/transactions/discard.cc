// DISCARD
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void discard(session::Session& session, Call& call) {
  if (!call.caller().in_multi) return call.reply().error("ERR DISCARD without MULTI");
  session.requests().discard();
  call.reply().ok();
}

}  // namespace

extern constinit const Command transactions_discard{
    .name = "DISCARD",
    .summary = "Leaves a transaction without running it, and forgets the watches.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of queued commands.",
    .group = Group::transactions,
    .arity = exactly(1),
    .access =
        Access::noscript | Access::loading | Access::stale | Access::fast | Access::allow_busy,
    .acl = Acl::transaction,
    .runs = schema::on_session(discard),
    .queued = false};

}  // namespace slotcar::commands
