#include "cluster/slot_moves.h"

#include <fmt/format.h>

namespace slotcar::cluster {

Status SlotMoves::set(const Topology& topology, Slot slot, Way way, const std::string& other_id) {
  const bool is_ours = topology.owner(slot) == topology.self();
  if (way == Way::leaves && !is_ours) {
    return Error{fmt::format("I'm not the owner of hash slot {}", slot.value)};
  }
  if (way == Way::comes && is_ours) {
    return Error{fmt::format("I'm already the owner of hash slot {}", slot.value)};
  }
  const MemberIndex other = topology.find(other_id);
  if (other == kNoMember) return Error{fmt::format("I don't know about node {}", other_id)};
  if (topology.member(other).is_replica()) return Error{"Target node is not a master"};
  if (other == topology.self()) {
    return Error{fmt::format("hash slot {} cannot move from this node to itself", slot.value)};
  }
  moves_[slot.value] = {way, other_id};
  return {};
}

void SlotMoves::add_to(Topology& next) {
  for (auto at = moves_.begin(); at != moves_.end();) {
    const Slot slot{at->first};
    const MemberIndex other = next.find(at->second.other_id);
    const bool is_ours = next.owner(slot) == next.self();
    const bool leaves = at->second.way == Way::leaves;
    if (other == kNoMember || leaves != is_ours) {
      at = moves_.erase(at);
      continue;
    }
    next.add_move({slot, leaves ? other : next.self()});
    ++at;
  }
}

}  // namespace slotcar::cluster
