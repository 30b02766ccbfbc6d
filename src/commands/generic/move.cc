// MOVE key db
#include "commands/generic/database_argument.h"

namespace slotcar::commands {
namespace {

void move(Call& call) {
  ArgReader args(call.args(), 2);
  const DbIndex to_db = read_database(args, call);
  if (args.failed()) return call.reply().error(args.error());
  if (to_db == call.db()) return call.reply().error(schema::kSameObject);

  const bool moved = call.find_for_write(0) != nullptr &&
                     call.space(0).move(call.hold(), call.db(), to_db, call.key(0));
  call.reply().integer(moved ? 1 : 0);
}

std::string_view refused_in_cluster(schema::ArgSpan) {
  return "ERR MOVE is not allowed in cluster mode";
}

}  // namespace

extern constinit const Command generic_move{
    .name = "MOVE",
    .summary = "Moves a key to another database unless it has a key of that name.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key db",
    .group = Group::generic,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .refused_in_cluster = refused_in_cluster,
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(move),
};

}  // namespace slotcar::commands
