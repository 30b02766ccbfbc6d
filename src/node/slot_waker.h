// SlotWaker: wakes the calls that wait for slots which this node has in a moment, when it has them,
// or has given up (cluster/awaited_slots.h). The first worker's; there is one in a cluster alone.
#pragma once

#include "cluster/cluster.h"
#include "session/worker.h"
#include "shard/call_waker.h"
#include "shard/scheduler.h"

namespace slotcar::node {

class SlotWaker final : public session::Ticker {
 public:
  SlotWaker(cluster::Cluster& cluster, shard::Scheduler& scheduler)
      : cluster_(cluster), scheduler_(scheduler), calls_(scheduler) {}

  runtime::Nanos tick(session::Worker& worker) override;

 private:
  cluster::Cluster& cluster_;
  shard::Scheduler& scheduler_;
  shard::CallWaker calls_;
};

}  // namespace slotcar::node
