// A change of the topology that a command proposes. Its source makes the change, for all nodes at
// once, or says why it cannot be made; the client waits, and no thread does.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "cluster/topology_change.h"
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {

inline constexpr std::string_view kBadSlot = "ERR Invalid or out of range slot";

// The slot that an argument names.
std::optional<Slot> slot_at(const Call& call, std::size_t index);

// The call is answered when the topology has changed, or has not; then `failed` is called before.
void propose(node::Node& node, Call& call, cluster::TopologyChange change,
             std::function<void()> failed = {});

}  // namespace slotcar::commands
