// FUNCTION LOAD | DELETE | FLUSH | RESTORE | DUMP | LIST | STATS | KILL | HELP. What changes
// libraries holds every token, so that each call sees them as of one moment.
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/glob.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/scripting/killed.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

using base::equals_ignoring_case;
using eval::Scripts;

constexpr std::string_view kHelp[] = {
    "LOAD [REPLACE] <FUNCTION CODE>",
    "    Keeps a library; its first line names it.",
    "DELETE <LIBRARY NAME>",
    "    Removes a library.",
    "LIST [LIBRARYNAME PATTERN] [WITHCODE]",
    "    The libraries and their functions.",
    "STATS",
    "    What runs now, and how many libraries and functions there are.",
    "KILL",
    "    Ends the function that has been running for longest and has written nothing.",
    "FLUSH [ASYNC|SYNC]",
    "    Removes all libraries.",
    "DUMP",
    "    All libraries as one value, for RESTORE.",
    "RESTORE <PAYLOAD> [FLUSH|APPEND|REPLACE]",
    "    Brings back what DUMP gave. Libraries that are there stay (APPEND, the default: the same",
    "    name is an error), give way to those of the same name (REPLACE), or go (FLUSH).",
};

void load(Call& call) {
  bool replace = false;
  std::size_t at = 2;
  for (; at + 1 < call.size(); ++at) {
    if (!equals_ignoring_case(call.arg(at), "REPLACE")) {
      return call.reply().error("ERR Unknown option given: " + std::string(call.arg(at)));
    }
    replace = true;
  }
  const auto name = call.node().scripts().load_library(call, call.arg(at), replace);
  if (!name) return call.reply().error(name.error().message);
  call.reply().bulk(*name);
}

void remove(Call& call) {
  const Status removed = call.node().scripts().delete_library(call, call.arg(2));
  if (!removed) return call.reply().error(removed.error().message);
  call.reply().ok();
}

void reply_wrong_number(Call& call) {
  call.reply().error(fmt::format(
      "ERR unknown subcommand or wrong number of arguments for '{:.128}'. Try FUNCTION HELP.",
      call.arg(1)));
}

void flush(Call& call) {
  if (call.size() > 3) return reply_wrong_number(call);
  const bool fits = call.size() == 2 || equals_ignoring_case(call.arg(2), "SYNC") ||
                    equals_ignoring_case(call.arg(2), "ASYNC");
  if (!fits) return call.reply().error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
  call.node().scripts().flush_libraries(call);
  call.reply().ok();
}

void restore(Call& call) {
  auto how = Scripts::Restore::append;
  if (call.size() > 4) return reply_wrong_number(call);
  if (call.size() == 4) {
    if (equals_ignoring_case(call.arg(3), "REPLACE")) {
      how = Scripts::Restore::replace;
    } else if (equals_ignoring_case(call.arg(3), "FLUSH")) {
      how = Scripts::Restore::flush;
    } else if (!equals_ignoring_case(call.arg(3), "APPEND")) {
      return call.reply().error(
          "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
    }
  }
  const Status restored = call.node().scripts().restore_libraries(call, call.arg(2), how);
  if (!restored) return call.reply().error(restored.error().message);
  call.reply().ok();
}

void dump(node::Node& node, Call& call) {
  call.reply().bulk(eval::dump_libraries(*node.scripts().functions().all()));
}

void list_function(Call& call, const eval::FunctionInfo& function) {
  call.reply().map(3);
  call.reply().bulk("name");
  call.reply().bulk(function.name);
  call.reply().bulk("description");
  if (function.has_description) {
    call.reply().bulk(function.description);
  } else {
    call.reply().null();
  }
  call.reply().bulk("flags");
  const auto flags = scripting::names_of(function.flags);
  call.reply().set(flags.size());
  for (const std::string_view flag : flags) call.reply().simple(flag);
}

void list_library(Call& call, const eval::LibraryInfo& library, bool with_code) {
  call.reply().map(with_code ? 4 : 3);
  call.reply().bulk("library_name");
  call.reply().bulk(library.name);
  call.reply().bulk("engine");
  call.reply().bulk("LUA");
  call.reply().bulk("functions");
  call.reply().array(library.functions.size());
  for (const eval::FunctionInfo& function : library.functions) list_function(call, function);
  if (!with_code) return;
  call.reply().bulk("library_code");
  call.reply().bulk(library.text);
}

void list(node::Node& node, Call& call) {
  bool with_code = false;
  std::optional<std::string_view> pattern;
  for (std::size_t i = 2; i < call.size(); ++i) {
    if (!with_code && equals_ignoring_case(call.arg(i), "WITHCODE")) {
      with_code = true;
    } else if (!pattern && equals_ignoring_case(call.arg(i), "LIBRARYNAME")) {
      if (++i == call.size()) {
        return call.reply().error("ERR library name argument was not given");
      }
      pattern = call.arg(i);
    } else {
      return call.reply().error("ERR Unknown argument " + std::string(call.arg(i)));
    }
  }
  const auto libraries = node.scripts().functions().all();
  std::vector<const eval::LibraryInfo*> shown;
  for (const auto& [name, library] : libraries->by_name()) {
    if (!pattern || base::glob_match(*pattern, name, true)) {
      shown.push_back(library.get());
    }
  }
  call.reply().array(shown.size());
  for (const eval::LibraryInfo* library : shown) list_library(call, *library, with_code);
}

void stats(node::Node& node, Call& call) {
  const auto libraries = node.scripts().functions().all();
  eval::Running::What running;
  call.reply().map(2);
  call.reply().bulk("running_script");
  if (!node.scripts().busiest(running)) {
    call.reply().null();
  } else {
    call.reply().map(3);
    call.reply().bulk("name");
    call.reply().bulk(running.name);
    call.reply().bulk("command");
    call.reply().array(running.command.size());
    for (const std::string& word : running.command) call.reply().bulk(word);
    call.reply().bulk("duration_ms");
    call.reply().integer((node.clock().monotonic() - running.began) / runtime::kMillisecond);
  }
  call.reply().bulk("engines");
  call.reply().map(1);
  call.reply().bulk("LUA");
  call.reply().map(2);
  call.reply().bulk("libraries_count");
  call.reply().integer(static_cast<std::int64_t>(libraries->by_name().size()));
  call.reply().bulk("functions_count");
  call.reply().integer(static_cast<std::int64_t>(libraries->functions()));
}

void kill(node::Node& node, Call& call) {
  reply_killed(call, node.scripts().kill(eval::ScriptKind::function));
}

void help(node::Node&, Call& call) {
  reply_help(call, "FUNCTION", kHelp);
}

constexpr Access kChanges = Access::write | Access::noscript;

}  // namespace

