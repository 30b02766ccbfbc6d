#include "cluster/topology_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/assert.h"
#include "cluster/topology_writer.h"

namespace slotcar::cluster {
namespace {

using Kind = TopologyChange::Kind;

// What people may set. Epochs grow by one with each change, and this leaves room for all of them.
constexpr std::uint64_t kConfigEpochMax = std::uint64_t{1} << 62;

// A topology that can be changed: members, and who has or had each slot, by id.
class Draft {
 public:
  explicit Draft(const Topology& from) : epoch_(from.epoch()) { add(from); }

  // Members and fences of another one. Slots that both have stay as they are.
  void add(const Topology& from) {
    for (const Member& member : from.members()) {
      const std::string primary = member.is_replica() ? from.member(member.primary).id : "";
      members_.push_back({member, primary});
    }
    for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
      const MemberIndex owner = from.owner(Slot{static_cast<std::uint16_t>(i)});
      if (owner != kNoMember) owners_[i] = from.member(owner).id;
    }
    for (const Fence& fence : from.fences()) {
      for (const SlotRange& range : fence.ranges) {
        mark(fence.former, range.first.value, range.last.value);
      }
    }
    for (const Topology::Move& move : from.moves())
      moves_[move.slot.value] = from.member(move.to).id;
    epoch_ = std::max(epoch_, from.epoch());
  }

  const std::string& owner(std::uint32_t slot) const { return owners_[slot]; }
  // Empty: no node.
  void give(std::uint32_t slot, const std::string& to) {
    std::string& owner = owners_[slot];
    if (owner == to) return;
    if (!owner.empty()) mark(owner, slot, slot);
    // It knows of its own slots only what is true, or was.
    if (const auto own = fences_.find(to); own != fences_.end()) own->second[slot] = false;
    owner = to;
    moves_.erase(slot);
  }
  void drop_fences(const std::string& former) { fences_.erase(former); }
  void remove(std::string_view id) {
    for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
      if (owners_[i] == id) give(i, "");
    }
    std::erase_if(moves_, [id](const auto& move) { return move.second == id; });
    std::erase_if(members_, [id](const Draft::Named& one) { return one.member.id == id; });
    for (Named& one : members_) {
      if (one.primary == id) one.primary.clear();
    }
  }
  Member* find(std::string_view id) {
    const auto found =
        std::ranges::find_if(members_, [id](const Named& one) { return one.member.id == id; });
    return found == members_.end() ? nullptr : &found->member;
  }
  std::uint64_t epoch() const { return epoch_; }
  void set_epoch(std::uint64_t epoch) { epoch_ = epoch; }

  // An error: there are too many nodes.
  Result<Topology> build() const {
    TopologyBuilder builder;
    builder.set_epoch(epoch_);
    for (const bool replicas : {false, true}) {
      for (const Named& one : members_) {
        if (one.primary.empty() == replicas) continue;
        Member member = one.member;
        member.slots.clear();
        member.replicas.clear();
        member.primary = kNoMember;
        if (Status added = builder.add(std::move(member), one.primary); !added)
          return added.error();
      }
    }
    for_ranges([this](std::uint32_t slot) { return std::string_view(owners_[slot]); },
               [&](std::string_view id, SlotRange range) { ASSERT(builder.give(id, range).ok()); });
    for (const auto& [slot, to] : moves_) {
      const Slot number{static_cast<std::uint16_t>(slot)};
      ASSERT(builder.move({number, number}, to).ok());
    }
    for (const auto& [former, marks] : fences_) {
      for_ranges(
          [&marks](std::uint32_t slot) { return std::string_view(marks[slot] ? "x" : ""); },
          [&](std::string_view, SlotRange range) { ASSERT(builder.fence(former, range).ok()); });
    }
    return builder.take();
  }

 private:
  struct Named {
    Member member;
    std::string primary;  // the id; the member's own index is of the topology that it came from
  };
  using Marks = std::vector<bool>;

