// Topology: which node of a cluster has which slots, at one moment. It never changes: a change is a
// new topology with a higher epoch. Where it comes from is topology_source.h's, and what this node
// makes of it cluster.h's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/result.h"

namespace slotcar::cluster {

using MemberIndex = Id<struct MemberTag, std::uint16_t>;  // a node's place in its topology
inline constexpr MemberIndex kNoMember{0xFFFF};

struct SlotRange {
  Slot first;
  Slot last;  // included
  friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

// Where clients reach a node.
struct Endpoint {
  std::string ip;
  std::string hostname;        // empty: none
  std::uint16_t port = 0;      // 0: only TLS
  std::uint16_t tls_port = 0;  // 0: no TLS
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct Member {
  std::string id;  // as Redis's: 40 hexadecimal digits
  Endpoint endpoint;
  std::string name;                   // for people (cluster-announce-human-nodename); empty: none
  MemberIndex primary = kNoMember;    // whose replica it is; none: it is a primary itself
  std::vector<MemberIndex> replicas;  // of a primary
  std::vector<SlotRange> slots = {};  // of a primary, ascending, no two of them adjacent
  std::uint64_t config_epoch = 0;     // of the last change that it made; 0: that of the topology
  bool is_live = true;                // not of the text: whether its lease is there (etcd)

  bool is_replica() const { return primary != kNoMember; }
  std::size_t slot_count() const;
};

// Slots that were taken from a node which may not know it yet. Nobody serves them until that node
// has confirmed the loss, or its lease has ended: otherwise two nodes would.
struct Fence {
  std::string former;             // an id; it need not be a member any more
  std::vector<SlotRange> ranges;  // ascending
  friend bool operator==(const Fence&, const Fence&) = default;
};

class Topology {
 public:
  std::uint64_t epoch() const { return epoch_; }
  std::span<const Member> members() const { return members_; }
  const Member& member(MemberIndex index) const { return members_[index.value]; }
  MemberIndex find(std::string_view id) const;  // kNoMember: unknown

  // The primary that has the slot; kNoMember: it is not assigned.
  MemberIndex owner(Slot slot) const { return owners_[slot.value]; }
  // To whom its owner is giving the slot, key by key; kNoMember: it stays.
  MemberIndex moving_to(Slot slot) const;
  struct Move {
    Slot slot;
    MemberIndex to;
    friend bool operator==(const Move&, const Move&) = default;
  };
  std::span<const Move> moves() const { return moves_; }  // ascending

  std::span<const Fence> fences() const { return fences_; }
  bool is_fenced(Slot slot) const;

  std::size_t assigned() const { return assigned_; }  // slots
  std::size_t covered() const;                        // those whose nodes live
  std::size_t size() const;                           // primaries that have slots
  // The shard of a node is named after its primary.
  const Member& primary_of(MemberIndex index) const;

  // Which of the members this node is. Set once, before the topology is published.
  MemberIndex self() const { return self_; }
  void set_self(MemberIndex self) { self_ = self; }
  // A primary without slots that no topology names (any more).
  MemberIndex add_stranger(Member member);
  void set_endpoint(MemberIndex index, Endpoint endpoint, std::string name);
  // A move that only this node knows of. If the slot moves already, nothing is changed.
  void add_move(Move move);
  void set_live(MemberIndex index, bool is_live) { members_[index.value].is_live = is_live; }

 private:
  friend class TopologyBuilder;

  std::uint64_t epoch_ = 0;
  std::vector<Member> members_;
  std::unordered_map<std::string, MemberIndex> by_id_;
  std::vector<MemberIndex> owners_ = std::vector<MemberIndex>(limits::kSlots, kNoMember);
  std::vector<Move> moves_;
  std::vector<Fence> fences_;
  std::size_t assigned_ = 0;
  MemberIndex self_ = kNoMember;
};

// Makes a topology step by step. Each step says what is wrong with it; after an error the builder
// is not used any more.
class TopologyBuilder {
 public:
  void set_epoch(std::uint64_t epoch) { made_.epoch_ = epoch; }
  // `primary_id`: whose replica it is; that one was added before. Empty: a primary.
  Status add(Member member, std::string_view primary_id);
  Status give(std::string_view id, SlotRange range);
  // The owner of these slots is giving them to the member, key by key.
  Status move(SlotRange range, std::string_view to_id);
  // The slots were taken from that node. It need not be a member.
  Status fence(std::string_view former_id, SlotRange range);
  bool has(std::string_view id) const { return made_.find(id) != kNoMember; }
  Topology take();

 private:
  Result<MemberIndex> primary(std::string_view id) const;

  Topology made_;
};

bool is_member_id(std::string_view text);

}  // namespace slotcar::cluster
