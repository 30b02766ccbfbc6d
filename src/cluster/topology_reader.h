// Reads a topology from text (topology_format.h).
#pragma once

#include <string_view>

#include "base/result.h"
#include "cluster/topology.h"

namespace slotcar::cluster {

// The error begins with the line: "line 3: ...".
Result<Topology> read_topology(std::string_view text);

}  // namespace slotcar::cluster