  void mark(const std::string& former, std::uint32_t first, std::uint32_t last) {
    Marks& marks = fences_[former];
    marks.resize(limits::kSlots);
    for (std::uint32_t i = first; i <= last; ++i) marks[i] = true;
  }

  template <class Value, class Each>
  static void for_ranges(Value value, Each each) {
    for (std::uint32_t first = 0; first < limits::kSlots;) {
      std::uint32_t last = first;
      while (last + 1 < limits::kSlots && value(last + 1) == value(first)) ++last;
      if (!value(first).empty()) {
        each(value(first), SlotRange{Slot{static_cast<std::uint16_t>(first)},
                                     Slot{static_cast<std::uint16_t>(last)}});
      }
      first = last + 1;
    }
  }

  std::uint64_t epoch_;
  std::vector<Named> members_;
  std::vector<std::string> owners_ = std::vector<std::string>(limits::kSlots);
  std::map<std::uint32_t, std::string> moves_;
  std::map<std::string, Marks> fences_;  // by the former owner
};

Topology built(const Draft& draft) {
  auto topology = draft.build();
  ASSERT(topology.ok());  // it has no more members than one that was valid
  return std::move(*topology);
}

template <class Each>
Status each_slot(const TopologyChange& change, Each each) {
  std::vector<bool> seen(limits::kSlots);
  for (const SlotRange& range : change.slots) {
    for (std::uint32_t i = range.first.value; i <= range.last.value; ++i) {
      if (Status done = each(i); !done) return done;
      if (seen[i]) return Error{fmt::format("ERR Slot {} specified multiple times", i)};
      seen[i] = true;
    }
  }
  return {};
}

bool has_owner(const Topology& topology, std::uint32_t slot) {
  return topology.owner(Slot{static_cast<std::uint16_t>(slot)}) != kNoMember;
}

Status add_slots(Draft& draft, const Topology& now, const TopologyChange& change,
                 const std::string& self) {
  return each_slot(change, [&](std::uint32_t slot) -> Status {
    if (has_owner(now, slot)) return Error{fmt::format("ERR Slot {} is already busy", slot)};
    draft.give(slot, self);
    return {};
  });
}

// A slot of another node that lives stays there. In Redis the asked node would forget who has it,
// and learn it again from that node at once; redis-cli's `fix` asks so.
Status delete_slots(Draft& draft, const Topology& now, const TopologyChange& change,
                    const std::string& self) {
  return each_slot(change, [&](std::uint32_t slot) -> Status {
    if (!has_owner(now, slot)) return Error{fmt::format("ERR Slot {} is already unassigned", slot)};
    const Member& owner = now.member(now.owner(Slot{static_cast<std::uint16_t>(slot)}));
    if (owner.id == self || !owner.is_live) draft.give(slot, "");
    return {};
  });
}

void flush_slots(Draft& draft, const std::string& self) {
  for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
    if (draft.owner(i) == self) draft.give(i, "");
  }
}

Status set_owner(Draft& draft, const Topology& now, const TopologyChange& change) {
  const MemberIndex to = now.find(change.node);
  if (to == kNoMember) return Error{"ERR Unknown node " + change.node};
  if (now.member(to).is_replica()) return Error{"ERR Target node is not a master"};
  return each_slot(change, [&](std::uint32_t slot) -> Status {
    draft.give(slot, change.node);
    return {};
  });
}

Status forget(Draft& draft, const Topology& now, const TopologyChange& change,
              std::string_view self) {
  const MemberIndex which = now.find(change.node);
  if (which == kNoMember) return Error{"ERR Unknown node " + change.node};
  if (change.node == self) return Error{"ERR I tried hard but I can't forget myself..."};
  if (now.member(now.find(self)).primary == which) return Error{"ERR Can't forget my master!"};
  draft.remove(change.node);
  return {};
}

