#include "commands/cluster/cluster_reply.h"

#include <fmt/format.h>

namespace slotcar::commands {

using cluster::Member;
using cluster::MemberIndex;
using cluster::Topology;

// There is no bus between nodes, so its port is 0, and no ping was sent or answered.
std::string member_line(const Topology& topology, MemberIndex index, bool by_tls) {
  const Member& member = topology.member(index);
  const bool is_self = index == topology.self();
  std::string line = fmt::format("{} {}:{}@0", member.id, member.endpoint.ip,
                                 cluster::client_port(member.endpoint, by_tls));
  if (!member.endpoint.hostname.empty()) line += "," + member.endpoint.hostname;
  const bool is_live = member.is_live || is_self;
  line += fmt::format(" {}{}{} {} 0 0 {} {}", is_self ? "myself," : "",
                      member.is_replica() ? "slave" : "master", is_live ? "" : ",fail",
                      member.is_replica() ? topology.member(member.primary).id : "-",
                      member.config_epoch != 0 ? member.config_epoch : topology.epoch(),
                      is_live ? "connected" : "disconnected");
  for (const cluster::SlotRange& range : member.slots) {
    line += range.first == range.last ? fmt::format(" {}", range.first.value)
                                      : fmt::format(" {}-{}", range.first.value, range.last.value);
  }
  if (!is_self) return line;
  for (const Topology::Move& move : topology.moves()) {
    const MemberIndex from = topology.owner(move.slot);
    if (from == index) {
      line += fmt::format(" [{}->-{}]", move.slot.value, topology.member(move.to).id);
    } else if (move.to == index && from != cluster::kNoMember) {  // it may have lost its owner
      line += fmt::format(" [{}-<-{}]", move.slot.value, topology.member(from).id);
    }
  }
  return line;
}

void reply_preferred_endpoint(Call& call, const cluster::Endpoint& endpoint,
                              cluster::EndpointType type) {
  if (type == cluster::EndpointType::unknown) return call.reply().null();
  call.reply().bulk(cluster::preferred_address(endpoint, type));
}

}  // namespace slotcar::commands
