// ACL, the container; ACL WHOAMI, ACL CAT, ACL GENPASS, ACL HELP
#include <fmt/format.h>

#include "base/numbers.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "node/node.h"
#include "schema/command_info.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "CAT [<category>]",
    "    List all commands that belong to <category>, or all command categories",
    "    when no category is specified.",
    "DELUSER <username> [<username> ...]",
    "    Delete a list of users.",
    "DRYRUN <username> <command> [<arg> ...]",
    "    Returns whether the user can execute the given command without executing the command.",
    "GETUSER <username>",
    "    Get the user's details.",
    "GENPASS [<bits>]",
    "    Generate a secure 256-bit user password. The optional `bits` argument can",
    "    be used to specify a different size.",
    "LIST",
    "    Show users details in config file format.",
    "LOAD",
    "    Reload users from the ACL file.",
    "LOG [<count> | RESET]",
    "    Show the ACL log entries.",
    "SAVE",
    "    Save the current config to the ACL file.",
    "SETUSER <username> <attribute> [<attribute> ...]",
    "    Create or modify a user with the specified attributes.",
    "USERS",
    "    List all the registered usernames.",
    "WHOAMI",
    "    Return the current connection username.",
};

constexpr std::int64_t kPasswordBitsMax = 4096;
constexpr std::int64_t kPasswordBitsDefault = 256;
constexpr std::int64_t kBitsPerDigit = 4;

void whoami(session::Session& session, Call& call) {
  call.reply().bulk(session.identity().user().name());
}

std::string wrong_size(const Call& call) {
  return "ERR unknown subcommand or wrong number of arguments for '" +
         std::string(call.arg(1).substr(0, 128)) + "'. Try ACL HELP.";
}

void cat(node::Node& node, Call& call) {
  if (call.size() > 3) return call.reply().error(wrong_size(call));
  if (call.size() == 2) {
    const auto names = schema::acl_names(static_cast<Acl>(UINT32_MAX));
    call.reply().array(names.size());
    for (const std::string_view name : names) call.reply().bulk(name);
    return;
  }
  const Acl category = schema::acl_category(call.arg(2));
  if (category == Acl::none) {
    return call.reply().error(fmt::format("ERR Unknown category '{:.128}'", call.arg(2)));
  }
  std::vector<std::string_view> names;
  for (const schema::Registered& command : node.registry().all()) {
    if (has(acl_categories(*command.command), category)) names.push_back(command.lower_name);
  }
  call.reply().array(names.size());
  for (const std::string_view name : names) call.reply().bulk(name);
}

void genpass(node::Node& node, Call& call) {
  if (call.size() > 3) return call.reply().error(wrong_size(call));
  std::int64_t bits = kPasswordBitsDefault;
  if (call.size() == 3) {
    const auto given = base::parse_int64(call.arg(2));
    if (!given) return call.reply().error(schema::kNotInteger);
    bits = *given;
  }
  if (bits <= 0 || bits > kPasswordBitsMax) {
    return call.reply().error(fmt::format(
        "ERR ACL GENPASS argument must be the number of bits for the output password, a positive "
        "number up to {}",
        kPasswordBitsMax));
  }
  std::string password;
  const auto digits = static_cast<std::size_t>((bits + kBitsPerDigit - 1) / kBitsPerDigit);
  while (password.size() < digits) password += fmt::format("{:016x}", node.random().next());
  call.reply().bulk(std::string_view(password).substr(0, digits));
}

void help(node::Node&, Call& call) {
  reply_help(call, "ACL", kHelp);
}

}  // namespace

extern constinit const Command acl_acl{.name = "ACL",
                                       .summary = "What concerns users and their rights.",
                                       .since = "6.0.0",
                                       .complexity = "Depends on subcommand.",
                                       .group = Group::server,
                                       .arity = at_least(2),
                                       .runs = schema::container()};

extern constinit const Command acl_acl_whoami{
    .name = "ACL|WHOAMI",
    .summary = "Answers the user of this connection.",
    .since = "6.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_session(whoami)};

extern constinit const Command acl_acl_cat{
    .name = "ACL|CAT",
    .summary = "Lists the categories of commands, or the commands of one.",
    .since = "6.0.0",
    .complexity = "O(N) with N the number of commands.",
    .syntax = "[categoryname]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(cat)};

extern constinit const Command acl_acl_genpass{
    .name = "ACL|GENPASS",
    .summary = "Answers a random password.",
    .since = "6.0.0",
    .complexity = "O(1)",
    .syntax = "[bits:integer]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(genpass)};

extern constinit const Command acl_acl_help{.name = "ACL|HELP",
                                            .summary = "Lists the subcommands.",
                                            .since = "6.0.0",
                                            .complexity = "O(1)",
                                            .group = Group::server,
                                            .arity = exactly(2),
                                            .access = Access::loading | Access::stale,
                                            .runs = schema::on_node(help)};

}  // namespace slotcar::commands
