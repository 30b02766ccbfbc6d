// Cluster: what a node knows of its cluster: the topology of now and which of its nodes it is.
//
// Readers on the data path ask one byte per slot (`serves`), without a lock. That byte says only
// that the slot is this node's, that nothing about it is in motion and that the cluster is not
// down; whatever else holds is found out from the topology, which is shared and never changes. So
// almost all requests of a client with a current map cost one load, and a change of topology writes
// 16,384 bytes and waits for no reader. Readers see no order between two slots.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/result.h"
#include "cluster/awaited_slots.h"
#include "cluster/lease.h"
#include "cluster/settings.h"
#include "cluster/slot_moves.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

using TopologyRef = std::shared_ptr<const Topology>;

class Cluster {
 public:
  explicit Cluster(const Settings& settings) : settings_(settings) {}

  const Settings& settings() const { return settings_; }

  // --- any thread
  // The slot is this node's and simply served.
  bool serves(Slot slot) const { return served_[slot.value].load(std::memory_order_relaxed) != 0; }
  // Takes a lock for a moment. Null before the first one.
  TopologyRef topology() const {
    std::lock_guard lock(mutex_);
    return topology_;
  }
  // Slots are missing, or their nodes do not live, and none may (cluster-require-full-coverage); or
  // the lease is lost.
  bool is_down(const Topology& topology) const {
    return lease_.is_lost() ||
           (settings_.full_coverage.get() && topology.covered() < limits::kSlots);
  }
  const Lease& lease() const { return lease_; }
  // The topology, and whether this node has the slot in a moment (awaited_slots.h): both as of the
  // same moment.
  struct Sight {
    TopologyRef topology;
    bool awaited = false;
  };
  Sight look_at(Slot slot) const {
    std::lock_guard lock(mutex_);
    return {topology_, awaited_.has(slot)};
  }
  // Gives up what has been awaited until `now`. Calls for the slots that it returns may have waited
  // and have to be looked at again. `more`: there are others.
  std::vector<Slot> take_awaited(Lease::Nanos now, bool& more);

  // The first topology. Finds out which of its nodes this one is: by the id that the source of the
  // topology knows, by `cluster-node-id`, or else by one of the addresses and the ports of this
  // node.
  struct Addresses {
    std::string id = {};  // empty: not known
    std::vector<std::string> ips;
    std::uint16_t port = 0;
    std::uint16_t tls_port = 0;
  };
  Status start(Topology topology, const Addresses& here);
  // A later one, from the source's thread. A topology without this node leaves it a node without
  // slots.
  void change(Topology topology);
  // A later one, in which this node has another id (CLUSTER RESET HARD).
  void change(Topology topology, const std::string& id);
  Lease& mutable_lease() { return lease_; }  // for its holder
  // A setting has changed by which topologies are looked at.
  void settings_changed();
  void announce(Announced announced);
  // CLUSTER SETSLOT: this node alone regards the slot as in motion, or not any more.
  Status move_slot(Slot slot, SlotMoves::Way way, const std::string& other_id);
  // False: the topology itself moves it.
  bool keep_slot(Slot slot);
  // Called after each change, on the thread that made it.
  void set_on_change(std::function<void()> on_change) { on_change_ = std::move(on_change); }

 private:
  Result<MemberIndex> find_self(const Topology& topology, const Addresses& here) const;
  void publish(const std::lock_guard<std::mutex>&);

  const Settings& settings_;
  Lease lease_;
  mutable std::mutex mutex_;
  Topology topology_source_;  // as it came
  SlotMoves slot_moves_;
  AwaitedSlots awaited_;
  Announced announced_;
  TopologyRef topology_;  // with this node in it, as it wants to be announced
  Member self_;           // as a topology last named it
  std::function<void()> on_change_;
  std::array<std::atomic<std::uint8_t>, limits::kSlots> served_{};
};

// What clients are given as the address of a node, as MOVED has it. Empty: the address through
// which they came (unknown-endpoint).
std::string preferred_address(const Endpoint& endpoint, EndpointType type);
// Where a client that uses TLS, or does not, reaches the node.
std::uint16_t client_port(const Endpoint& endpoint, bool tls);

}  // namespace slotcar::cluster
