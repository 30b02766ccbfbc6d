// SlotBarrier: when the last call has ended that began while this node had a slot. A topology that
// takes slots away keeps new calls from running at once, but a call that has found its slot here,
// under its tokens, runs to its end: an EXEC with a long script in it does so for seconds. Only
// after that may other nodes learn that this one does not serve the slots any more.
//
// So it takes the token of each shard with a lost slot once, one after the other: the call that had
// the token before has ended, and one that gets it later sees the new topology
// (shard/slot_check.h).
#pragma once

#include <functional>
#include <vector>

#include "cluster/cluster.h"
#include "schema/internal_command.h"
#include "shard/call.h"

namespace slotcar::node {

class Node;

class SlotBarrier {
 public:
  explicit SlotBarrier(Node& node);

  // After a change of topology, on the thread that made it. `done` is called on a worker, or here.
  // It may be left out if this is called again before.
  void after_change(std::function<void()> done);

 private:
  // --- the first worker
  void wait_for(std::vector<ShardId> shards, std::function<void()> done);
  void go_on();

  Node& node_;
  cluster::TopologyRef before_;  // at the last change; the thread of changes
  // --- the first worker
  schema::InternalCommand command_;
  shard::Call call_;
  std::vector<ShardId> left_;  // whose tokens are still to be taken
  std::function<void()> done_;
  bool under_way_ = false;
};

}  // namespace slotcar::node
