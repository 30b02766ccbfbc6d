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
#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "cluster/topology_file.h"
#include "node/node.h"
#include "node/slot_barrier.h"
#include "node/slot_waker.h"

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
  services_.cluster.lease = &cluster_.lease();
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
  slot_waker_ = std::make_unique<SlotWaker>(cluster_, scheduler_);
  cluster_.set_on_change([this] {
    session::unblock_for_moved_slots(services_);
    links_->follow(cluster_.topology());
    if (worker_list_.empty()) return;
    session::Worker* worker = worker_list_[0];  // the ticker's worker
    worker->loop().post(runtime::make_task([worker] { worker->tickers().run_now(); }));
  });
  configure_links();
  services_.cluster.links = links_.get();
  links_->follow(cluster_.topology());
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

// --- connections to other nodes ----------------------------------------------------------------

// With tls-cluster to any server, as in Redis.
peers::Peers::World Node::peers_world() {
  if (!doors_.dial) return {doors_.executor, doors_.make_loop, {}};
  const auto dial = [this](runtime::EventLoop& loop, const std::string& host,
                           std::uint16_t port) -> Result<std::unique_ptr<runtime::Stream>> {
    auto wire = doors_.dial(loop, host, port);
    const auto context = tls_.client_context();
    if (!wire || context == nullptr) return wire;
    auto secured = context->connect(std::move(*wire), host, &loop);
    if (!secured) return secured.error();
    return std::unique_ptr<runtime::Stream>(std::move(*secured));
  };
  return {doors_.executor, doors_.make_loop, dial};
}

// A node is dialled by its address, for no name is looked up on this thread; if it has a name, the
// certificate must be for that.
void Node::make_links() {
  const auto is_durable = [this](Lsn lsn) {
    const storage::Log* const log = scheduler_.log();
    return log == nullptr || log->durable() >= lsn;
  };
  cluster::Links::World world{doors_.executor, doors_.make_loop, {}, doors_.log, is_durable};
  const auto dial = [this](runtime::EventLoop& loop,
                           const cluster::Endpoint& endpoint) -> Result<cluster::Dialled> {
    const auto context = tls_.client_context();
    const std::uint16_t port = context == nullptr ? endpoint.port : endpoint.tls_port;
    if (port == 0) return Error{context == nullptr ? "it has no port" : "it has no tls-port"};
    auto wire = doors_.dial(loop, endpoint.ip, port);
    if (!wire) return wire.error();
    if (context == nullptr) return cluster::Dialled{std::move(*wire)};
    const std::string& name = endpoint.hostname.empty() ? endpoint.ip : endpoint.hostname;
    auto secured = context->connect(std::move(*wire), name, &loop);
    if (!secured) return secured.error();
    const runtime::TlsStream* const tls = secured->get();
    return cluster::Dialled{std::move(*secured), tls};
  };
  if (doors_.dial) world.dial = dial;
  links_ = std::make_unique<cluster::Links>(std::move(world), settings_.cluster, cluster_.lease());
  inbound_links_ = std::make_unique<cluster::InboundLinks>();
}

void Node::configure_links() {
  const cluster::LinkSettings& settings = settings_.cluster.links;
  links_->set_login({settings.user, settings.password});
}

}  // namespace slotcar::node
