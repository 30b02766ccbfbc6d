// CLUSTER, the container of its subcommands, and CLUSTER HELP.
#include "commands/cluster/cluster_reply.h"
#include "commands/help.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kHelp[] = {
    "COUNTKEYSINSLOT <slot>",
    "    Answer how many keys this node has in the slot.",
    "COUNT-FAILURE-REPORTS <node-id>",
    "    Answer how many nodes report the node as failing: none, for nodes do not report.",
    "GETKEYSINSLOT <slot> <count>",
    "    Answer the names of up to so many keys that this node has in the slot.",
    "INFO",
    "    Answer the state of the cluster.",
    "KEYSLOT <key>",
    "    Answer the slot of the key.",
    "LINKS",
    "    Answer the links between this node and others: direction, node, since when, buffers.",
    "MYID",
    "    Answer the id of this node.",
    "MYSHARDID",
    "    Answer the id of this node's shard.",
    "NODES",
    "    Answer a line for each node: id, address, flags, primary, ping, pong, epoch, link, slots.",
    "REPLICAS <node-id>",
    "    Answer a line for each replica of the node.",
    "SLOT-STATS SLOTSRANGE <start-slot> <end-slot>",
    "SLOT-STATS ORDERBY KEY-COUNT [LIMIT <limit>] [ASC|DESC]",
    "    Answer how many keys the slots of this node's shard have.",
    "SLOTS",
    "    Answer the nodes of each range of slots.",
    "SHARDS",
    "    Answer the slots and the nodes of each shard.",
};

void help(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  reply_help(call, "CLUSTER", kHelp);
}

}  // namespace

extern constinit const Command cluster_cluster{
    .name = "CLUSTER",
    .summary = "A container for the commands of a cluster.",
    .since = "3.0.0",
    .complexity = "Depends on the subcommand.",
    .group = Group::cluster,
    .arity = at_least(2),
    .runs = schema::container()};

extern constinit const Command cluster_help{.name = "CLUSTER|HELP",
                                            .summary = "Lists the subcommands of CLUSTER.",
                                            .since = "5.0.0",
                                            .complexity = "O(1)",
                                            .group = Group::cluster,
                                            .arity = exactly(2),
                                            .access = Access::loading | Access::stale,
                                            .runs = schema::on_node(help)};

}  // namespace slotcar::commands
