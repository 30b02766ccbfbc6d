// CLUSTER SHARDS
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

void reply_member(Call& call, const cluster::Member& member, cluster::EndpointType type) {
  resp::ReplyWriter& reply = call.reply();
  const cluster::Endpoint& endpoint = member.endpoint;
  const auto text = [&reply](std::string_view name, std::string_view value) {
    reply.bulk(name);
    reply.bulk(value);
  };
  const auto number = [&reply](std::string_view name, std::int64_t value) {
    reply.bulk(name);
    reply.integer(value);
  };
  const std::size_t optional = (endpoint.port != 0 ? 1u : 0u) + (endpoint.tls_port != 0 ? 1u : 0u) +
                               (!endpoint.hostname.empty() ? 1u : 0u);
  reply.map(6 + optional);
  text("id", member.id);
  if (endpoint.port != 0) number("port", endpoint.port);
  if (endpoint.tls_port != 0) number("tls-port", endpoint.tls_port);
  text("ip", endpoint.ip);
  reply.bulk("endpoint");
  reply_preferred_endpoint(call, endpoint, type);
  if (!endpoint.hostname.empty()) text("hostname", endpoint.hostname);
  text("role", member.is_replica() ? "replica" : "master");
  number("replication-offset", 0);
  text("health", member.is_live ? "online" : "fail");
}

void shards(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  const cluster::EndpointType type = node.cluster()->settings().endpoint_type.get();
  resp::ReplyWriter& reply = call.reply();
  std::size_t count = 0;
  for (const cluster::Member& member : topology->members()) count += member.is_replica() ? 0 : 1;
  reply.array(count);
  for (const cluster::Member& member : topology->members()) {
    if (member.is_replica()) continue;
    reply.map(2);
    reply.bulk("slots");
    reply.array(member.slots.size() * 2);
    for (const cluster::SlotRange& range : member.slots) {
      reply.integer(range.first.value);
      reply.integer(range.last.value);
    }
    reply.bulk("nodes");
    reply.array(1 + member.replicas.size());
    reply_member(call, member, type);
    for (const cluster::MemberIndex one : member.replicas) {
      reply_member(call, topology->member(one), type);
    }
  }
}

void my_shard_id(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (topology) call.reply().bulk(topology->primary_of(topology->self()).id);
}

}  // namespace

extern constinit const Command cluster_shards{
    .name = "CLUSTER|SHARDS",
    .summary = "Answers the slots and the nodes of each shard.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of nodes.",
    .group = Group::cluster,
    .arity = exactly(2),
    .access = Access::stale,
    .runs = schema::on_node(shards)};

extern constinit const Command cluster_myshardid{.name = "CLUSTER|MYSHARDID",
                                                 .summary = "Answers the id of this node's shard.",
                                                 .since = "7.2.0",
                                                 .complexity = "O(1)",
                                                 .group = Group::cluster,
                                                 .arity = exactly(2),
                                                 .access = Access::stale,
                                                 .runs = schema::on_node(my_shard_id)};

}  // namespace slotcar::commands
