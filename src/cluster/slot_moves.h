// SlotMoves: the slots that this node alone knows to be in motion (CLUSTER SETSLOT MIGRATING and
// IMPORTING). As in Redis each end of a move learns of it by itself, no other node does, and
// nothing of it is written down: after a restart it has to be said again. They are added to the
// moves that the topology has for all nodes.
//
// A state ends with STABLE, or when a topology has made it meaningless: a slot that leaves is not
// this node's any more, one that comes is, or the other node is gone.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

class SlotMoves {
 public:
  enum class Way : std::uint8_t { leaves, comes };

  // Errors are those of Redis, without their code. `topology`: that of now, with this node in it.
  Status set(const Topology& topology, Slot slot, Way way, const std::string& other_id);
  void clear(Slot slot) { moves_.erase(slot.value); }

  // Adds them to a topology that will be published, and drops those that it ends. A move that it
  // has itself stays.
  void add_to(Topology& next);

 private:
  struct Move {
    Way way;
    std::string other_id;
  };
  std::map<std::uint16_t, Move> moves_;  // by slot
};

}  // namespace slotcar::cluster