extern constinit const Command scripting_function{.name = "FUNCTION",
                                                  .summary = "Looks after libraries of functions.",
                                                  .since = "7.0.0",
                                                  .complexity = "Depends on the subcommand.",
                                                  .group = Group::scripting,
                                                  .arity = at_least(2),
                                                  .runs = schema::container()};

extern constinit const Command scripting_function_load{
    .name = "FUNCTION|LOAD",
    .summary = "Keeps a library of functions.",
    .since = "7.0.0",
    .complexity = "O(N) with N the length of the library.",
    .syntax = "[REPLACE] function-code",
    .group = Group::scripting,
    .arity = at_least(3),
    .access = kChanges | Access::may_grow,
    .acl = Acl::scripting,
    .runs = schema::on_all_shards(load),
    .when_large = WhenLarge::hold,
    .size = schema::always_large};

extern constinit const Command scripting_function_delete{.name = "FUNCTION|DELETE",
                                                         .summary = "Removes a library.",
                                                         .since = "7.0.0",
                                                         .complexity = "O(1)",
                                                         .syntax = "library-name",
                                                         .group = Group::scripting,
                                                         .arity = exactly(3),
                                                         .access = kChanges,
                                                         .acl = Acl::scripting,
                                                         .runs = schema::on_all_shards(remove)};

extern constinit const Command scripting_function_flush{
    .name = "FUNCTION|FLUSH",
    .summary = "Removes all libraries.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of functions.",
    .syntax = "[async=<ASYNC | SYNC>]",
    .group = Group::scripting,
    .arity = at_least(2),
    .access = kChanges,
    .acl = Acl::scripting,
    .runs = schema::on_all_shards(flush)};

extern constinit const Command scripting_function_restore{
    .name = "FUNCTION|RESTORE",
    .summary = "Brings back libraries that DUMP has given.",
    .since = "7.0.0",
    .complexity = "O(N) with N the length of the payload.",
    .syntax = "serialized-value [policy=<FLUSH | APPEND | REPLACE>]",
    .group = Group::scripting,
    .arity = at_least(3),
    .access = kChanges | Access::may_grow,
    .acl = Acl::scripting,
    .runs = schema::on_all_shards(restore),
    .when_large = WhenLarge::hold,
    .size = schema::always_large};

extern constinit const Command scripting_function_dump{
    .name = "FUNCTION|DUMP",
    .summary = "All libraries as one value.",
    .since = "7.0.0",
    .complexity = "O(N) with N the length of all.",
    .group = Group::scripting,
    .arity = exactly(2),
    .access = Access::noscript,
    .acl = Acl::scripting,
    .runs = schema::on_node(dump)};

extern constinit const Command scripting_function_list{
    .name = "FUNCTION|LIST",
    .summary = "Names the libraries and their functions.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of functions.",
    .syntax = "[LIBRARYNAME library-name-pattern] [WITHCODE]",
    .group = Group::scripting,
    .arity = at_least(2),
    .access = Access::noscript,
    .acl = Acl::scripting,
    .runs = schema::on_node(list)};

extern constinit const Command scripting_function_stats{
    .name = "FUNCTION|STATS",
    .summary = "Tells which function runs, and counts libraries.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .group = Group::scripting,
    .arity = exactly(2),
    .access = Access::noscript | Access::allow_busy,
    .acl = Acl::scripting,
    .runs = schema::on_node(stats)};

extern constinit const Command scripting_function_kill{
    .name = "FUNCTION|KILL",
    .summary = "Ends the function that has been running for longest.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .group = Group::scripting,
    .arity = exactly(2),
    .access = Access::noscript | Access::allow_busy,
    .acl = Acl::scripting,
    .runs = schema::on_node(kill)};

extern constinit const Command scripting_function_help{.name = "FUNCTION|HELP",
                                                       .summary = "Explains the subcommands.",
                                                       .since = "7.0.0",
                                                       .complexity = "O(1)",
                                                       .group = Group::scripting,
                                                       .arity = exactly(2),
                                                       .access = Access::loading | Access::stale,
                                                       .acl = Acl::scripting,
                                                       .runs = schema::on_node(help)};

}  // namespace slotcar::commands
