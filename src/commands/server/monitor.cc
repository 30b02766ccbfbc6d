// MONITOR
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void monitor(session::Session& session, Call& call) {
  // A transaction's reply is one reply, and lines in between would break it.
  if (call.in_transaction()) {
    return call.reply().error("ERR MONITOR isn't allowed for DENY BLOCKING client");
  }
  session.services().monitors->watch(session, true);
  call.reply().ok();
}

}  // namespace

extern constinit const Command server_monitor{
    .name = "MONITOR",
    .summary = "Shows every command that the server runs from now on.",
    .since = "1.0.0",
    .complexity = "O(1); each command then costs a line for each monitor.",
    .syntax = "",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_session(monitor),
};

}  // namespace slotcar::commands
