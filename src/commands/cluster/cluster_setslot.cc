// CLUSTER SETSLOT slot <MIGRATING node-id | IMPORTING node-id | STABLE | NODE node-id>: the state
// of a slot that is being moved. All but NODE are this node's own and change no topology.
#include "base/ascii.h"
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBadSlot = "ERR Invalid or out of range slot";
constexpr std::string_view kBadAction =
    "ERR Invalid CLUSTER SETSLOT action or number of arguments. Try CLUSTER HELP";
constexpr std::string_view kMovedByTopology =
    "ERR The move of this slot comes from the topology of the cluster and ends with it";

void set_move(node::Node& node, Call& call, Slot slot, cluster::SlotMoves::Way way) {
  const Status set = node.cluster()->move_slot(slot, way, std::string(call.arg(4)));
  if (!set) return call.reply().error("ERR " + set.error().message);
  call.reply().ok();
}

void setslot(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  if (topology->member(topology->self()).is_replica()) {
    return call.reply().error("ERR You can use SETSLOT only with masters.");
  }
  const auto number = base::parse_int64(call.arg(2));
  if (!number || *number < 0 || *number >= limits::kSlots) return call.reply().error(kBadSlot);
  const Slot slot{static_cast<std::uint16_t>(*number)};
  const auto is = [&](std::string_view word, std::size_t size) {
    return call.size() == size && base::equals_ignoring_case(call.arg(3), word);
  };
  if (is("MIGRATING", 5)) return set_move(node, call, slot, cluster::SlotMoves::Way::leaves);
  if (is("IMPORTING", 5)) return set_move(node, call, slot, cluster::SlotMoves::Way::comes);
  if (is("NODE", 5)) return call.reply().error(node.topology_source().refusal());
  if (!is("STABLE", 4)) return call.reply().error(kBadAction);
  if (!node.cluster()->keep_slot(slot)) return call.reply().error(kMovedByTopology);
  call.reply().ok();
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
    .runs = schema::on_node(setslot)};

}  // namespace slotcar::commands
