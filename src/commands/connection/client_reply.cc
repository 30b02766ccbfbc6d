// CLIENT REPLY <ON | OFF | SKIP>
#include "base/ascii.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using session::ReplyMode;

void reply(session::Session& session, Call& call) {
  const std::string_view mode = call.arg(2);
  if (base::equals_ignoring_case(mode, "ON")) {
    session.machine().set_reply_mode(ReplyMode::on);
    call.reply().ok();
  } else if (base::equals_ignoring_case(mode, "OFF")) {
    session.machine().set_reply_mode(ReplyMode::off);
  } else if (base::equals_ignoring_case(mode, "SKIP")) {
    if (session.machine().reply_mode() != ReplyMode::off)
      session.machine().set_reply_mode(ReplyMode::skip_next);
  } else {
    call.reply().error(schema::kSyntaxError);
  }
}

}  // namespace

extern constinit const Command connection_client_reply{
    .name = "CLIENT|REPLY",
    .summary = "Chooses whether the connection gets replies.",
    .since = "3.2.0",
    .complexity = "O(1)",
    .syntax = "<ON | OFF | SKIP>",
    .group = Group::connection,
    .arity = exactly(3),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(reply)};

}  // namespace slotcar::commands
