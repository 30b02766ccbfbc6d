// CLUSTER LINKS
#include <fmt/format.h>

#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

struct Shown {
  std::string_view direction;
  std::string_view node;
  std::int64_t since_ms = 0;
  std::size_t allocated = 0;  // of what is to be sent
  std::size_t used = 0;
};

void reply_link(resp::ReplyWriter& reply, const Shown& link) {
  const auto text = [&reply](std::string_view name, std::string_view value) {
    reply.bulk(name);
    reply.bulk(value);
  };
  const auto number = [&reply](std::string_view name, std::size_t value) {
    reply.bulk(name);
    reply.integer(static_cast<std::int64_t>(value));
  };
  reply.map(6);
  text("direction", link.direction);
  text("node", link.node);
  number("create-time", static_cast<std::size_t>(link.since_ms));
  text("events", link.used == 0 ? "r" : "rw");
  number("send-buffer-allocated", link.allocated);
  number("send-buffer-used", link.used);
}

// Those that are up. The other half of a connection is a client of this node.
void links(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  std::vector<Shown> shown;
  const auto outgoing = node.links().facts();
  for (const auto& link : outgoing) {
    if (!link->is_up.load(std::memory_order_relaxed)) continue;
    shown.push_back({"to", link->node, link->since_ms.load(std::memory_order_relaxed),
                     link->buffer_allocated.load(std::memory_order_relaxed),
                     link->buffer_used.load(std::memory_order_relaxed)});
  }
  const auto incoming = node.inbound_links().views();
  for (const cluster::InboundLinks::View& link : incoming) {
    const auto client = node.clients().find(link.client);
    if (client == nullptr || client->closing.load(std::memory_order_relaxed)) continue;
    shown.push_back({"from", link.node, client->connected_unix_ms, client->memory.output.get(),
                     client->output_waiting.get()});
  }
  call.reply().array(shown.size());
  for (const Shown& link : shown) reply_link(call.reply(), link);
}

}  // namespace

extern constinit const Command cluster_links{
    .name = "CLUSTER|LINKS",
    .summary = "Answers the links between this node and others.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of links.",
    .group = Group::cluster,
    .arity = exactly(2),
    .access = Access::stale,
    .runs = schema::on_node(links)};

}  // namespace slotcar::commands
