// TopologySource: where the topology comes from and who may change it: a file, which commands
// cannot change (topology_file.h), or etcd (etcd/topology_etcd.h).
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cluster/topology.h"
#include "cluster/topology_change.h"

namespace slotcar::cluster {

class TopologySource {
 public:
  virtual ~TopologySource() = default;

  // The topology of now. Before `watch`, and it may wait for the disk or the network.
  virtual Result<Topology> read() = 0;
  // The id of this node, if the source knows it; then it is valid after `read`, and on the thread
  // of `changed`.
  virtual std::string self_id() const { return {}; }
  // From now on `changed` gets each new topology, on a thread of the source's own.
  virtual Status watch(std::function<void(Topology)> changed) = 0;
  virtual void stop() = 0;
  // Changes the topology for all nodes. Any thread; `done` is called once, on a thread of the
  // source's own or on this one. After an answer that is no error this node follows the change.
  using Done = std::function<void(const ChangeAnswer&)>;
  virtual void propose(TopologyChange change, Done done) = 0;
};

}  // namespace slotcar::cluster
