#include "cluster/topology_writer.h"

#include <fmt/format.h>

#include "cluster/topology_format.h"

namespace slotcar::cluster {
namespace {

std::string range_text(const SlotRange& range) {
  if (range.first == range.last) return fmt::format("{}", range.first.value);
  return fmt::format("{}-{}", range.first.value, range.last.value);
}

void write_node(std::string& out, const Topology& topology, const Member& member) {
  const auto attribute = [&out](std::string_view name, std::string_view value) {
    if (!value.empty()) out += fmt::format(" {}={}", name, value);
  };
  const auto port = [&out](std::string_view name, std::uint16_t value) {
    if (value != 0) out += fmt::format(" {}={}", name, value);
  };
  out += fmt::format("{} {}", format::kNode, member.id);
  attribute(format::kIp, member.endpoint.ip);
  port(format::kPort, member.endpoint.port);
  port(format::kTlsPort, member.endpoint.tls_port);
  attribute(format::kHostname, member.endpoint.hostname);
  attribute(format::kName, member.name);
  if (member.config_epoch != 0) {
    attribute(format::kConfigEpoch, fmt::format("{}", member.config_epoch));
  }
  if (member.is_replica()) attribute(format::kReplicaOf, topology.member(member.primary).id);
  out += '\n';
}

}  // namespace

std::string write_topology(const Topology& topology) {
  std::string out = fmt::format("{}\n{} {}\n", format::kHeader, format::kEpoch, topology.epoch());
  // A replica is named after its primary.
  for (const Member& one : topology.members()) {
    if (!one.is_replica()) write_node(out, topology, one);
  }
  for (const Member& one : topology.members()) {
    if (one.is_replica()) write_node(out, topology, one);
  }
  for (const Member& one : topology.members()) {
    if (one.slots.empty()) continue;
    out += fmt::format("{} {}", format::kSlots, one.id);
    for (const SlotRange& range : one.slots) out += " " + range_text(range);
    out += '\n';
  }
  for (const Topology::Move& move : topology.moves()) {
    out += fmt::format("{} {} {}\n", format::kMove, move.slot.value, topology.member(move.to).id);
  }
  for (const Fence& fence : topology.fences()) {
    out += fmt::format("{} {}", format::kFence, fence.former);
    for (const SlotRange& range : fence.ranges) out += " " + range_text(range);
    out += '\n';
  }
  return out + std::string(format::kEnd) + "\n";
}

}  // namespace slotcar::cluster
