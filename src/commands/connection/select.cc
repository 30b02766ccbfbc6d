// SELECT index
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void select(session::Session& session, Call& call) {
  ArgReader args(call.args());
  const std::int64_t index = args.integer();
  if (args.failed()) return call.reply().error(args.error());
  if (index < 0 || index >= call.shards().shape().databases) {
    return call.reply().error(schema::kDbOutOfRange);
  }
  const DbIndex db{static_cast<std::uint16_t>(index)};
  // A script's choice holds for the rest of the script alone.
  if (call.context().script == nullptr) session.identity().select(db);
  call.set_db(db);
  call.reply().ok();
}

std::string_view refused_in_cluster(schema::ArgSpan args) {
  const auto index = base::parse_int64(args[1]);
  return !index || *index == 0 ? "" : "ERR SELECT is not allowed in cluster mode";
}

}  // namespace

extern constinit const Command connection_select{
    .name = "SELECT",
    .summary = "Chooses the database of the connection.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "index",
    .group = Group::connection,
    .arity = exactly(2),
    .refused_in_cluster = refused_in_cluster,
    .access = Access::loading | Access::stale | Access::fast,
    .acl = Acl::connection,
    .runs = schema::on_session(select)};

}  // namespace slotcar::commands
