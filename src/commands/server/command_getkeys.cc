// COMMAND GETKEYS command [arg [arg ...]]
// COMMAND GETKEYSANDFLAGS command [arg [arg ...]]
#include "commands/declare.h"
#include "commands/in_good_time.h"
#include "node/node.h"
#include "schema/command_info.h"

namespace slotcar::commands {
namespace {

using schema::Registered;

struct FoundKey {
  std::size_t index;
  KeyUse use;
};

// Answers the error itself.
std::optional<std::vector<FoundKey>> find(Call& call) {
  const node::Node& node = call.node();
  const schema::ArgSpan request = call.args().subspan(2);
  const Registered* command = node.registry().find(request[0]);
  if (command != nullptr && !command->subcommands.empty() && request.size() > 1) {
    command = node.registry().find_subcommand(*command, request[1]);
  }
  std::string_view error;
  std::vector<FoundKey> found;
  if (command == nullptr) {
    error = "ERR Invalid command specified";
  } else if (command->command->keys.count == 0) {
    error = "ERR The command has no key arguments";
  } else if (!command->command->arity.accepts(request.size())) {
    error = "ERR Invalid number of arguments specified for command";
  } else {
    const schema::KeyEmit add = [](void* sink, std::size_t index, KeyUse use) {
      static_cast<std::vector<FoundKey>*>(sink)->push_back({index, use});
    };
    const bool fits = command->command->key_uses != nullptr
                          ? command->command->key_uses(request, &found, add)
                          : schema::find_keys(command->command->keys, request, &found, add);
    const bool needs_keys = !has(command->command->access, Access::no_mandatory_keys);
    if (!fits || (found.empty() && needs_keys)) {
      error = "ERR Invalid arguments specified for command";
    }
  }
  if (error.empty()) return found;
  call.reply().error(error);
  return std::nullopt;
}

void answer_keys(Call& call) {
  const auto found = find(call);
  if (!found) return;
  call.reply().array(found->size());
  for (const FoundKey& key : *found) call.reply().bulk(call.arg(2 + key.index));
}

void answer_keys_and_flags(Call& call) {
  const auto found = find(call);
  if (!found) return;
  call.reply().array(found->size());
  for (const FoundKey& key : *found) {
    call.reply().array(2);
    call.reply().bulk(call.arg(2 + key.index));
    const auto names = schema::key_use_names(key.use);
    call.reply().set(names.size());
    for (std::string_view name : names) call.reply().simple(name);
  }
}

void getkeys(node::Node&, Call& call) {
  in_good_time(call, call.size(), answer_keys);
}

void getkeysandflags(node::Node&, Call& call) {
  in_good_time(call, call.size(), answer_keys_and_flags);
}

}  // namespace

extern constinit const Command server_command_getkeys{
    .name = "COMMAND|GETKEYS",
    .summary = "Answers which arguments of a command are keys.",
    .since = "2.8.13",
    .complexity = "O(N) with N the number of arguments.",
    .syntax = "command [arg [arg ...]]",
    .group = Group::server,
    .arity = at_least(4),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(getkeys),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_command_getkeysandflags{
    .name = "COMMAND|GETKEYSANDFLAGS",
    .summary = "Answers which arguments of a command are keys, and what is done with each.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of arguments.",
    .syntax = "command [arg [arg ...]]",
    .group = Group::server,
    .arity = at_least(4),
    .access = Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_node(getkeysandflags),
    .when_large = WhenLarge::pin_and_answer};

}  // namespace slotcar::commands
