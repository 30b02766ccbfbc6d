// CLUSTER SLOTS
#include <algorithm>
#include <vector>

#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

using cluster::EndpointType;

// Its address, and what is known of it besides.
void reply_member(Call& call, const cluster::Member& member, EndpointType type) {
  resp::ReplyWriter& reply = call.reply();
  const cluster::Endpoint& endpoint = member.endpoint;
  const bool shows_ip = type != EndpointType::ip;
  const bool shows_hostname = type != EndpointType::hostname && !endpoint.hostname.empty();
  reply.array(4);
  reply_preferred_endpoint(call, endpoint, type);
  reply.integer(cluster::client_port(endpoint, call.caller().by_tls));
  reply.bulk(member.id);
  reply.map((shows_ip ? 1u : 0u) + (shows_hostname ? 1u : 0u));
  if (shows_ip) {
    reply.bulk("ip");
    reply.bulk(endpoint.ip);
  }
  if (shows_hostname) {
    reply.bulk("hostname");
    reply.bulk(endpoint.hostname);
  }
}

// Ascending by slot.
void slots(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  struct Part {
    cluster::SlotRange range;
    const cluster::Member* primary;
  };
  std::vector<Part> parts;
  for (const cluster::Member& member : topology->members()) {
    for (const cluster::SlotRange& range : member.slots) parts.push_back({range, &member});
  }
  std::ranges::sort(parts, {}, [](const Part& part) { return part.range.first; });
  const EndpointType type = node.cluster()->settings().endpoint_type.get();
  resp::ReplyWriter& reply = call.reply();
  reply.array(parts.size());
  for (const Part& part : parts) {
    reply.array(3 + part.primary->replicas.size());
    reply.integer(part.range.first.value);
    reply.integer(part.range.last.value);
    reply_member(call, *part.primary, type);
    for (const cluster::MemberIndex one : part.primary->replicas) {
      reply_member(call, topology->member(one), type);
    }
  }
}

}  // namespace

extern constinit const Command cluster_slots{.name = "CLUSTER|SLOTS",
                                             .summary = "Answers the nodes of each range of slots.",
                                             .since = "3.0.0",
                                             .complexity = "O(N) with N the number of nodes.",
                                             .group = Group::cluster,
                                             .arity = exactly(2),
                                             .access = Access::stale,
                                             .runs = schema::on_node(slots)};

}  // namespace slotcar::commands
