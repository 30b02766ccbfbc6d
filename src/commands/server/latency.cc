// LATENCY HISTOGRAM [command [command ...]], LATENCY HELP
#include <algorithm>

#include "base/ascii.h"
#include "base/histogram.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/in_good_time.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "HISTOGRAM [<command> ...]",
    "    Answer how long the calls of these commands, or of all, took: for each, how many took",
    "    at most so many microseconds.",
};

using node::Statistics;

bool is_wanted(const Call& call, const schema::Registered& command) {
  if (call.size() == 2) return true;
  for (std::string_view name : call.args().subspan(2)) {
    if (base::equals_ignoring_case(name, command.lower_name)) return true;
    // A container's name stands for all its subcommands.
    if (command.container != nullptr &&
        base::equals_ignoring_case(name, command.container->lower_name)) {
      return true;
    }
  }
  return false;
}

// Powers of two of 1024 ns, each with how many calls took no longer; those that add nothing to the
// one before are left out.
std::vector<std::pair<std::int64_t, std::int64_t>> steps_of(const base::Histogram& cycles,
                                                            double nanoseconds_per_cycle) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  std::int64_t before = 0;
  // Longer times than a histogram knows count as its longest.
  constexpr int kLastPower = 60;
  for (int power = 10; power <= kLastPower && before < cycles.count(); ++power) {
    const std::int64_t ns = std::int64_t{1} << power;
    const double bound = static_cast<double>(ns) / nanoseconds_per_cycle;
    const auto most = static_cast<double>(base::Histogram::kValueMax);
    const std::int64_t until = cycles.count_up_to(static_cast<std::int64_t>(std::min(bound, most)));
    if (until > before) steps.emplace_back(ns / 1000, until);
    before = until;
  }
  return steps;
}

void answer_histogram(Call& call) {
  node::Node& node = call.node();
  std::vector<Statistics::Latency> all = node.statistics().latencies(node);
  std::erase_if(all,
                [&](const Statistics::Latency& each) { return !is_wanted(call, *each.command); });
  resp::ReplyWriter& reply = call.reply();
  reply.map(all.size());
  for (const Statistics::Latency& each : all) {
    const auto steps = steps_of(*each.cycles, node.nanoseconds_per_cycle());
    reply.bulk(each.command->lower_name);
    reply.map(2);
    reply.bulk("calls");
    reply.integer(each.cycles->count());
    reply.bulk("histogram_usec");
    reply.map(steps.size());
    for (const auto& [microseconds, count] : steps) {
      reply.integer(microseconds);
      reply.integer(count);
    }
  }
}

void histogram(node::Node&, Call& call) {
  in_good_time(call, call.size(), answer_histogram);
}

void help(node::Node&, Call& call) {
  reply_help(call, "LATENCY", kHelp);
}

}  // namespace

extern constinit const Command server_latency{.name = "LATENCY",
                                              .summary = "A container for latency diagnostics.",
                                              .since = "2.8.13",
                                              .complexity = "Depends on subcommand.",
                                              .group = Group::server,
                                              .arity = at_least(2),
                                              .runs = schema::container()};

extern constinit const Command server_latency_histogram{
    .name = "LATENCY|HISTOGRAM",
    .summary = "Answers how long the calls of some commands, or of all, took.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of commands asked for.",
    .syntax = "[command [command ...]]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(histogram),
    .when_large = WhenLarge::pin_and_answer};

extern constinit const Command server_latency_help{.name = "LATENCY|HELP",
                                                   .summary = "Lists the subcommands.",
                                                   .since = "2.8.13",
                                                   .complexity = "O(1)",
                                                   .group = Group::server,
                                                   .arity = exactly(2),
                                                   .access = Access::loading | Access::stale,
                                                   .runs = schema::on_node(help)};

}  // namespace slotcar::commands
