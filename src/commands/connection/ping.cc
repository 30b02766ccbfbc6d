// PING [message]
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void ping(session::Session&, Call& call) {
  if (call.size() > 2) {
    return call.reply().error("ERR wrong number of arguments for 'ping' command");
  }
  if (call.size() == 2) return call.reply().bulk(call.arg(1));
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
                                               .runs = schema::on_session(ping)};

}  // namespace slotcar::commands
