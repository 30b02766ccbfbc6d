// ACL DELUSER username [username ...]
#include "commands/declare.h"
#include "session/session.h"
#include "session/user_changes.h"

namespace slotcar::commands {
namespace {

void deluser(session::Session& session, Call& call) {
  const schema::ArgSpan names = call.args().subspan(2);
  for (const std::string_view name : names) {
    if (name == "default") {
      return call.reply().error("ERR The 'default' user cannot be removed");
    }
  }
  session::UserChanges changes(session, call);
  const std::size_t removed = session.services().users->remove(names, changes.on_change());
  call.reply().integer(static_cast<std::int64_t>(removed));
}

}  // namespace

extern constinit const Command acl_acl_deluser{
    .name = "ACL|DELUSER",
    .summary = "Deletes users and closes their connections.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of connections.",
    .syntax = "username [username ...]",
    .group = Group::server,
    .arity = at_least(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_session(deluser)};

}  // namespace slotcar::commands
