// TopologySource: where the topology comes from and who may change it. A static file
// (topology_file.h) is the only one so far.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

class TopologySource {
 public:
  virtual ~TopologySource() = default;

  // The topology of now. Before `watch`, and it may wait for the disk.
  virtual Result<Topology> read() = 0;
  // From now on `changed` gets each new topology, on a thread of the source's own.
  virtual Status watch(std::function<void(Topology)> changed) = 0;
  virtual void stop() = 0;
  // What a client reads that wants to change the topology by a command.
  virtual std::string refusal() const = 0;
};

}  // namespace slotcar::cluster
