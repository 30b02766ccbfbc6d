// ASKING, READONLY, READWRITE: what a connection says about the slots that it uses. A script's word
// has no effect: it has its own connection in Redis.
#include "commands/cluster/cluster_reply.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

// False: there is none, which was answered.
bool is_in_cluster(const session::Session& session, Call& call) {
  if (session.services().router->redirects() != nullptr) return true;
  call.reply().error(kNoCluster);
  return false;
}

void asking(session::Session& session, Call& call) {
  if (!is_in_cluster(session, call)) return;
  if (call.context().script == nullptr) session.identity().ask();
  call.reply().ok();
}

void set_reads_replica(session::Session& session, Call& call, bool on) {
  if (!is_in_cluster(session, call)) return;
  if (call.context().script == nullptr) session.identity().set_reads_replica(on);
  call.reply().ok();
}

void readonly(session::Session& session, Call& call) {
  set_reads_replica(session, call, true);
}
void readwrite(session::Session& session, Call& call) {
  set_reads_replica(session, call, false);
}

}  // namespace

extern constinit const Command cluster_asking{
    .name = "ASKING",
    .summary = "Lets the next request use a slot that is being moved to this node.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .group = Group::cluster,
    .arity = exactly(1),
    .access = Access::fast,
    .acl = Acl::connection,
    .runs = schema::on_session(asking)};

extern constinit const Command cluster_readonly{
    .name = "READONLY",
    .summary = "Lets the connection read the slots of a replica's primary.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .group = Group::cluster,
    .arity = exactly(1),
    .access = Access::loading | Access::stale | Access::fast,
    .acl = Acl::connection,
    .runs = schema::on_session(readonly)};

extern constinit const Command cluster_readwrite{
    .name = "READWRITE",
    .summary = "Ends READONLY.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .group = Group::cluster,
    .arity = exactly(1),
    .access = Access::loading | Access::stale | Access::fast,
    .acl = Acl::connection,
    .runs = schema::on_session(readwrite)};

}  // namespace slotcar::commands
