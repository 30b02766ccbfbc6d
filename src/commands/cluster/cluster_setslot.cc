// CLUSTER SETSLOT slot <MIGRATING node-id | IMPORTING node-id | STABLE | NODE node-id>: the state
// of a slot that is being moved, which is this node's own and changes no topology, and its end
// (NODE), which changes the topology for all nodes.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "commands/cluster/topology_proposal.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBadAction =
    "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP";
constexpr std::string_view kMovedByTopology =
    "ERR The move of this slot comes from the topology of the cluster and ends with it";

void set_move(node::Node& node, Call& call, Slot slot, cluster::SlotMoves::Way way) {
  const Status set = node.cluster()->move_slot(slot, way, std::string(call.arg(4)));
  if (!set) return call.reply().error("ERR " + set.error().message);
  call.reply().ok();
}

// All but NODE.
void set_state(node::Node& node, Call& call, Slot slot) {
  const auto is = [&](std::string_view word, std::size_t size) {
    return call.size() == size && base::equals_ignoring_case(call.arg(3), word);
  };
  if (is("MIGRATING", 5)) return set_move(node, call, slot, cluster::SlotMoves::Way::leaves);
  if (is("IMPORTING", 5)) return set_move(node, call, slot, cluster::SlotMoves::Way::comes);
  if (!is("STABLE", 4)) return call.reply().error(kBadAction);
  if (!node.cluster()->keep_slot(slot)) return call.reply().error(kMovedByTopology);
  call.reply().ok();
}

// A walk to the one shard of the slot: only there is it known whether this node has keys of it.
WalkStep start(Call& call) {
  node::Node& node = call.node();
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return WalkStep::done();
  const auto slot = slot_at(call, 2);
  if (topology->member(topology->self()).is_replica()) {
    call.reply().error("ERR You can use SETSLOT only with masters.");
  } else if (!slot) {
    call.reply().error(kBadSlot);
  } else if (call.size() == 5 && base::equals_ignoring_case(call.arg(3), "NODE")) {
    return WalkStep::go(call.shards().shard_of(*slot).value);
  } else {
    set_state(node, call, *slot);
  }
  return WalkStep::done();
}

WalkStep visit(Call& call, shard::Shard& shard) {
  node::Node& node = call.node();
  const cluster::TopologyRef topology = node.cluster()->topology();
  const Slot slot = *slot_at(call, 2);
  const cluster::MemberIndex owner = topology->owner(slot);
  const cluster::MemberIndex to = topology->find(call.arg(4));
  const bool leaves = owner == topology->self() && to != owner;
  // No key may come between this look and the change: from here on the slot leaves, so what is not
  // here is asked for elsewhere.
  std::function<void()> keep;
  if (leaves && to != cluster::kNoMember && topology->moving_to(slot) == cluster::kNoMember) {
    if (node.cluster()->move_slot(slot, cluster::SlotMoves::Way::leaves,
                                  std::string(call.arg(4)))) {
      keep = [&node, slot] { node.cluster()->keep_slot(slot); };
    }
  }
  if (leaves && shard.keys().keys_in_slot(call.db(), slot) != 0) {
    if (keep) keep();
    call.reply().error(
        fmt::format("ERR Can't assign hashslot {} to a different node while I still hold keys for "
                    "this hash slot.",
                    slot.value));
    return WalkStep::done();
  }
  propose(node, call,
          {.kind = cluster::TopologyChange::Kind::set_owner,
           .slots = {{slot, slot}},
           .node = std::string(call.arg(4))},
          std::move(keep));
  return WalkStep::done();
}

}  // namespace

extern constinit const Command cluster_setslot{
    .name = "CLUSTER|SETSLOT",
    .summary = "Gives a slot to a node, or begins or ends its move.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax =
        "slot:integer subcommand=<IMPORTING node-id | MIGRATING node-id | NODE node-id | "
        "STABLE>",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_walk(start, visit)};

}  // namespace slotcar::commands
