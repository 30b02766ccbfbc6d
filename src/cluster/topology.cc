#include "cluster/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotcar::cluster {

std::size_t Member::slot_count() const {
  std::size_t count = 0;
  for (const SlotRange& range : slots) count += range.last.value - range.first.value + 1u;
  return count;
}

MemberIndex Topology::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? kNoMember : found->second;
}

void Topology::add_move(Move move) {
  const auto place = std::ranges::lower_bound(moves_, move.slot, {}, &Move::slot);
  if (place != moves_.end() && place->slot == move.slot) return;
  moves_.insert(place, move);
}

MemberIndex Topology::moving_to(Slot slot) const {
  const auto found = std::ranges::lower_bound(moves_, slot, {}, &Move::slot);
  return found != moves_.end() && found->slot == slot ? found->to : kNoMember;
}

bool Topology::is_fenced(Slot slot) const {
  return std::ranges::any_of(fences_, [slot](const Fence& fence) {
    return std::ranges::any_of(fence.ranges, [slot](const SlotRange& range) {
      return range.first <= slot && slot <= range.last;
    });
  });
}

std::size_t Topology::covered() const {
  std::size_t count = assigned_;
  for (const Member& one : members_) {
    if (!one.is_live) count -= one.slot_count();
  }
  return count;
}

std::size_t Topology::size() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(members_, [](const Member& one) { return !one.slots.empty(); }));
}

const Member& Topology::primary_of(MemberIndex index) const {
  const Member& one = member(index);
  return one.is_replica() ? member(one.primary) : one;
}

void Topology::set_endpoint(MemberIndex index, Endpoint endpoint, std::string name) {
  members_[index.value].endpoint = std::move(endpoint);
  members_[index.value].name = std::move(name);
}

MemberIndex Topology::add_stranger(Member member) {
  member.slots.clear();
  member.replicas.clear();
  member.primary = kNoMember;
  const MemberIndex index{static_cast<std::uint16_t>(members_.size())};
  by_id_.emplace(member.id, index);
  members_.push_back(std::move(member));
  return index;
}

bool is_member_id(std::string_view text) {
  return text.size() == limits::kMemberIdBytes &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// --- building ----------------------------------------------------------------------------------

Status TopologyBuilder::add(Member member, std::string_view primary_id) {
  if (!is_member_id(member.id)) {
    return Error{fmt::format("'{}' is no node id: that is {} hexadecimal digits in lower case",
                             member.id, limits::kMemberIdBytes)};
  }
  if (has(member.id)) return Error{fmt::format("node {} is there twice", member.id)};
  if (made_.members_.size() == limits::kMembersMax) {
    return Error{fmt::format("there are more than {} nodes", limits::kMembersMax)};
  }
  if (member.endpoint.port == 0 && member.endpoint.tls_port == 0) {
    return Error{fmt::format("node {} has neither a port nor a tls-port", member.id)};
  }
  const MemberIndex index{static_cast<std::uint16_t>(made_.members_.size())};
  if (!primary_id.empty()) {
    const auto found = primary(primary_id);
    if (!found) return found.error();
    member.primary = *found;
    made_.members_[found->value].replicas.push_back(index);
  }
  made_.by_id_.emplace(member.id, index);
  made_.members_.push_back(std::move(member));
  return {};
}

Result<MemberIndex> TopologyBuilder::primary(std::string_view id) const {
  const MemberIndex index = made_.find(id);
  if (index == kNoMember) return Error{fmt::format("no node {} was named before", id)};
  if (made_.member(index).is_replica()) return Error{fmt::format("node {} is a replica", id)};
  return index;
}

Status TopologyBuilder::give(std::string_view id, SlotRange range) {
  const auto to = primary(id);
  if (!to) return to.error();
  for (std::uint32_t slot = range.first.value; slot <= range.last.value; ++slot) {
    MemberIndex& owner = made_.owners_[slot];
    if (owner != kNoMember) {
      return Error{fmt::format("slot {} is given to two nodes, {} and {}", slot,
                               made_.member(owner).id, id)};
    }
    owner = *to;
    ++made_.assigned_;
  }
  return {};
}

Status TopologyBuilder::move(SlotRange range, std::string_view to_id) {
  const auto to = primary(to_id);
  if (!to) return to.error();
  for (std::uint32_t number = range.first.value; number <= range.last.value; ++number) {
    const Slot slot{static_cast<std::uint16_t>(number)};
    if (made_.owner(slot) == kNoMember) {
      return Error{fmt::format("slot {} moves, and no line before has given it to a node", number)};
    }
    if (made_.owner(slot) == *to) {
      return Error{fmt::format("slot {} moves to node {}, which has it", number, to_id)};
    }
    const auto place = std::ranges::lower_bound(made_.moves_, slot, {}, &Topology::Move::slot);
    if (place != made_.moves_.end() && place->slot == slot) {
      return Error{fmt::format("slot {} moves twice", number)};
    }
    made_.moves_.insert(place, {slot, *to});
  }
  return {};
}

Status TopologyBuilder::fence(std::string_view former_id, SlotRange range) {
  if (!is_member_id(former_id)) return Error{"a fence needs the id of the former owner"};
  auto fence = std::ranges::find(made_.fences_, former_id, &Fence::former);
  if (fence == made_.fences_.end()) {
    if (made_.fences_.size() == limits::kMembersMax) {
      return Error{fmt::format("there are fences of more than {} nodes", limits::kMembersMax)};
    }
    fence = made_.fences_.insert(fence, {std::string(former_id), {}});
  }
  if (!fence->ranges.empty() && range.first <= fence->ranges.back().last) {
    return Error{"the slots of a fence are not in ascending order"};
  }
  fence->ranges.push_back(range);
  return {};
}

Topology TopologyBuilder::take() {
  for (std::uint32_t slot = 0; slot < limits::kSlots; ++slot) {
    const MemberIndex owner = made_.owners_[slot];
    if (owner == kNoMember) continue;
    std::vector<SlotRange>& ranges = made_.members_[owner.value].slots;
    const Slot number{static_cast<std::uint16_t>(slot)};
    if (!ranges.empty() && ranges.back().last.value + 1u == slot) {
      ranges.back().last = number;
    } else {
      ranges.push_back({number, number});
    }
  }
  return std::move(made_);
}

}  // namespace slotcar::cluster
