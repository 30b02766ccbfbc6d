// CONFIG GET parameter [parameter ...]
// CONFIG SET parameter value [parameter value ...]
// CONFIG RESETSTAT, CONFIG REWRITE, CONFIG HELP
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/server/protection.h"
#include "node/configuration.h"
#include "node/node.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using node::Node;

constexpr std::string_view kHelp[] = {
    "GET <pattern> [<pattern> ...]",
    "    Answer the settings whose names fit a pattern.",
    "SET <directive> <value> [<directive> <value> ...]",
    "    Change settings: all of them, or none if one cannot be.",
    "RESETSTAT",
    "    Begin the counts of INFO anew.",
    "REWRITE",
    "    Write the settings into the configuration file.",
};

void help(Node&, Call& call) {
  reply_help(call, "CONFIG", kHelp);
}

void get(Node& node, Call& call) {
  const auto found = node.configuration().get(call.args().subspan(2));
  call.reply().map(found.size());
  for (const auto& [name, value] : found) {
    call.reply().bulk(name);
    call.reply().bulk(value);
  }
}

void set(session::Session& session, Call& call) {
  if (call.size() % 2 != 0) return call.reply().error(schema::kSyntaxError);
  Node& node = *session.services().node;
  std::vector<node::Configuration::Change> changes;
  for (std::size_t i = 2; i < call.size(); i += 2)
    changes.emplace_back(call.arg(i), call.arg(i + 1));
  node::Configuration::Setter setter;
  setter.may_change_guarded =
      protected_action_allowed(node, "enable-protected-configs", call.caller().client);
  setter.worker = &session.worker();
  const Status status = node.configuration().set(changes, setter);
  if (!status) return call.reply().error(status.error().message);
  call.reply().ok();
}

void resetstat(Node& node, Call& call) {
  node.reset_statistics();
  call.reply().ok();
}

// Files are written on another thread: a sync may take very long.
void rewrite_file(Call& call) {
  const Status status = call.node().configuration().rewrite();
  if (!status) return call.reply().error(status.error().message);
  call.reply().ok();
}

void rewrite(Node&, Call& call) {
  call.finish_without_tokens(rewrite_file);
}

}  // namespace

extern constinit const Command server_config{.name = "CONFIG",
                                             .summary = "What concerns the settings.",
                                             .since = "2.0.0",
                                             .complexity = "Depends on the subcommand.",
                                             .group = Group::server,
                                             .arity = at_least(2),
                                             .runs = schema::container()};

extern constinit const Command server_config_help{.name = "CONFIG|HELP",
                                                  .summary = "Lists the subcommands.",
                                                  .since = "5.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::server,
                                                  .arity = exactly(2),
                                                  .access = Access::loading | Access::stale,
                                                  .runs = schema::on_node(help)};

extern constinit const Command server_config_get{
    .name = "CONFIG|GET",
    .summary = "Answers settings by name or pattern.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of settings.",
    .syntax = "{parameter}...",
    .group = Group::server,
    .arity = at_least(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(get)};

extern constinit const Command server_config_set{
    .name = "CONFIG|SET",
    .summary = "Changes settings, all of them or none.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of settings given.",
    .syntax = "parameter value [parameter value ...]",
    .group = Group::server,
    .arity = at_least(4),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_session(set)};

extern constinit const Command server_config_resetstat{
    .name = "CONFIG|RESETSTAT",
    .summary = "Begins the counts of INFO anew.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(resetstat)};

extern constinit const Command server_config_rewrite{
    .name = "CONFIG|REWRITE",
    .summary = "Writes the settings into the configuration file.",
    .since = "2.8.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(rewrite),
    .when_large = WhenLarge::pin_and_answer};

}  // namespace slotcar::commands
