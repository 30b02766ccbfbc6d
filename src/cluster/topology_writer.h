// Writes a topology as text (topology_format.h).
#pragma once

#include <string>

#include "cluster/topology.h"

namespace slotcar::cluster {

// Which of the members this node is does not belong to it.
std::string write_topology(const Topology& topology);

}  // namespace slotcar::cluster
