// AwaitedSlots: slots that are this node's as soon as their former owner has let go of them
// (cluster/topology.h, Fence). That takes milliseconds, so calls for them wait and run then; if it
// takes longer than the patience, because the former owner does not answer and its lease has not
// ended yet, they are refused, and so are the next ones.
//
// What ends is collected, not looked up: a slot may come and go between two looks of the one who
// wakes calls, and a call may have begun to wait in between. So each slot for which a call can have
// waited is taken out of here once. Under the lock of its owner (cluster/cluster.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.h"
#include "cluster/lease.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

class AwaitedSlots {
 public:
  using Nanos = Lease::Nanos;

  // What the topology, in which this node is marked, says of its slots now. `serves_none`: the
  // cluster is down, and nothing is waited for. Slots that were not awaited before are so until
  // `until` at most.
  void follow(const Topology& topology, bool serves_none, Nanos until);
  // Those that have been waited for until `now` are given up.
  void give_up(Nanos now);

  // Calls for this slot wait.
  bool has(Slot slot) const;
  bool empty() const { return waiting_ == 0; }
  // Slots that were awaited, since the last call, and are not any more. Ascending.
  std::vector<Slot> take_ended();

 private:
  struct Wait {
    Nanos until;
    bool is_given_up = false;  // stays here until the fence falls, so that it does not begin again
  };

  std::map<Slot, Wait> waits_;
  std::size_t waiting_ = 0;  // of them, those not given up
  std::vector<Slot> ended_;
};

}  // namespace slotcar::cluster
