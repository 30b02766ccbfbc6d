// A node of a cluster: its topology, read at start and followed from then on.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include "cluster/etcd/curl_http.h"
#include "cluster/etcd/etcd_address.h"
#include "cluster/etcd/limits.h"
#include "cluster/etcd/topology_etcd.h"
#include "cluster/topology_file.h"
#include "node/node.h"
#include "node/slot_barrier.h"

namespace slotcar::node {
namespace {

constexpr std::string_view kFile = "file:";

// The address of a word of `bind`; empty: any.
std::string bound_ip(std::string_view bound) {
  if (bound.starts_with('-')) bound.remove_prefix(1);
  if (bound == "*" || bound == "0.0.0.0" || bound == "::" || bound == "::*") return {};
  return std::string(bound == "localhost" ? "127.0.0.1" : bound);
}

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
  for (const std::string_view bound : start.bind) {
    const std::string ip = bound_ip(bound);
    here.ips.push_back(ip.empty() ? "127.0.0.1" : ip);
  }
  return here;
}

// A directory on this machine since its start, locked by this process. A copy is another one.
std::string place_of(const std::string& directory) {
  struct stat facts {};
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  if (directory.empty() || ::stat(directory.c_str(), &facts) != 0) return boot + " none";
  return fmt::format("{} {} {}", boot, facts.st_dev, facts.st_ino);
}

// Where clients reach this node. Without an ip: by the address that it has towards etcd.
cluster::Member member_of(const Settings& settings) {
  const cluster::Announced& announced = settings.cluster.announced;
  cluster::Member member;
  member.endpoint.port = announced.port != 0 ? announced.port : settings.start.port;
  member.endpoint.tls_port = announced.tls_port != 0 ? announced.tls_port : settings.start.tls_port;
  member.endpoint.hostname = announced.hostname;
  member.name = announced.name;
  member.endpoint.ip = announced.ip;
  if (!member.endpoint.ip.empty() || settings.start.bind.empty()) return member;
  member.endpoint.ip = bound_ip(settings.start.bind.front());
  return member;
}

}  // namespace

Status Node::make_topology_file() {
  std::string path = settings_.cluster.topology.substr(kFile.size());
  const std::string& directory = settings_.durability.directory;
  if (path.front() != '/' && !directory.empty()) path = directory + "/" + path;
  topology_source_ = std::make_unique<cluster::TopologyFile>(
      path,
      cluster::TopologyFile::World{doors_.disk, doors_.executor, doors_.log, doors_.make_loop});
  return {};
}

Status Node::make_topology_etcd() {
  const cluster::Settings& settings = settings_.cluster;
  const std::string& directory = settings_.durability.directory;
  auto address = cluster::read_etcd_address(settings.topology);
  if (!address) return address.error();
  const cluster::HttpTls tls{settings.etcd.ca_file, settings.etcd.certificate, settings.etcd.key};
  services_.lease = &cluster_.lease();
  const auto barrier = std::make_shared<SlotBarrier>(*this);
  topology_source_ =
      std::make_unique<cluster::TopologyEtcd>(
          cluster::TopologyEtcd::Options{
              .access = {std::move(address->endpoints), settings.etcd.user, settings.etcd.password},
              .prefix = address->prefix,
              .wanted_id = settings.node_id,
              .directory = directory,
              .self = {member_of(settings_), place_of(directory), run_id_},
              .lease_seconds =
                  [&settings] {
                    return std::clamp((settings.node_timeout_ms.get() + 999) / 1000,
                                      limits::kLeaseSecondsMin, limits::kLeaseSecondsMax);
                  }},
          cluster::TopologyEtcd::World{
              doors_.disk, doors_.executor, doors_.clock, doors_.random, doors_.log,
              std::make_unique<cluster::CurlHttp>(tls), std::make_unique<cluster::CurlHttp>(tls),
              &cluster_.mutable_lease(), [this] { cluster_.settings_changed(); },
              [barrier](std::function<void()> done) { barrier->after_change(std::move(done)); }});
  return {};
}

Status Node::start_cluster() {
  const cluster::Settings& settings = settings_.cluster;
  if (!settings.enabled) return {};
  if (settings.topology.empty()) {
    return Error{
        "cluster-enabled needs a topology: say 'cluster-topology file:PATH' or 'cluster-topology "
        "etcd://HOST:PORT/PREFIX'"};
  }
  const bool is_etcd = cluster::is_etcd_address(settings.topology);
  if (Status made = is_etcd ? make_topology_etcd() : make_topology_file(); !made) {
    return Error{"cluster-topology: " + made.error().message};
  }
  auto topology = topology_source_->read();
  if (!topology) return Error{"cluster-topology: " + topology.error().message};
  cluster::Cluster::Addresses here = addresses_of(settings_);
  here.id = topology_source_->self_id();
  if (Status found = cluster_.start(std::move(*topology), here); !found) {
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
  const std::string id = topology_source_->self_id();
  if (id.empty()) {
    cluster_.change(std::move(topology));
  } else {
    cluster_.change(std::move(topology), id);
  }
  const cluster::TopologyRef now = cluster_.topology();
  log().notice("The topology has changed: {} nodes, epoch {}, {} slots here", now->members().size(),
               now->epoch(), now->member(now->self()).slot_count());
}

}  // namespace slotcar::node
