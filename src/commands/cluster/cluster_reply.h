// What the commands of a cluster share: the error without one, and how they show a node.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {

inline constexpr std::string_view kNoCluster = "ERR This instance has cluster support disabled";
inline constexpr Access kChangesCluster = Access::admin | Access::stale | Access::no_async_loading;

// The topology of now. Null: there is no cluster, which was answered.
inline cluster::TopologyRef cluster_topology(node::Node& node, Call& call) {
  if (cluster::Cluster* const cluster = node.cluster()) return cluster->topology();
  call.reply().error(kNoCluster);
  return nullptr;
}

// A node named by an argument. kNoMember: unknown, which was answered.
inline cluster::MemberIndex named_member(const cluster::Topology& topology, Call& call) {
  const cluster::MemberIndex found = topology.find(call.arg(2));
  if (found == cluster::kNoMember) {
    call.reply().error("ERR Unknown node " + std::string(call.arg(2)));
  }
  return found;
}

// Its line in CLUSTER NODES, without the end.
std::string member_line(const cluster::Topology& topology, cluster::MemberIndex index, bool by_tls);
// Its preferred endpoint, as a value of SLOTS and SHARDS.
void reply_preferred_endpoint(Call& call, const cluster::Endpoint& endpoint,
                              cluster::EndpointType type);

}  // namespace slotcar::commands
