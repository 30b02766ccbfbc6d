// ECHO message
#include "commands/connection/reply_argument.h"
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void echo(session::Session&, Call& call) {
  reply_argument(call, 1);
}

}  // namespace

extern constinit const Command connection_echo{
    .name = "ECHO",
    .summary = "Answers what it was given.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "message",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::loading | Access::stale | Access::fast,
    .acl = Acl::connection,
    .runs = schema::on_session(echo)};

}  // namespace slotcar::commands
