// INFO [section [section ...]]
#include "console/info.h"

#include <algorithm>

#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

void info(node::Node& node, Call& call) {
  const auto sections = console::wanted_sections(call.args().subspan(1));
  // Inside a transaction no other shard may be read.
  shard::Thread* thread = call.in_transaction() ? nullptr : &call.thread();
  console::Info facts = node.statistics().gather(node, thread);
  if (std::ranges::find(sections, console::Section::latencystats) != sections.end()) {
    facts.latencies = node.statistics().latency_percentiles(node);
  }
  call.reply().verbatim(console::info_text(facts, sections));
}

}  // namespace

extern constinit const Command server_info{
    .name = "INFO",
    .summary = "Answers what the server knows of itself, in lines name:value.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "[section [section ...]]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::loading | Access::stale,
    .acl = Acl::dangerous,
    .runs = schema::on_node(info)};

}  // namespace slotcar::commands
