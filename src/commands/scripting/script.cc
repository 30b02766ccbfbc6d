// SCRIPT LOAD | EXISTS | SHOW | FLUSH | KILL | DEBUG | HELP
#include "base/ascii.h"
#include "base/limits.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/scripting/killed.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using base::equals_ignoring_case;

constexpr std::string_view kHelp[] = {
    "DEBUG (YES|SYNC|NO)",
    "    There is no debugger of scripts here: only NO is accepted.",
    "EXISTS <sha1> [<sha1> ...]",
    "    Whether the server has these scripts.",
    "FLUSH [ASYNC|SYNC]",
    "    Forgets all scripts.",
    "KILL",
    "    Ends the script that has been running for longest and has written nothing.",
    "LOAD <script>",
    "    Keeps a script for EVALSHA without running it.",
    "SHOW <sha1>",
    "    The text of a script.",
};

void load(Call& call) {
  const auto sha = call.node().scripts().load(call, call.arg(2));
  if (!sha) return call.reply().error(sha.error().message);
  call.reply().bulk(*sha);
}

std::size_t size_of_text(const Call& call) {
  return call.arg(2).size() > limits::kScriptTextQuickMax ? SIZE_MAX : 1;
}

void exists(node::Node& node, Call& call) {
  call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) {
    call.reply().integer(node.scripts().exists(base::lowered(call.arg(i))) ? 1 : 0);
  }
}

void show(node::Node& node, Call& call) {
  const auto script = node.scripts().find(base::lowered(call.arg(2)));
  if (script == nullptr) return call.reply().error("NOSCRIPT No matching script.");
  call.reply().bulk(script->text);
}

void flush(node::Node& node, Call& call) {
  const bool fits =
      call.size() == 2 || (call.size() == 3 && (equals_ignoring_case(call.arg(2), "SYNC") ||
                                                equals_ignoring_case(call.arg(2), "ASYNC")));
  if (!fits) return call.reply().error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  node.scripts().flush();
  call.reply().ok();
}

void kill(node::Node& node, Call& call) {
  reply_killed(call, node.scripts().kill(eval::ScriptKind::script));
}

void debug(node::Node&, Call& call) {
  const std::string_view mode = call.arg(2);
  if (equals_ignoring_case(mode, "NO")) return call.reply().ok();
  if (!equals_ignoring_case(mode, "YES") && !equals_ignoring_case(mode, "SYNC")) {
    return call.reply().error("ERR Use SCRIPT DEBUG YES/SYNC/NO");
  }
  call.reply().error("ERR there is no debugger of scripts");
}

void help(node::Node&, Call& call) {
  reply_help(call, "SCRIPT", kHelp);
}

}  // namespace

extern constinit const Command scripting_script{.name = "SCRIPT",
                                                .summary = "Looks after the scripts that are kept.",
                                                .since = "2.6.0",
                                                .complexity = "Depends on the subcommand.",
                                                .group = Group::scripting,
                                                .arity = at_least(2),
                                                .runs = schema::container()};

extern constinit const Command scripting_script_load{
    .name = "SCRIPT|LOAD",
    .summary = "Keeps a script for EVALSHA.",
    .since = "2.6.0",
    .complexity = "O(N) with N the length of the script.",
    .syntax = "script",
    .group = Group::scripting,
    .arity = exactly(3),
    .access = Access::noscript | Access::stale,
    .acl = Acl::scripting,
    .runs = on_keys(load),
    .when_large = WhenLarge::hold,
    .size = size_of_text};

extern constinit const Command scripting_script_exists{
    .name = "SCRIPT|EXISTS",
    .summary = "Tells whether scripts are kept.",
    .since = "2.6.0",
    .complexity = "O(N) with N the number of scripts asked for.",
    .syntax = "sha1 [sha1 ...]",
    .group = Group::scripting,
    .arity = at_least(3),
    .access = Access::noscript,
    .acl = Acl::scripting,
    .runs = schema::on_node(exists)};

extern constinit const Command scripting_script_show{.name = "SCRIPT|SHOW",
                                                     .summary = "Answers the text of a script.",
                                                     .since = "8.0.0",
                                                     .complexity = "O(1)",
                                                     .syntax = "sha1",
                                                     .group = Group::scripting,
                                                     .arity = exactly(3),
                                                     .access = Access::noscript,
                                                     .acl = Acl::scripting,
                                                     .runs = schema::on_node(show)};

extern constinit const Command scripting_script_flush{
    .name = "SCRIPT|FLUSH",
    .summary = "Forgets all scripts.",
    .since = "2.6.0",
    .complexity = "O(N) with N the number of scripts.",
    .syntax = "[async=<ASYNC | SYNC>@6.2.0]",
    .group = Group::scripting,
    .arity = at_least(2),
    .access = Access::noscript,
    .acl = Acl::scripting,
    .runs = schema::on_node(flush)};

extern constinit const Command scripting_script_kill{
    .name = "SCRIPT|KILL",
    .summary = "Ends the script that has been running for longest.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .group = Group::scripting,
    .arity = exactly(2),
    .access = Access::noscript | Access::allow_busy,
    .acl = Acl::scripting,
    .runs = schema::on_node(kill)};

extern constinit const Command scripting_script_debug{
    .name = "SCRIPT|DEBUG",
    .summary = "Would switch the debugger of scripts on; there is none.",
    .since = "3.2.0",
    .complexity = "O(1)",
    .syntax = "mode=<YES | SYNC | NO>",
    .group = Group::scripting,
    .arity = exactly(3),
    .access = Access::noscript,
    .acl = Acl::scripting,
    .runs = schema::on_node(debug)};

extern constinit const Command scripting_script_help{.name = "SCRIPT|HELP",
                                                     .summary = "Explains the subcommands.",
                                                     .since = "5.0.0",
                                                     .complexity = "O(1)",
                                                     .group = Group::scripting,
                                                     .arity = exactly(2),
                                                     .access = Access::loading | Access::stale,
                                                     .acl = Acl::scripting,
                                                     .runs = schema::on_node(help)};

}  // namespace slotcar::commands
