// MODULE LIST, MODULE HELP
// MODULE LOAD path [arg ...], MODULE LOADEX path [CONFIG name value ...] [ARGS arg ...]
// MODULE UNLOAD name
//
// There are no modules, so the list is empty and nothing can be loaded. The commands exist because
// clients call MODULE LIST to learn what a server has, and because enable-module-command refuses
// the other three, as in Redis.
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/server/protection.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using node::Node;

constexpr std::string_view kHelp[] = {
    "LIST",
    "    Answer the loaded modules: none, there are no modules.",
    "LOAD <path> [<arg> ...]",
    "    Fails: there are no modules.",
    "LOADEX <path> [[CONFIG NAME VALUE] [CONFIG NAME VALUE]] [ARGS ...]",
    "    Fails likewise.",
    "UNLOAD <name>",
    "    Fails: no module has that name.",
};

void help(Node&, Call& call) {
  reply_help(call, "MODULE", kHelp);
}

void list(Node&, Call& call) {
  call.reply().array(0);
}

// False: refused, and answered.
bool is_allowed(Node& node, Call& call) {
  if (protected_action_allowed(node, "enable-module-command", call.caller().client)) return true;
  call.reply().error(protected_action_error("MODULE", "enable-module-command"));
  return false;
}

void load(Node& node, Call& call) {
  if (!is_allowed(node, call)) return;
  node.log().warning("Module {:.128} failed to load: modules are not implemented", call.arg(2));
  call.reply().error("ERR Error loading the extension. Please check the server logs.");
}

void unload(Node& node, Call& call) {
  if (!is_allowed(node, call)) return;
  call.reply().error("ERR Error unloading module: no such module with that name");
}

constexpr Access kAdmin = Access::admin | Access::noscript;
constexpr Access kChanges = kAdmin | Access::no_async_loading;

}  // namespace

extern constinit const Command server_module{.name = "MODULE",
                                             .summary = "What concerns modules: there are none.",
                                             .since = "4.0.0",
                                             .complexity = "Depends on the subcommand.",
                                             .group = Group::server,
                                             .arity = at_least(2),
                                             .runs = schema::container()};

extern constinit const Command server_module_help{.name = "MODULE|HELP",
                                                  .summary = "Lists the subcommands.",
                                                  .since = "5.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::server,
                                                  .arity = exactly(2),
                                                  .access = Access::loading | Access::stale,
                                                  .runs = schema::on_node(help)};

extern constinit const Command server_module_list{.name = "MODULE|LIST",
                                                  .summary = "Answers the loaded modules: none.",
                                                  .since = "4.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::server,
                                                  .arity = exactly(2),
                                                  .access = kAdmin,
                                                  .runs = schema::on_node(list)};

extern constinit const Command server_module_load{
    .name = "MODULE|LOAD",
    .summary = "Fails: there are no modules. It has to be allowed by enable-module-command.",
    .since = "4.0.0",
    .complexity = "O(1)",
    .syntax = "path [arg [arg ...]]",
    .group = Group::server,
    .arity = at_least(3),
    .access = kChanges,
    .runs = schema::on_node(load)};

extern constinit const Command server_module_loadex{
    .name = "MODULE|LOADEX",
    .summary = "Fails: there are no modules. It has to be allowed by enable-module-command.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .syntax =
        "path [CONFIG configs={name value} [CONFIG configs={name value} ...]] "
        "[ARGS args={arg}...]",
    .group = Group::server,
    .arity = at_least(3),
    .access = kChanges,
    .runs = schema::on_node(load)};

extern constinit const Command server_module_unload{
    .name = "MODULE|UNLOAD",
    .summary = "Fails: there are no modules. It has to be allowed by enable-module-command.",
    .since = "4.0.0",
    .complexity = "O(1)",
    .syntax = "name",
    .group = Group::server,
    .arity = exactly(3),
    .access = kChanges,
    .runs = schema::on_node(unload)};

}  // namespace slotcar::commands
