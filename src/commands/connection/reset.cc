// RESET
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void reset(session::Session& session, Call& call) {
  session.reset();
  call.set_protocol(session.identity().protocol());
  call.set_db(session.identity().db());
  call.set_user(session.identity().user());
  call.reply().simple("RESET");
}

}  // namespace

extern constinit const Command connection_reset{
    .name = "RESET",
    .summary = "Makes the connection as it was when it began.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "",
    .group = Group::connection,
    .arity = exactly(1),
    .access = Access::noscript | Access::loading | Access::stale | Access::fast | Access::no_auth |
              Access::allow_busy,
    .acl = Acl::connection,
    .runs = schema::on_session(reset),
    .queued = false,
    .for_listeners = true};

}  // namespace slotcar::commands
