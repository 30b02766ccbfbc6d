// DBSIZE
#include "commands/declare.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

// A sum of counters: no token is needed, and no shard waits.
void dbsize(node::Node& node, Call& call) {
  call.reply().integer(node.shards().keys(call.db()));
}

}  // namespace

extern constinit const Command server_dbsize{
    .name = "DBSIZE",
    .summary = "Answers the number of keys in the database.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .group = Group::server,
    .arity = exactly(1),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = schema::on_node(dbsize)};

}  // namespace slotcar::commands
