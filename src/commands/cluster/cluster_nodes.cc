// CLUSTER NODES, CLUSTER REPLICAS node-id, CLUSTER SLAVES node-id
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

void nodes(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  std::string text;
  for (std::size_t i = 0; i < topology->members().size(); ++i) {
    const cluster::MemberIndex index{static_cast<std::uint16_t>(i)};
    text += member_line(*topology, index, call.caller().by_tls) + "\n";
  }
  call.reply().verbatim(text);
}

void replicas(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  const cluster::MemberIndex index = named_member(*topology, call);
  if (index == cluster::kNoMember) return;
  const cluster::Member& primary = topology->member(index);
  if (primary.is_replica()) return call.reply().error("ERR The specified node is not a master");
  call.reply().array(primary.replicas.size());
  for (const cluster::MemberIndex one : primary.replicas) {
    call.reply().bulk(member_line(*topology, one, call.caller().by_tls));
  }
}

}  // namespace

extern constinit const Command cluster_nodes{
    .name = "CLUSTER|NODES",
    .summary = "Answers a line for each node of the cluster, as this node sees it.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of nodes.",
    .group = Group::cluster,
    .arity = exactly(2),
    .access = Access::stale,
    .runs = schema::on_node(nodes)};

extern constinit const Command cluster_replicas{
    .name = "CLUSTER|REPLICAS",
    .summary = "Answers a line for each replica of a node.",
    .since = "5.0.0",
    .complexity = "O(N) with N the number of replicas.",
    .syntax = "node-id",
    .group = Group::cluster,
    .arity = exactly(3),
    .access = Access::admin | Access::stale,
    .runs = schema::on_node(replicas)};

extern constinit const Command cluster_slaves{
    .name = "CLUSTER|SLAVES",
    .summary = "Answers a line for each replica of a node.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of replicas.",
    .syntax = "node-id",
    .group = Group::cluster,
    .arity = exactly(3),
    .access = Access::admin | Access::stale,
    .runs = schema::on_node(replicas)};

}  // namespace slotcar::commands
