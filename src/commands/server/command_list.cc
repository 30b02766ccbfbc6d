// COMMAND LIST [FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]
#include "base/ascii.h"
#include "base/glob.h"
#include "commands/declare.h"
#include "node/node.h"
#include "schema/command_info.h"

namespace slotcar::commands {
namespace {

using schema::Registered;

void list(node::Node& node, Call& call) {
  enum class Filter { none, module, category, pattern } filter = Filter::none;
  if (call.size() != 2) {
    const bool filtered = call.size() == 5 && base::equals_ignoring_case(call.arg(2), "FILTERBY");
    const auto is = [&](std::string_view word) {
      return filtered && base::equals_ignoring_case(call.arg(3), word);
    };
    if (is("MODULE")) {
      filter = Filter::module;
    } else if (is("ACLCAT")) {
      filter = Filter::category;
    } else if (is("PATTERN")) {
      filter = Filter::pattern;
    } else {
      return call.reply().error(schema::kSyntaxError);
    }
  }
  std::vector<const Registered*> found;
  for (const Registered& command : node.registry().all()) {
    if (command.removed) continue;
    bool fits = true;
    switch (filter) {
      case Filter::none:
        break;
      case Filter::module:  // no command comes from a module
        fits = false;
        break;
      case Filter::category:
        fits = has(schema::acl_categories(*command.command), schema::acl_category(call.arg(4)));
        break;
      case Filter::pattern:
        fits = base::glob_match(call.arg(4), command.lower_name, /*ignore_case=*/true);
        break;
    }
    if (fits) found.push_back(&command);
  }
  call.reply().array(found.size());
  for (const Registered* command : found) call.reply().bulk(command->lower_name);
}

}  // namespace

extern constinit const Command server_command_list{
    .name = "COMMAND|LIST",
    .summary = "Answers the names of all commands, or of those that fit.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of commands.",
    .syntax = "[FILTERBY filterby=<MODULE module-name | ACLCAT category | PATTERN pattern>]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(list)};

}  // namespace slotcar::commands
