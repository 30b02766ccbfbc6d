// SLOWLOG GET [count] | LEN | RESET | HELP
#include <fmt/format.h>

#include "base/numbers.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/in_good_time.h"
#include "console/slow_log.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBadCount = "ERR count should be greater than or equal to -1";
constexpr std::int64_t kCountDefault = 10;

constexpr std::string_view kHelp[] = {
    "GET [<count>]",
    "    Answer the newest calls that took long (default: 10, -1: all). Of each:",
    "    its number, when it ended (unix time), how long it ran (microseconds), its arguments,",
    "    the client's address and name.",
    "LEN",
    "    Answer how many are kept.",
    "RESET",
    "    Forget them.",
};

struct Taken final : shard::CallState {
  console::SlowLog::Entries entries;
};

void show(Call& call) {
  auto& entries = call.state<Taken>().entries;
  call.reply().array(entries.size());
  for (const auto& entry : entries) {
    call.reply().array(6);
    call.reply().integer(entry->id);
    call.reply().integer(entry->unix_seconds);
    call.reply().integer(entry->microseconds);
    call.reply().array(entry->words.size());
    for (const std::string& word : entry->words) call.reply().bulk(word);
    call.reply().bulk(entry->address);
    call.reply().bulk(entry->name);
  }
  entries.clear();
}

void forget(Call& call) {
  call.state<Taken>().entries.clear();
  call.reply().ok();
}

void get(node::Node& node, Call& call) {
  std::int64_t count = kCountDefault;
  if (call.size() > 3) {
    return call.reply().error(fmt::format(
        "ERR unknown subcommand or wrong number of arguments for '{:.128}'. Try SLOWLOG HELP.",
        call.arg(1)));
  }
  if (call.size() == 3) {
    const auto given = base::parse_int64(call.arg(2));
    if (!given || *given < -1) return call.reply().error(kBadCount);
    count = *given;
  }
  auto& taken = call.state<Taken>();
  taken.entries = node.slow_log().newest(count < 0 ? SIZE_MAX : static_cast<std::size_t>(count));
  in_good_time(call, taken.entries.size(), show);
}

void len(node::Node& node, Call& call) {
  call.reply().integer(static_cast<std::int64_t>(node.slow_log().length()));
}

void reset(node::Node& node, Call& call) {
  auto& taken = call.state<Taken>();
  taken.entries = node.slow_log().take();
  in_good_time(call, taken.entries.size(), forget);
}

void help(node::Node&, Call& call) {
  reply_help(call, "SLOWLOG", kHelp);
}

}  // namespace

extern constinit const Command server_slowlog{.name = "SLOWLOG",
                                              .summary = "What concerns the log of slow calls.",
                                              .since = "2.2.12",
                                              .complexity = "Depends on subcommand.",
                                              .group = Group::server,
                                              .arity = at_least(2),
                                              .runs = schema::container()};

extern constinit const Command server_slowlog_get{
    .name = "SLOWLOG|GET",
    .summary = "Answers the newest calls that took long.",
    .since = "2.2.12",
    .complexity = "O(N) with N the number of entries answered.",
    .syntax = "[count]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::admin | Access::loading | Access::stale,
    .runs = schema::on_node(get),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_slowlog_len{
    .name = "SLOWLOG|LEN",
    .summary = "Answers how many calls the slow log holds.",
    .since = "2.2.12",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::loading | Access::stale,
    .runs = schema::on_node(len)};

extern constinit const Command server_slowlog_reset{
    .name = "SLOWLOG|RESET",
    .summary = "Empties the slow log.",
    .since = "2.2.12",
    .complexity = "O(N) with N the number of entries.",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::loading | Access::stale,
    .runs = schema::on_node(reset),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_slowlog_help{.name = "SLOWLOG|HELP",
                                                   .summary = "Lists the subcommands.",
                                                   .since = "6.2.0",
                                                   .complexity = "O(1)",
                                                   .group = Group::server,
                                                   .arity = exactly(2),
                                                   .access = Access::loading | Access::stale,
                                                   .runs = schema::on_node(help)};

}  // namespace slotcar::commands
