// TopologyChange: what a command asks of a topology that commands may change, and what becomes of
// the topology. Pure functions: where the topology is kept, and that it has not changed meanwhile,
// is topology_source.h's.
//
// A slot that is taken from a node is fenced (topology.h): that node may not have seen the change,
// and its lease may last. The fence falls when the node confirms, or when it has no lease.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

struct TopologyChange {
  enum class Kind : std::uint8_t {
    add_slots,         // to this node
    delete_slots,      // from the nodes that have them
    flush_slots,       // all of this node
    set_owner,         // of `slots`, to `node`
    meet,              // with the node at `address`
    forget,            // `node`
    reset,             // this node leaves its cluster, and is one of its own
    bump_epoch,        // of this node
    set_config_epoch,  // of this node, to `epoch`
    save,              // nothing changes
  };
  struct Address {
    std::string ip;
    std::uint16_t port = 0;
  };

  Kind kind;
  std::vector<SlotRange> slots = {};
  std::string node = {};
  Address address = {};
  std::uint64_t epoch = 0;
  bool hard = false;  // reset: with a new id
};

// What a client reads: the text of a simple reply, or an error with its code.
using ChangeAnswer = Result<std::string>;

// A topology after a change, and what its client reads.
struct Changed {
  Topology topology;
  std::string answer = "OK";
  bool is_same = false;  // nothing is to be written
};

// Everything but meet and reset, which are of two clusters. `self`: the id of the node that was
// asked.
Result<Changed> changed_topology(const Topology& now, std::string_view self,
                                 const TopologyChange& change);
// Both clusters in one. An error: both have a slot.
Result<Topology> merged_topology(const Topology& one, const Topology& other);
// Without that node; its slots belong to no one.
Topology topology_without(const Topology& now, std::string_view id);
// A node by itself.
Topology topology_of_one(Member member, std::uint64_t epoch);
// The node's endpoint and name are these.
Topology topology_with_endpoint(const Topology& now, const Member& member);
// Without the fences of these nodes: they know what they have lost, or have no lease.
Topology topology_without_fences(const Topology& now, const std::vector<std::string>& formers);

}  // namespace slotcar::cluster
