#include "cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotcar::cluster {

std::string preferred_address(const Endpoint& endpoint, EndpointType type) {
  switch (type) {
    case EndpointType::ip:
      return endpoint.ip;
    case EndpointType::hostname:
      return endpoint.hostname.empty() ? "?" : endpoint.hostname;
    case EndpointType::unknown:
      return {};
  }
  return {};
}

std::uint16_t client_port(const Endpoint& endpoint, bool tls) {
  return tls ? endpoint.tls_port : endpoint.port;
}

Status Cluster::start(Topology topology, const Addresses& here) {
  const auto self = find_self(topology, here);
  if (!self) return self.error();
  std::lock_guard lock(mutex_);
  self_ = topology.member(*self);
  announced_ = settings_.announced;
  topology_source_ = std::move(topology);
  publish(lock);
  return {};
}

Result<MemberIndex> Cluster::find_self(const Topology& topology, const Addresses& here) const {
  const std::string& id = here.id.empty() ? settings_.node_id : here.id;
  if (!id.empty()) {
    const MemberIndex found = topology.find(id);
    if (found != kNoMember) return found;
    return Error{fmt::format("the topology has no node {} (cluster-node-id)", id)};
  }
  std::vector<MemberIndex> found;
  for (std::size_t i = 0; i < topology.members().size(); ++i) {
    const Endpoint& endpoint = topology.members()[i].endpoint;
    const bool has_port = (here.port != 0 && endpoint.port == here.port) ||
                          (here.tls_port != 0 && endpoint.tls_port == here.tls_port);
    if (has_port && std::ranges::find(here.ips, endpoint.ip) != here.ips.end()) {
      found.push_back(MemberIndex{static_cast<std::uint16_t>(i)});
    }
  }
  if (found.size() == 1) return found.front();
  return Error{fmt::format(
      "the topology has {} node with the address and the port of this server ({}, port {}, "
      "tls-port {}): say which one it is by 'cluster-node-id', or where it is reached by "
      "'cluster-announce-ip'",
      found.empty() ? "no" : "more than one", fmt::join(here.ips, " "), here.port, here.tls_port)};
}

void Cluster::change(Topology topology) {
  {
    std::lock_guard lock(mutex_);
    topology_source_ = std::move(topology);
    publish(lock);
  }
  if (on_change_) on_change_();
}

void Cluster::change(Topology topology, const std::string& id) {
  {
    std::lock_guard lock(mutex_);
    self_.id = id;
    topology_source_ = std::move(topology);
    publish(lock);
  }
  if (on_change_) on_change_();
}

void Cluster::settings_changed() {
  {
    std::lock_guard lock(mutex_);
    if (topology_ == nullptr) return;
    publish(lock);
  }
  if (on_change_) on_change_();
}

void Cluster::announce(Announced announced) {
  {
    std::lock_guard lock(mutex_);
    announced_ = std::move(announced);
  }
  settings_changed();
}

Status Cluster::move_slot(Slot slot, SlotMoves::Way way, const std::string& other_id) {
  {
    std::lock_guard lock(mutex_);
    if (Status set = slot_moves_.set(*topology_, slot, way, other_id); !set) return set;
    publish(lock);
  }
  if (on_change_) on_change_();
  return {};
}

bool Cluster::keep_slot(Slot slot) {
  {
    std::lock_guard lock(mutex_);
    if (topology_source_.moving_to(slot) != kNoMember) return false;
    slot_moves_.clear(slot);
    publish(lock);
  }
  if (on_change_) on_change_();
  return true;
}

std::vector<Slot> Cluster::take_awaited(Lease::Nanos now, bool& more) {
  std::lock_guard lock(mutex_);
  awaited_.give_up(now);
  more = !awaited_.empty();
  return awaited_.take_ended();
}

void Cluster::publish(const std::lock_guard<std::mutex>&) {
  Topology next = topology_source_;
  MemberIndex self = next.find(self_.id);
  if (self == kNoMember) {
    self = next.add_stranger(self_);
  } else {
    self_ = next.member(self);
  }
  next.set_self(self);
  Endpoint endpoint = self_.endpoint;
  const auto replace = [](auto& value, const auto& by) {
    if (by != std::decay_t<decltype(by)>{}) value = by;
  };
  replace(endpoint.ip, announced_.ip);
  replace(endpoint.hostname, announced_.hostname);
  replace(endpoint.port, announced_.port);
  replace(endpoint.tls_port, announced_.tls_port);
  next.set_endpoint(self, std::move(endpoint),
                    announced_.name.empty() ? self_.name : announced_.name);
  slot_moves_.add_to(next);
  // Each byte is written once: nobody may see a slot as served for the moment until its fence or
  // its move has been looked at.
  std::vector<bool> served(limits::kSlots);
  const bool down = is_down(next);
  for (std::uint32_t i = 0; i < limits::kSlots && !down; ++i) {
    served[i] = next.owner(Slot{static_cast<std::uint16_t>(i)}) == self;
  }
  for (const Fence& fence : next.fences()) {
    for (const SlotRange& range : fence.ranges) {
      for (std::uint32_t i = range.first.value; i <= range.last.value; ++i) served[i] = false;
    }
  }
  for (const Topology::Move& move : next.moves()) served[move.slot.value] = false;
  for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
    served_[i].store(served[i] ? 1 : 0, std::memory_order_relaxed);
  }
  // A former owner that does not answer loses its lease; others see that somewhat later.
  const Lease::Nanos patience = 2 * settings_.node_timeout_ms.get() * 1'000'000;
  awaited_.follow(next, down, Lease::now() + patience);
  topology_ = std::make_shared<const Topology>(std::move(next));
}

}  // namespace slotcar::cluster
