// ACL GETUSER username, ACL LIST, ACL USERS, ACL DRYRUN username command [arg [arg ...]]
#include <fmt/format.h>

#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

void show_rights(resp::ReplyWriter& reply, const acl::Selector& selector) {
  reply.bulk("commands");
  reply.bulk(selector.describe_commands());
  reply.bulk("keys");
  reply.bulk(selector.describe_keys());
  reply.bulk("channels");
  reply.bulk(selector.describe_channels());
}

void getuser(node::Node& node, Call& call) {
  resp::ReplyWriter& reply = call.reply();
  const acl::UserRef user = node.users().find(call.arg(2));
  if (user == nullptr) return reply.null();
  reply.map(6);
  reply.bulk("flags");
  const auto flags = user->flags();
  reply.set(flags.size());
  for (const std::string_view flag : flags) reply.bulk(flag);
  reply.bulk("passwords");
  reply.array(user->passwords().size());
  for (const std::string& hash : user->passwords()) reply.bulk(hash);
  show_rights(reply, user->selectors().front());
  reply.bulk("selectors");
  const auto more = user->selectors().subspan(1);
  reply.array(more.size());
  for (const acl::Selector& selector : more) {
    reply.map(3);
    show_rights(reply, selector);
  }
}

void list(node::Node& node, Call& call) {
  const auto users = node.users().all();
  call.reply().array(users.size());
  for (const acl::UserRef& user : users) {
    call.reply().bulk(fmt::format("user {} {}", user->name(), user->describe()));
  }
}

void users(node::Node& node, Call& call) {
  const auto users = node.users().all();
  call.reply().array(users.size());
  for (const acl::UserRef& user : users) call.reply().bulk(user->name());
}

const schema::Registered* find_command(const schema::Registry& registry, schema::ArgSpan request) {
  const schema::Registered* found = registry.find(request[0]);
  if (found == nullptr || found->subcommands.empty() || request.size() == 1) return found;
  return registry.find_subcommand(*found, request[1]);
}

void dryrun(node::Node& node, Call& call) {
  const acl::UserRef user = node.users().find(call.arg(2));
  if (user == nullptr) {
    return call.reply().error(fmt::format("ERR User '{}' not found", call.arg(2)));
  }
  const schema::ArgSpan request = call.args().subspan(3);
  const schema::Registered* command = find_command(node.registry(), request);
  if (command == nullptr) {
    return call.reply().error(fmt::format("ERR Command '{}' not found", request[0]));
  }
  if (!command->command->arity.accepts(request.size())) {
    return call.reply().error(
        fmt::format("ERR wrong number of arguments for '{}' command", command->lower_name));
  }
  const acl::Verdict verdict = user->check(*command, request);
  // As in Redis, what SORT's patterns may find is not asked here.
  if (verdict.allowed() || verdict.denial == acl::Denial::lookup) return call.reply().ok();
  call.reply().bulk(acl::denial_description(verdict, *user, *command, request));
}

constexpr Access kAdmin = Access::admin | Access::noscript | Access::loading | Access::stale;

}  // namespace

extern constinit const Command acl_acl_getuser{
    .name = "ACL|GETUSER",
    .summary = "Answers the rules of a user.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of its passwords and rules.",
    .syntax = "username",
    .group = Group::server,
    .arity = exactly(3),
    .access = kAdmin,
    .runs = schema::on_node(getuser)};

extern constinit const Command acl_acl_list{
    .name = "ACL|LIST",
    .summary = "Lists the users as they would stand in a file.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of users.",
    .group = Group::server,
    .arity = exactly(2),
    .access = kAdmin,
    .runs = schema::on_node(list)};

extern constinit const Command acl_acl_users{.name = "ACL|USERS",
                                             .summary = "Lists the names of the users.",
                                             .since = "6.0.0",
                                             .complexity = "O(N) with N the number of users.",
                                             .group = Group::server,
                                             .arity = exactly(2),
                                             .access = kAdmin,
                                             .runs = schema::on_node(users)};

extern constinit const Command acl_acl_dryrun{
    .name = "ACL|DRYRUN",
    .summary = "Answers whether a user may run a command, without running it.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .syntax = "username command [arg [arg ...]]",
    .group = Group::server,
    .arity = at_least(4),
    .access = kAdmin,
    .runs = schema::on_node(dryrun)};

}  // namespace slotcar::commands
