// LATENCY HISTOGRAM [command [command ...]] | LATEST | HISTORY event | RESET [event [event ...]]
//         | GRAPH event | DOCTOR | HELP
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/histogram.h"
#include "commands/declare.h"
#include "commands/help.h"
#include "commands/in_good_time.h"
#include "console/latency_monitor.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "DOCTOR",
    "    Answer a report of the latency spikes in words.",
    "GRAPH <event>",
    "    Answer the spikes of this event, drawn with characters.",
    "HISTORY <event>",
    "    Answer the time (unix) and the length (milliseconds) of each spike of this event.",
    "HISTOGRAM [<command> ...]",
    "    Answer how long the calls of these commands, or of all, took: for each, how many took",
    "    at most so many microseconds.",
    "LATEST",
    "    Answer, for each event, the time and the length of its last spike and the longest ever.",
    "RESET [<event> ...]",
    "    Forget the spikes of these events, or of all.",
};

using console::LatencyMonitor;
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
  // Times beyond the histogram's range count as its longest.
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

void latest(node::Node& node, Call& call) {
  const auto events = node.latency_monitor().events();
  call.reply().array(events.size());
  for (const LatencyMonitor::Event& event : events) {
    call.reply().array(4);
    call.reply().bulk(event.name);
    call.reply().integer(event.samples.back().unix_seconds);
    call.reply().integer(event.samples.back().milliseconds);
    call.reply().integer(event.worst_ms);
  }
}

void history(node::Node& node, Call& call) {
  const auto event = node.latency_monitor().find(call.arg(2));
  if (!event) return call.reply().array(0);
  call.reply().array(event->samples.size());
  for (const LatencyMonitor::Sample& sample : event->samples) {
    call.reply().array(2);
    call.reply().integer(sample.unix_seconds);
    call.reply().integer(sample.milliseconds);
  }
}

void reset(node::Node& node, Call& call) {
  const std::size_t count = node.latency_monitor().forget(call.args().subspan(2));
  call.reply().integer(static_cast<std::int64_t>(count));
}

void graph(node::Node& node, Call& call) {
  const auto event = node.latency_monitor().find(call.arg(2));
  if (!event) {
    return call.reply().error(fmt::format("ERR No samples available for event '{}'", call.arg(2)));
  }
  call.reply().verbatim(console::latency_graph(*event, node.clock().unix_ms() / 1000));
}

void doctor(node::Node& node, Call& call) {
  call.reply().verbatim(console::latency_report(node.latency_monitor().events(),
                                                node.settings().latency_threshold_ms));
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

extern constinit const Command server_latency_latest{
    .name = "LATENCY|LATEST",
    .summary = "Answers the last latency spike of each event.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(latest)};

extern constinit const Command server_latency_history{
    .name = "LATENCY|HISTORY",
    .summary = "Answers when an event had latency spikes, and how long they were.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .syntax = "event",
    .group = Group::server,
    .arity = exactly(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(history)};

extern constinit const Command server_latency_reset{
    .name = "LATENCY|RESET",
    .summary = "Forgets the latency spikes of some events, or of all.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .syntax = "[event [event ...]]",
    .group = Group::server,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(reset)};

extern constinit const Command server_latency_graph{
    .name = "LATENCY|GRAPH",
    .summary = "Draws the latency spikes of an event.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .syntax = "event",
    .group = Group::server,
    .arity = exactly(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(graph)};

extern constinit const Command server_latency_doctor{
    .name = "LATENCY|DOCTOR",
    .summary = "Answers a report of the latency spikes.",
    .since = "2.8.13",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .runs = schema::on_node(doctor)};

extern constinit const Command server_latency_help{.name = "LATENCY|HELP",
                                                   .summary = "Lists the subcommands.",
                                                   .since = "2.8.13",
                                                   .complexity = "O(1)",
                                                   .group = Group::server,
                                                   .arity = exactly(2),
                                                   .access = Access::loading | Access::stale,
                                                   .runs = schema::on_node(help)};

}  // namespace slotcar::commands
