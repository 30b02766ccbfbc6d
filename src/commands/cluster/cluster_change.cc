// CLUSTER ADDSLOTS, ADDSLOTSRANGE, DELSLOTS, DELSLOTSRANGE, FLUSHSLOTS, MEET, FORGET, RESET,
// BUMPEPOCH, SET-CONFIG-EPOCH, SAVECONFIG: what would change the topology. Its source says
// why it cannot be changed by a command. CLUSTER REPLICATE and FAILOVER wait for replication.
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

void change(node::Node& node, Call& call) {
  if (cluster_topology(node, call)) call.reply().error(node.topology_source().refusal());
}

void replicate(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  call.reply().error("ERR Replication is not implemented yet: a node cannot follow another one");
}

void fail_over(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  call.reply().error("ERR Replication is not implemented yet: there is no replica to fail over to");
}

}  // namespace

extern constinit const Command cluster_addslots{.name = "CLUSTER|ADDSLOTS",
                                                .summary = "Gives slots to this node.",
                                                .since = "3.0.0",
                                                .complexity = "O(N) with N the number of slots.",
                                                .syntax = "slot:integer...",
                                                .group = Group::cluster,
                                                .arity = at_least(3),
                                                .access = kChangesCluster,
                                                .runs = schema::on_node(change)};

extern constinit const Command cluster_addslotsrange{
    .name = "CLUSTER|ADDSLOTSRANGE",
    .summary = "Gives ranges of slots to this node.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of slots.",
    .syntax = "{start-slot:integer end-slot:integer}...",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(change)};

extern constinit const Command cluster_delslots{.name = "CLUSTER|DELSLOTS",
                                                .summary = "Takes slots from their node.",
                                                .since = "3.0.0",
                                                .complexity = "O(N) with N the number of slots.",
                                                .syntax = "slot:integer...",
                                                .group = Group::cluster,
                                                .arity = at_least(3),
                                                .access = kChangesCluster,
                                                .runs = schema::on_node(change)};

extern constinit const Command cluster_delslotsrange{
    .name = "CLUSTER|DELSLOTSRANGE",
    .summary = "Takes ranges of slots from their nodes.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of slots.",
    .syntax = "{start-slot:integer end-slot:integer}...",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(change)};

extern constinit const Command cluster_flushslots{.name = "CLUSTER|FLUSHSLOTS",
                                                  .summary = "Takes all slots from this node.",
                                                  .since = "3.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::cluster,
                                                  .arity = exactly(2),
                                                  .access = kChangesCluster,
                                                  .runs = schema::on_node(change)};

extern constinit const Command cluster_meet{
    .name = "CLUSTER|MEET",
    .summary = "Joins this node and another one.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "ip port:integer [cluster_bus_port:integer@4.0.0]",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(change)};

extern constinit const Command cluster_forget{.name = "CLUSTER|FORGET",
                                              .summary = "Removes a node from the cluster.",
                                              .since = "3.0.0",
                                              .complexity = "O(1)",
                                              .syntax = "node-id",
                                              .group = Group::cluster,
                                              .arity = exactly(3),
                                              .access = kChangesCluster,
                                              .runs = schema::on_node(change)};

extern constinit const Command cluster_reset{
    .name = "CLUSTER|RESET",
    .summary = "Makes this node a cluster of its own again.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of nodes.",
    .syntax = "[HARD | SOFT]",
    .group = Group::cluster,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::stale,
    .runs = schema::on_node(change)};

extern constinit const Command cluster_bumpepoch{.name = "CLUSTER|BUMPEPOCH",
                                                 .summary = "Gives this node a new epoch.",
                                                 .since = "3.0.0",
                                                 .complexity = "O(1)",
                                                 .group = Group::cluster,
                                                 .arity = exactly(2),
                                                 .access = kChangesCluster,
                                                 .runs = schema::on_node(change)};

extern constinit const Command cluster_set_config_epoch{.name = "CLUSTER|SET-CONFIG-EPOCH",
                                                        .summary = "Sets the epoch of a new node.",
                                                        .since = "3.0.0",
                                                        .complexity = "O(1)",
                                                        .syntax = "config-epoch:integer",
                                                        .group = Group::cluster,
                                                        .arity = exactly(3),
                                                        .access = kChangesCluster,
                                                        .runs = schema::on_node(change)};

extern constinit const Command cluster_saveconfig{.name = "CLUSTER|SAVECONFIG",
                                                  .summary = "Writes the topology to the disk.",
                                                  .since = "3.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::cluster,
                                                  .arity = exactly(2),
                                                  .access = kChangesCluster,
                                                  .runs = schema::on_node(change)};

extern constinit const Command cluster_replicate{
    .name = "CLUSTER|REPLICATE",
    .summary = "Makes this node a replica of another one.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "node-id",
    .group = Group::cluster,
    .arity = exactly(3),
    .access = kChangesCluster,
    .runs = schema::on_node(replicate)};

extern constinit const Command cluster_failover{
    .name = "CLUSTER|FAILOVER",
    .summary = "Lets a replica take the place of its primary.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "[options=<FORCE | TAKEOVER>]",
    .group = Group::cluster,
    .arity = at_least(2),
    .access = kChangesCluster,
    .runs = schema::on_node(fail_over)};

}  // namespace slotcar::commands
