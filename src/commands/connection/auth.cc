// AUTH [username] password
#include "commands/connection/authentication.h"
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void auth(session::Session& session, Call& call) {
  if (call.size() > 3) return call.reply().error(schema::kSyntaxError);
  if (call.size() == 2 && !session.services().users->default_user()->needs_password()) {
    return call.reply().error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  const std::string_view user = call.size() == 3 ? call.arg(1) : "default";
  const std::string_view error = authenticate(session, call, user, call.arg(call.size() - 1));
  if (!error.empty()) return call.reply().error(error);
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_auth{
    .name = "AUTH",
    .summary = "Proves who the connection is.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of passwords of the user.",
    .syntax = "[username@6.0.0] password",
    .group = Group::connection,
    .arity = at_least(2),
    .access = Access::noscript | Access::loading | Access::stale | Access::fast | Access::no_auth |
              Access::allow_busy,
    .acl = Acl::connection,
    .runs = schema::on_session(auth)};

}  // namespace slotcar::commands
