// CLUSTER ADDSLOTS, ADDSLOTSRANGE, DELSLOTS, DELSLOTSRANGE, FLUSHSLOTS, MEET, FORGET, RESET,
// BUMPEPOCH, SET-CONFIG-EPOCH, SAVECONFIG: what changes the topology, for all nodes at once.
// CLUSTER REPLICATE and FAILOVER wait for replication.
#include <arpa/inet.h>
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/cluster/cluster_reply.h"
#include "commands/cluster/topology_proposal.h"

namespace slotcar::commands {
namespace {

using cluster::SlotRange;
using cluster::TopologyChange;
using Kind = TopologyChange::Kind;

void change_slots(node::Node& node, Call& call, Kind kind) {
  if (!cluster_topology(node, call)) return;
  TopologyChange change{.kind = kind};
  for (std::size_t i = 2; i < call.size(); ++i) {
    const auto slot = slot_at(call, i);
    if (!slot) return call.reply().error(kBadSlot);
    change.slots.push_back({*slot, *slot});
  }
  propose(node, call, std::move(change));
}

void change_ranges(node::Node& node, Call& call, Kind kind) {
  if (!cluster_topology(node, call)) return;
  if (call.size() % 2 != 0) {
    return call.reply().error(
        fmt::format("ERR wrong number of arguments for 'cluster|{}' command",
                    kind == Kind::add_slots ? "addslotsrange" : "delslotsrange"));
  }
  TopologyChange change{.kind = kind};
  for (std::size_t i = 2; i < call.size(); i += 2) {
    const auto first = slot_at(call, i);
    const auto last = slot_at(call, i + 1);
    if (!first || !last) return call.reply().error(kBadSlot);
    if (*first > *last) {
      return call.reply().error(
          fmt::format("ERR start slot number {} is greater than end slot number {}", first->value,
                      last->value));
    }
    change.slots.push_back({*first, *last});
  }
  propose(node, call, std::move(change));
}

void add_slots(node::Node& node, Call& call) {
  change_slots(node, call, Kind::add_slots);
}
void delete_slots(node::Node& node, Call& call) {
  change_slots(node, call, Kind::delete_slots);
}
void add_ranges(node::Node& node, Call& call) {
  change_ranges(node, call, Kind::add_slots);
}
void delete_ranges(node::Node& node, Call& call) {
  change_ranges(node, call, Kind::delete_slots);
}

void flush_slots(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  if (node.shards().keys(call.db()) != 0) {
    return call.reply().error("ERR DB must be empty to perform CLUSTER FLUSHSLOTS.");
  }
  propose(node, call, {.kind = Kind::flush_slots});
}

// --- nodes -------------------------------------------------------------------------------------

void reply_too_many(Call& call) {
  call.reply().error(fmt::format(
      "ERR unknown subcommand or wrong number of arguments for '{:.128}'. Try CLUSTER HELP.",
      call.arg(1)));
}

void meet(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  if (call.size() > 5) return reply_too_many(call);
  const auto port = base::parse_int64(call.arg(3));
  if (!port) {
    return call.reply().error(
        fmt::format("ERR Invalid base port specified: {}", call.arg(3).substr(0, 64)));
  }
  const auto bus = call.size() == 5 ? base::parse_int64(call.arg(4)) : 0;
  if (!bus) {
    return call.reply().error(
        fmt::format("ERR Invalid bus port specified: {}", call.arg(4).substr(0, 64)));
  }
  const std::string ip(call.arg(2));
  in6_addr room;
  const bool is_ip =
      ::inet_pton(AF_INET, ip.c_str(), &room) == 1 || ::inet_pton(AF_INET6, ip.c_str(), &room) == 1;
  if (!is_ip || *port <= 0 || *port > UINT16_MAX || *bus < 0 || *bus > UINT16_MAX) {
    return call.reply().error(
        fmt::format("ERR Invalid node address specified: {}:{}", ip.substr(0, 64), *port));
  }
  propose(node, call, {.kind = Kind::meet, .address = {ip, static_cast<std::uint16_t>(*port)}});
}

void forget(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  propose(node, call, {.kind = Kind::forget, .node = std::string(call.arg(2))});
}

void reset(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  const auto is = [&call](std::string_view word) {
    return base::equals_ignoring_case(call.arg(2), word);
  };
  if (call.size() > 3) return reply_too_many(call);
  const bool hard = call.size() == 3 && is("HARD");
  if (call.size() == 3 && !hard && !is("SOFT")) return call.reply().error(schema::kSyntaxError);
  if (node.shards().keys(call.db()) != 0) {
    return call.reply().error(
        "ERR CLUSTER RESET can't be called with master nodes containing keys");
  }
  propose(node, call, {.kind = Kind::reset, .hard = hard});
}

// --- epochs ------------------------------------------------------------------------------------

void bump_epoch(node::Node& node, Call& call) {
  if (cluster_topology(node, call)) propose(node, call, {.kind = Kind::bump_epoch});
}

void set_config_epoch(node::Node& node, Call& call) {
  if (!cluster_topology(node, call)) return;
  const auto epoch = base::parse_int64(call.arg(2));
  if (!epoch) return call.reply().error(schema::kNotInteger);
  if (*epoch < 0) {
    return call.reply().error(fmt::format("ERR Invalid config epoch specified: {}", *epoch));
  }
  propose(node, call,
          {.kind = Kind::set_config_epoch, .epoch = static_cast<std::uint64_t>(*epoch)});
}

// What was answered is in etcd already.
void save_config(node::Node& node, Call& call) {
  if (cluster_topology(node, call)) propose(node, call, {.kind = Kind::save});
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
                                                .runs = schema::on_node(add_slots)};

extern constinit const Command cluster_addslotsrange{
    .name = "CLUSTER|ADDSLOTSRANGE",
    .summary = "Gives ranges of slots to this node.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of slots.",
    .syntax = "{start-slot:integer end-slot:integer}...",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(add_ranges)};

extern constinit const Command cluster_delslots{.name = "CLUSTER|DELSLOTS",
                                                .summary = "Takes slots from their node.",
                                                .since = "3.0.0",
                                                .complexity = "O(N) with N the number of slots.",
                                                .syntax = "slot:integer...",
                                                .group = Group::cluster,
                                                .arity = at_least(3),
                                                .access = kChangesCluster,
                                                .runs = schema::on_node(delete_slots)};

extern constinit const Command cluster_delslotsrange{
    .name = "CLUSTER|DELSLOTSRANGE",
    .summary = "Takes ranges of slots from their nodes.",
    .since = "7.0.0",
    .complexity = "O(N) with N the number of slots.",
    .syntax = "{start-slot:integer end-slot:integer}...",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(delete_ranges)};

extern constinit const Command cluster_flushslots{.name = "CLUSTER|FLUSHSLOTS",
                                                  .summary = "Takes all slots from this node.",
                                                  .since = "3.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::cluster,
                                                  .arity = exactly(2),
                                                  .access = kChangesCluster,
                                                  .runs = schema::on_node(flush_slots)};

extern constinit const Command cluster_meet{
    .name = "CLUSTER|MEET",
    .summary = "Joins this node and another one.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "ip port:integer [cluster_bus_port:integer@4.0.0]",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = kChangesCluster,
    .runs = schema::on_node(meet)};

extern constinit const Command cluster_forget{.name = "CLUSTER|FORGET",
                                              .summary = "Removes a node from the cluster.",
                                              .since = "3.0.0",
                                              .complexity = "O(1)",
                                              .syntax = "node-id",
                                              .group = Group::cluster,
                                              .arity = exactly(3),
                                              .access = kChangesCluster,
                                              .runs = schema::on_node(forget)};

extern constinit const Command cluster_reset{
    .name = "CLUSTER|RESET",
    .summary = "Makes this node a cluster of its own again.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of nodes.",
    .syntax = "[HARD | SOFT]",
    .group = Group::cluster,
    .arity = at_least(2),
    .access = Access::admin | Access::noscript | Access::stale,
    .runs = schema::on_node(reset)};

extern constinit const Command cluster_bumpepoch{.name = "CLUSTER|BUMPEPOCH",
                                                 .summary = "Gives this node a new epoch.",
                                                 .since = "3.0.0",
                                                 .complexity = "O(1)",
                                                 .group = Group::cluster,
                                                 .arity = exactly(2),
                                                 .access = kChangesCluster,
                                                 .runs = schema::on_node(bump_epoch)};

extern constinit const Command cluster_set_config_epoch{.name = "CLUSTER|SET-CONFIG-EPOCH",
                                                        .summary = "Sets the epoch of a new node.",
                                                        .since = "3.0.0",
                                                        .complexity = "O(1)",
                                                        .syntax = "config-epoch:integer",
                                                        .group = Group::cluster,
                                                        .arity = exactly(3),
                                                        .access = kChangesCluster,
                                                        .runs = schema::on_node(set_config_epoch)};

extern constinit const Command cluster_saveconfig{.name = "CLUSTER|SAVECONFIG",
                                                  .summary = "Writes the topology to the disk.",
                                                  .since = "3.0.0",
                                                  .complexity = "O(1)",
                                                  .group = Group::cluster,
                                                  .arity = exactly(2),
                                                  .access = kChangesCluster,
                                                  .runs = schema::on_node(save_config)};

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
