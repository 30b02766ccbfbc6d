#include "commands/server/command_reply.h"

#include <algorithm>
#include <iterator>

#include "commands/server/command_tips.h"
#include "schema/argument.h"
#include "schema/command_info.h"

namespace slotcar::commands {
namespace {

using resp::ReplyWriter;
using schema::KeySpecInfo;
using schema::Registered;

void reply_number(ReplyWriter& reply, std::string_view name, int value) {
  reply.bulk(name);
  reply.integer(value);
}

void reply_text(ReplyWriter& reply, std::string_view name, std::string_view value) {
  reply.bulk(name);
  reply.bulk(value);
}

void reply_begin(ReplyWriter& reply, const KeySpecInfo& spec) {
  reply.bulk("begin_search");
  reply.map(2);
  switch (spec.begin) {
    case KeySpecInfo::Begin::unknown:
      reply_text(reply, "type", "unknown");
      reply.bulk("spec");
      reply.map(0);
      break;
    case KeySpecInfo::Begin::index:
      reply_text(reply, "type", "index");
      reply.bulk("spec");
      reply.map(1);
      reply_number(reply, "index", spec.index);
      break;
    case KeySpecInfo::Begin::keyword:
      reply_text(reply, "type", "keyword");
      reply.bulk("spec");
      reply.map(2);
      reply_text(reply, "keyword", spec.keyword);
      reply_number(reply, "startfrom", spec.start_from);
      break;
  }
}

void reply_find(ReplyWriter& reply, const KeySpecInfo& spec) {
  reply.bulk("find_keys");
  reply.map(2);
  switch (spec.find) {
    case KeySpecInfo::Find::unknown:
      reply_text(reply, "type", "unknown");
      reply.bulk("spec");
      reply.map(0);
      break;
    case KeySpecInfo::Find::range:
      reply_text(reply, "type", "range");
      reply.bulk("spec");
      reply.map(3);
      reply_number(reply, "lastkey", spec.last_key);
      reply_number(reply, "keystep", spec.step);
      reply_number(reply, "limit", spec.limit);
      break;
    case KeySpecInfo::Find::keynum:
      reply_text(reply, "type", "keynum");
      reply.bulk("spec");
      reply.map(3);
      reply_number(reply, "keynumidx", spec.key_count_at);
      reply_number(reply, "firstkey", spec.first_key);
      reply_number(reply, "keystep", spec.step);
      break;
  }
}

void reply_arguments(ReplyWriter& reply, const std::vector<schema::Argument>& arguments);

void reply_argument(ReplyWriter& reply, const schema::Argument& argument) {
  const std::size_t flags = argument.optional + argument.multiple + argument.multiple_token;
  reply.map(2 + (argument.key_spec >= 0) + !argument.token.empty() + !argument.since.empty() +
            !argument.deprecated_since.empty() + (flags > 0) + !argument.arguments.empty());
  reply_text(reply, "name", argument.name);
  reply_text(reply, "type", schema::argument_type_name(argument.type));
  if (argument.key_spec >= 0) reply_number(reply, "key_spec_index", argument.key_spec);
  if (!argument.token.empty()) reply_text(reply, "token", argument.token);
  if (!argument.since.empty()) reply_text(reply, "since", argument.since);
  if (!argument.deprecated_since.empty()) {
    reply_text(reply, "deprecated_since", argument.deprecated_since);
  }
  if (flags > 0) {
    reply.bulk("flags");
    reply.set(flags);
    if (argument.optional) reply.simple("optional");
    if (argument.multiple) reply.simple("multiple");
    if (argument.multiple_token) reply.simple("multiple_token");
  }
  if (argument.arguments.empty()) return;
  reply.bulk("arguments");
  reply_arguments(reply, argument.arguments);
}

void reply_arguments(ReplyWriter& reply, const std::vector<schema::Argument>& arguments) {
  reply.array(arguments.size());
  for (const schema::Argument& argument : arguments) reply_argument(reply, argument);
}

void reply_tips(ReplyWriter& reply, std::string_view name) {
  const auto found = std::ranges::lower_bound(kCommandTips, name, {}, &CommandTips::name);
  if (found == std::end(kCommandTips) || found->name != name) return reply.set(0);
  const auto& tips = found->tips;
  const auto end = std::ranges::find(tips, std::string_view());
  reply.set(static_cast<std::size_t>(end - tips.begin()));
  for (auto tip = tips.begin(); tip != end; ++tip) reply.bulk(*tip);
}

}  // namespace

void reply_command_info(ReplyWriter& reply, const Registered& command) {
  const schema::CommandInfo info = schema::command_info(*command.command);
  reply.array(10);
  reply.bulk(command.lower_name);
  reply.integer(info.arity);
  reply.set(info.flags.size());
  for (std::string_view flag : info.flags) reply.simple(flag);
  reply.integer(info.keys.first);
  reply.integer(info.keys.last);
  reply.integer(info.keys.step);
  reply.set(info.categories.size());
  for (std::string_view category : info.categories) reply.simple("@" + std::string(category));
  reply_tips(reply, command.lower_name);
  reply.set(info.key_specs.size());
  for (const KeySpecInfo& spec : info.key_specs) {
    reply.map(3);
    reply.bulk("flags");
    reply.set(spec.flags.size());
    for (std::string_view flag : spec.flags) reply.simple(flag);
    reply_begin(reply, spec);
    reply_find(reply, spec);
  }
  reply.set(command.subcommands.size());
  for (const Registered* subcommand : command.subcommands) {
    reply_command_info(reply, *subcommand);
  }
}

void reply_command_docs(ReplyWriter& reply, const Registered& command) {
  const schema::Command& declared = *command.command;
  reply.bulk(command.lower_name);
  const std::size_t optional = (declared.complexity.empty() ? 0 : 1) +
                               (declared.syntax.empty() ? 0 : 1) +
                               (command.subcommands.empty() ? 0 : 1);
  reply.map(3 + optional);
  reply_text(reply, "summary", declared.summary);
  reply_text(reply, "since", declared.since);
  reply_text(reply, "group", schema::group_name(declared.group));
  if (!declared.complexity.empty()) reply_text(reply, "complexity", declared.complexity);
  if (!declared.syntax.empty()) {
    reply.bulk("arguments");
    reply_arguments(reply, schema::arguments_of(declared.syntax, declared.keys));
  }
  if (command.subcommands.empty()) return;
  reply.bulk("subcommands");
  reply.map(command.subcommands.size());
  for (const Registered* subcommand : command.subcommands) {
    reply_command_docs(reply, *subcommand);
  }
}

}  // namespace slotcar::commands
