// ACL SETUSER username [rule [rule ...]]
#include "commands/declare.h"
#include "session/session.h"
#include "session/user_changes.h"

namespace slotcar::commands {
namespace {

void setuser(session::Session& session, Call& call) {
  const std::string_view name = call.arg(2);
  if (!acl::is_user_name(name)) {
    return call.reply().error("ERR Usernames can't contain spaces or null characters");
  }
  session::UserChanges changes(session, call);
  const Status set =
      session.services().users->set(name, call.args().subspan(3), changes.on_change());
  if (!set) return call.reply().error("ERR " + set.error().message);
  call.reply().ok();
}

constexpr Access kAdmin = Access::admin | Access::noscript | Access::loading | Access::stale;

}  // namespace

extern constinit const Command acl_acl_setuser{
    .name = "ACL|SETUSER",
    .summary = "Creates a user, or changes its rules.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of rules and of connections.",
    .syntax = "username [rule [rule ...]]",
    .group = Group::server,
    .arity = at_least(3),
    .access = kAdmin,
    .runs = schema::on_session(setuser)};

}  // namespace slotcar::commands
