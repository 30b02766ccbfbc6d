// PING [message]
#include "commands/connection/reply_argument.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void ping(session::Session& session, Call& call) {
  if (call.size() > 2) {
    return call.reply().error("ERR wrong number of arguments for 'ping' command");
  }
  if (call.context().script == nullptr && session.only_listens()) {
    // Looks like a message, because that is all that such a client expects.
    call.reply().array(2);
    call.reply().bulk("pong");
    return call.size() == 2 ? reply_argument(call, 1) : call.reply().bulk("");
  }
  if (call.size() == 2) return reply_argument(call, 1);
  call.reply().simple("PONG");
}

}  // namespace

extern constinit const Command connection_ping{.name = "PING",
                                               .summary = "Answers PONG, or the message.",
                                               .since = "1.0.0",
                                               .complexity = "O(1)",
                                               .syntax = "[message]",
                                               .group = Group::connection,
                                               .arity = at_least(1),
                                               .access = Access::fast,
                                               .acl = Acl::connection,
                                               .runs = schema::on_session(ping),
                                               .for_listeners = true};

}  // namespace slotcar::commands
