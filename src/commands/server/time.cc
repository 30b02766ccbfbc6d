// TIME
#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

void time(node::Node& node, Call& call) {
  const std::int64_t now = node.clock().unix_us();
  call.reply().array(2);
  call.reply().bulk_integer(now / 1'000'000);
  call.reply().bulk_integer(now % 1'000'000);
}

}  // namespace

extern constinit const Command server_time{
    .name = "TIME",
    .summary = "Answers the server's time: seconds since 1970, and microseconds.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::loading | Access::stale | Access::fast,
    .runs = schema::on_node(time)};

}  // namespace slotcar::commands
