// QUIT
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void quit(session::Session& session, Call& call) {
  call.reply().ok();
  session.machine().close_after_reply();
}

}  // namespace

extern constinit const Command connection_quit{
    .name = "QUIT",
    .summary = "Closes the connection once everything before it has been answered.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "",
    .group = Group::connection,
    .arity = at_least(1),
    .access = Access::noscript | Access::loading | Access::stale | Access::fast | Access::no_auth |
              Access::allow_busy,
    .acl = Acl::connection,
    .runs = schema::on_session(quit),
    .queued = false,
    .for_listeners = true};

}  // namespace slotcar::commands
