// A node of a cluster: its topology, read at start and followed from then on.
#include <fmt/format.h>

#include <utility>

#include "cluster/topology_file.h"
#include "node/node.h"

namespace slotcar::node {
namespace {

constexpr std::string_view kFile = "file:";

// By which addresses a topology may name this node.
cluster::Cluster::Addresses addresses_of(const Settings& settings) {
  const cluster::Announced& announced = settings.cluster.announced;
  const StartSettings& start = settings.start;
  cluster::Cluster::Addresses here;
  here.port = announced.port != 0 ? announced.port : start.port;
  here.tls_port = announced.tls_port != 0 ? announced.tls_port : start.tls_port;
  if (!announced.ip.empty()) {
    here.ips.push_back(announced.ip);
    return here;
  }
  for (std::string_view bound : start.bind) {
    if (bound.starts_with('-')) bound.remove_prefix(1);
    const bool is_any = bound == "*" || bound == "0.0.0.0" || bound == "::" || bound == "::*";
    here.ips.emplace_back(is_any ? "127.0.0.1" : bound);
  }
  return here;
}

}  // namespace

Status Node::start_cluster() {
  const cluster::Settings& settings = settings_.cluster;
  if (!settings.enabled) return {};
  if (settings.topology.empty()) {
    return Error{"cluster-enabled needs a topology: say 'cluster-topology file:PATH'"};
  }
  std::string path = settings.topology.substr(kFile.size());
  const std::string& directory = settings_.durability.directory;
  if (path.front() != '/' && !directory.empty()) path = directory + "/" + path;
  topology_source_ = std::make_unique<cluster::TopologyFile>(
      path,
      cluster::TopologyFile::World{doors_.disk, doors_.executor, doors_.log, doors_.make_loop});
  auto topology = topology_source_->read();
  if (!topology) return Error{"cluster-topology: " + topology.error().message};
  if (Status found = cluster_.start(std::move(*topology), addresses_of(settings_)); !found) {
    return Error{"cluster-topology: " + found.error().message};
  }
  cluster_.set_on_change([this] { session::unblock_for_moved_slots(services_); });
  const cluster::TopologyRef now = cluster_.topology();
  log().notice("Cluster of {} nodes, epoch {}: this is node {} with {} slots",
               now->members().size(), now->epoch(), now->member(now->self()).id,
               now->member(now->self()).slot_count());
  return {};
}

void Node::change_topology(cluster::Topology topology) {
  cluster_.change(std::move(topology));
  const cluster::TopologyRef now = cluster_.topology();
  log().notice("The topology has changed: {} nodes, epoch {}, {} slots here", now->members().size(),
               now->epoch(), now->member(now->self()).slot_count());
}

}  // namespace slotcar::node
