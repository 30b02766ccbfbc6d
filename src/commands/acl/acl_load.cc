// ACL LOAD, ACL SAVE
#include "commands/declare.h"
#include "node/node.h"
#include "session/session.h"
#include "session/user_changes.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoFile =
    "ERR This Redis instance is not configured to use an ACL file. You may want to specify users "
    "via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis "
    "configuration file set) in order to store users in the Redis configuration.";

void load(session::Session& session, Call& call) {
  node::Node& node = *session.services().node;
  if (node.acl_path().empty()) return call.reply().error(kNoFile);
  session::UserChanges changes(session, call);
  const Status loaded = node.load_acl_file(changes.on_change());
  if (!loaded) return call.reply().error("ERR " + loaded.error().message);
  call.reply().ok();
}

void save(node::Node& node, Call& call) {
  if (node.acl_path().empty()) return call.reply().error(kNoFile);
  if (const Status saved = node.save_acl_file(); !saved) {
    node.log().warning("ACL SAVE failed: {}", saved.error().message);
    return call.reply().error(
        "ERR There was an error trying to save the ACLs. Please check the server logs for more "
        "information");
  }
  call.reply().ok();
}

constexpr Access kAdmin = Access::admin | Access::noscript | Access::loading | Access::stale;

}  // namespace

extern constinit const Command acl_acl_load{
    .name = "ACL|LOAD",
    .summary = "Puts the users of the ACL file in place of those that there are.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of users and of connections.",
    .group = Group::server,
    .arity = exactly(2),
    .access = kAdmin,
    .runs = schema::on_session(load)};

extern constinit const Command acl_acl_save{.name = "ACL|SAVE",
                                            .summary = "Writes the users to the ACL file.",
                                            .since = "6.0.0",
                                            .complexity = "O(N) with N the number of users.",
                                            .group = Group::server,
                                            .arity = exactly(2),
                                            .access = kAdmin,
                                            .runs = schema::on_node(save)};

}  // namespace slotcar::commands
