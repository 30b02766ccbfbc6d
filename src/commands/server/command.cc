// COMMAND, COMMAND COUNT, COMMAND INFO, COMMAND DOCS, COMMAND HELP: all from the registry.
#include <algorithm>

#include "commands/declare.h"
#include "commands/help.h"
#include "commands/in_good_time.h"
#include "commands/server/command_reply.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using schema::Registered;

constexpr std::string_view kHelp[] = {
    "(no subcommand)",
    "    Describe all commands.",
    "COUNT",
    "    Answer how many commands there are.",
    "LIST [FILTERBY (MODULE <module-name>|ACLCAT <category>|PATTERN <pattern>)]",
    "    Answer the names of all commands, or of those that fit.",
    "INFO [<command-name> ...]",
    "    Describe these commands, or all: flags, keys, categories.",
    "DOCS [<command-name> ...]",
    "    Explain these commands, or all: what they do, since when, at what cost.",
    "GETKEYS <full-command>",
    "    Answer which arguments of the command are keys.",
    "GETKEYSANDFLAGS <full-command>",
    "    Answer which arguments of the command are keys, and what is done with each.",
};

std::vector<const Registered*> top_level(const schema::Registry& registry) {
  std::vector<const Registered*> commands;
  for (const Registered& command : registry.all()) {
    if (command.container == nullptr && !command.removed) commands.push_back(&command);
  }
  return commands;
}

void all(node::Node& node, Call& call) {
  const auto commands = top_level(node.registry());
  call.reply().array(commands.size());
  for (const Registered* command : commands) reply_command_info(call.reply(), *command);
}

void command(node::Node& node, Call& call) {
  if (call.size() > 1) {
    return call.reply().error("ERR unknown subcommand '" + std::string(call.arg(1).substr(0, 128)) +
                              "'. Try COMMAND HELP.");
  }
  all(node, call);
}

void count(node::Node& node, Call& call) {
  call.reply().integer(static_cast<std::int64_t>(top_level(node.registry()).size()));
}

void answer_info(Call& call) {
  const node::Node& node = call.node();
  call.reply().array(call.size() - 2);
  for (std::string_view name : call.args().subspan(2)) {
    if (const Registered* found = node.registry().find_full(name)) {
      reply_command_info(call.reply(), *found);
    } else {
      call.reply().null();
    }
  }
}

void info(node::Node& node, Call& call) {
  if (call.size() == 2) return all(node, call);
  in_good_time(call, call.size(), answer_info);
}

void answer_docs(Call& call) {
  const node::Node& node = call.node();
  std::vector<const Registered*> commands;
  if (call.size() == 2) commands = top_level(node.registry());
  for (std::string_view name : call.args().subspan(2)) {
    if (const Registered* found = node.registry().find_full(name)) commands.push_back(found);
  }
  call.reply().map(commands.size());
  for (const Registered* each : commands) reply_command_docs(call.reply(), *each);
}

void docs(node::Node&, Call& call) {
  in_good_time(call, call.size(), answer_docs);
}

void help(node::Node&, Call& call) {
  reply_help(call, "COMMAND", kHelp);
}

}  // namespace

extern constinit const Command server_command{.name = "COMMAND",
                                              .summary = "Describes all commands.",
                                              .since = "2.8.13",
                                              .complexity = "O(N) with N the number of commands.",
                                              .group = Group::server,
                                              .arity = at_least(1),
                                              .access = Access::loading | Access::stale,
                                              .acl = Acl::connection,
                                              .runs = schema::on_node(command)};

extern constinit const Command server_command_count{
    .name = "COMMAND|COUNT",
    .summary = "Answers how many commands there are.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(count)};

extern constinit const Command server_command_info{
    .name = "COMMAND|INFO",
    .summary = "Describes some commands, or all: flags, keys, categories.",
    .since = "2.8.13",
    .complexity = "O(N) with N the number of commands asked for.",
    .syntax = "[command-name [command-name ...]]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(info),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_command_docs{
    .name = "COMMAND|DOCS",
    .summary = "Explains some commands, or all.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of commands asked for.",
    .syntax = "[command-name [command-name ...]]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(docs),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_command_help{.name = "COMMAND|HELP",
                                                   .summary = "Lists the subcommands.",
                                                   .since = "5.0.0",
                                                   .complexity = "O(1)",
                                                   .group = Group::server,
                                                   .arity = exactly(2),
                                                   .access = Access::loading | Access::stale,
                                                   .acl = Acl::connection,
                                                   .runs = schema::on_node(help)};

}  // namespace slotcar::commands
