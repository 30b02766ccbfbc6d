// CLUSTER INFO, MYID, COUNT-FAILURE-REPORTS node-id
#include <fmt/format.h>

#include <algorithm>

#include "cluster/links/inbound_links.h"
#include "cluster/links/links.h"
#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {
namespace {

// As in Redis, a kind of message is shown once there was one. Answers to HELLO and to messages are
// not counted.
std::string message_lines(node::Node& node) {
  const cluster::Links::Numbers links = node.links().numbers();
  const std::int64_t received = node.inbound_links().received();
  std::string lines;
  const auto add = [&lines](std::string_view name, std::int64_t count) {
    if (count != 0) lines += fmt::format("cluster_stats_messages_{}:{}\r\n", name, count);
  };
  add("ping_sent", links.pings_sent);
  add("publish_sent", links.sent);
  lines += fmt::format("cluster_stats_messages_sent:{}\r\n", links.pings_sent + links.sent);
  add("pong_received", links.pongs_received);
  add("publish_received", received);
  lines += fmt::format("cluster_stats_messages_received:{}\r\n", links.pongs_received + received);
  return lines + fmt::format("total_cluster_links_buffer_limit_exceeded:{}\r\n", links.overflows);
}

// A file names only nodes that are thought to be well. In etcd a node without a lease has failed.
void info(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  const std::size_t assigned = topology->assigned();
  const std::size_t failed = assigned - topology->covered();
  // Until when this node may serve without a word of etcd; nothing with a file.
  std::string lease;
  if (const cluster::Lease* const held = node.services().cluster.lease) {
    const std::int64_t left = held->is_lost() ? 0 : held->deadline() - cluster::Lease::now();
    lease = fmt::format("cluster_lease_remaining_ms:{}\r\n",
                        std::max<std::int64_t>(left, 0) / 1'000'000);
  }
  const cluster::Member& self = topology->member(topology->self());
  call.reply().verbatim(fmt::format(
      "cluster_state:{}\r\n"
      "cluster_slots_assigned:{}\r\n"
      "cluster_slots_ok:{}\r\n"
      "cluster_slots_pfail:0\r\n"
      "cluster_slots_fail:{}\r\n"
      "cluster_known_nodes:{}\r\n"
      "cluster_size:{}\r\n"
      "cluster_current_epoch:{}\r\n"
      "cluster_my_epoch:{}\r\n"
      "{}{}",
      node.cluster()->is_down(*topology) ? "fail" : "ok", assigned, assigned - failed, failed,
      topology->members().size(), topology->size(), topology->epoch(),
      self.config_epoch != 0 ? self.config_epoch : topology->epoch(), message_lines(node), lease));
}

void my_id(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (topology) call.reply().bulk(topology->member(topology->self()).id);
}

void count_failure_reports(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology || named_member(*topology, call) == cluster::kNoMember) return;
  call.reply().integer(0);
}

}  // namespace

extern constinit const Command cluster_info{
    .name = "CLUSTER|INFO",
    .summary = "Answers the state of the cluster, as this node sees it.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of nodes.",
    .group = Group::cluster,
    .arity = exactly(2),
    .access = Access::stale,
    .runs = schema::on_node(info)};

extern constinit const Command cluster_myid{.name = "CLUSTER|MYID",
                                            .summary = "Answers the id of this node.",
                                            .since = "3.0.0",
                                            .complexity = "O(1)",
                                            .group = Group::cluster,
                                            .arity = exactly(2),
                                            .access = Access::stale,
                                            .runs = schema::on_node(my_id)};

extern constinit const Command cluster_count_failure_reports{
    .name = "CLUSTER|COUNT-FAILURE-REPORTS",
    .summary = "Answers how many nodes report a node as failing.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "node-id",
    .group = Group::cluster,
    .arity = exactly(3),
    .access = Access::admin | Access::stale,
    .runs = schema::on_node(count_failure_reports)};

}  // namespace slotcar::commands