// As Redis: only a node that is alone, and only once.
Status set_config_epoch(Draft& draft, const Topology& now, const TopologyChange& change,
                        const std::string& self) {
  if (now.members().size() > 1) {
    return Error{
        "ERR The user can assign a config epoch only when the node does not know any other node."};
  }
  if (change.epoch > kConfigEpochMax) {
    return Error{fmt::format("ERR Invalid config epoch specified: {}", change.epoch)};
  }
  Member& member = *draft.find(self);
  if (member.config_epoch != 0) return Error{"ERR Node config epoch is already non-zero"};
  member.config_epoch = change.epoch;
  return {};
}

// "STILL": its epoch is the greatest already.
std::string bump_epoch(Draft& draft, const Topology& now, const std::string& self) {
  std::uint64_t greatest = 0;
  for (const Member& member : now.members()) {
    if (member.id != self) greatest = std::max(greatest, member.config_epoch);
  }
  Member& member = *draft.find(self);
  if (member.config_epoch != 0 && member.config_epoch > greatest) {
    return fmt::format("STILL {}", member.config_epoch);
  }
  member.config_epoch = now.epoch() + 1;
  return fmt::format("BUMPED {}", member.config_epoch);
}

}  // namespace

Result<Changed> changed_topology(const Topology& now, std::string_view self_id,
                                 const TopologyChange& change) {
  const std::string self(self_id);
  if (now.find(self) == kNoMember) return Error{"ERR This node is not in its cluster any more"};
  Draft draft(now);
  Changed changed;
  Status done;
  switch (change.kind) {
    case Kind::add_slots:
      done = add_slots(draft, now, change, self);
      break;
    case Kind::delete_slots:
      done = delete_slots(draft, now, change, self);
      break;
    case Kind::flush_slots:
      flush_slots(draft, self);
      break;
    case Kind::set_owner:
      done = set_owner(draft, now, change);
      break;
    case Kind::forget:
      done = forget(draft, now, change, self);
      break;
    case Kind::bump_epoch:
      changed.answer = bump_epoch(draft, now, self);
      break;
    case Kind::set_config_epoch:
      done = set_config_epoch(draft, now, change, self);
      break;
    case Kind::save:
      break;
    case Kind::meet:
    case Kind::reset:
      ASSERT(false);
  }
  if (!done) return done.error();
  changed.topology = built(draft);
  changed.is_same = write_topology(changed.topology) == write_topology(now);
  if (changed.is_same) return changed;
  draft.set_epoch(std::max(now.epoch() + 1, draft.find(self)->config_epoch));
  changed.topology = built(draft);
  return changed;
}

Result<Topology> merged_topology(const Topology& one, const Topology& other) {
  for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
    const Slot slot{static_cast<std::uint16_t>(i)};
    if (one.owner(slot) != kNoMember && other.owner(slot) != kNoMember) {
      return Error{fmt::format(
          "ERR Slot {} is assigned in both clusters, to {} and to {}: one of them must delete it",
          i, one.member(one.owner(slot)).id, other.member(other.owner(slot)).id)};
    }
  }
  Draft draft(one);
  draft.add(other);
  draft.set_epoch(draft.epoch() + 1);
  auto topology = draft.build();
  if (!topology) return Error{"ERR " + topology.error().message};
  return topology;
}

Topology topology_without(const Topology& now, std::string_view id) {
  Draft draft(now);
  draft.remove(id);
  draft.set_epoch(now.epoch() + 1);
  return built(draft);
}

Topology topology_of_one(Member member, std::uint64_t epoch) {
  member.slots.clear();
  member.replicas.clear();
  member.primary = kNoMember;
  TopologyBuilder builder;
  builder.set_epoch(epoch);
  ASSERT(builder.add(std::move(member), "").ok());
  return builder.take();
}

Topology topology_with_endpoint(const Topology& now, const Member& member) {
  Draft draft(now);
  if (Member* const found = draft.find(member.id)) {
    found->endpoint = member.endpoint;
    found->name = member.name;
  }
  draft.set_epoch(now.epoch() + 1);
  return built(draft);
}

Topology topology_without_fences(const Topology& now, const std::vector<std::string>& formers) {
  Draft draft(now);
  for (const std::string& former : formers) draft.drop_fences(former);
  return built(draft);
}

}  // namespace slotcar::cluster
