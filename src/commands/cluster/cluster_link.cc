// CLUSTER LINK HELLO from to number
// CLUSTER LINK PUBLISH channel message [channel message ...]
//
// What nodes say to each other (cluster/links/links.h); not for clients. It is a command of @admin.
#include "base/ascii.h"
#include "base/numbers.h"
#include "cluster/links/inbound_links.h"
#include "cluster/links/limits.h"
#include "commands/cluster/cluster_reply.h"
#include "session/publish.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kFirst = 3;  // behind HELLO or PUBLISH

void hello(node::Node& node, Call& call, const cluster::Topology& topology) {
  const auto number = base::parse_int64(call.arg(kFirst + 2));
  if (!number || *number < 0) return call.reply().error(schema::kNotInteger);
  const auto is_open = [&node](ClientId id) {
    const auto client = node.clients().find(id);
    return client != nullptr && !client->closing.load(std::memory_order_relaxed);
  };
  const Status greeted = node.inbound_links().greet(topology,
                                                    {.from = call.arg(kFirst),
                                                     .to = call.arg(kFirst + 1),
                                                     .number = static_cast<std::uint64_t>(*number),
                                                     .client = call.caller().client},
                                                    is_open);
  if (!greeted) return call.reply().error(greeted.error().message);
  call.reply().simple(topology.member(topology.self()).id);
}

// They are not sent on: the other node has sent them to all.
void publish(node::Node& node, Call& call, const cluster::Topology& topology) {
  const std::size_t messages = (call.size() - kFirst) / 2;
  if (messages > limits::kLinkBatchMessages) {
    return call.reply().error("ERR Too many messages in one request");
  }
  const Status received =
      node.inbound_links().receive(topology, call.caller().client, messages, [&] {
        for (std::size_t i = kFirst; i < call.size(); i += 2) {
          session::publish_here(node.services(), pubsub::Kind::channel, call.arg(i),
                                call.arg(i + 1), nullptr);
        }
      });
  if (!received) return call.reply().error(received.error().message);
  call.reply().integer(static_cast<std::int64_t>(messages));
}

void link(node::Node& node, Call& call) {
  const cluster::TopologyRef topology = cluster_topology(node, call);
  if (!topology) return;
  const std::size_t arguments = call.size() - kFirst;
  if (base::equals_ignoring_case(call.arg(2), "HELLO") && arguments == 3) {
    return hello(node, call, *topology);
  }
  if (base::equals_ignoring_case(call.arg(2), "PUBLISH") && arguments % 2 == 0) {
    return publish(node, call, *topology);
  }
  call.reply().error(schema::kSyntaxError);
}

}  // namespace

extern constinit const Command cluster_link{
    .name = "CLUSTER|LINK",
    .summary = "What nodes say to each other. Not for clients.",
    .since = "0.1.0",
    .complexity = "O(N) with N the number of messages and their subscribers.",
    .syntax = "verb:string argument:string...",
    .group = Group::cluster,
    .arity = at_least(5),
    .access = Access::admin | Access::noscript | Access::no_multi | Access::loading |
              Access::stale | Access::skip_monitor | Access::skip_slowlog,
    .runs = schema::on_node(link)};

}  // namespace slotcar::commands
