// CLIENT UNBLOCK client-id [TIMEOUT | ERROR]
#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/declare.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::commands {
namespace {

void unblock(session::Session& session, Call& call) {
  auto why = shard::WaitEnd::timeout;
  if (call.size() > 4) return call.reply().error(schema::kSyntaxError);
  if (call.size() == 4) {
    if (base::equals_ignoring_case(call.arg(3), "ERROR")) {
      why = shard::WaitEnd::unblocked;
    } else if (!base::equals_ignoring_case(call.arg(3), "TIMEOUT")) {
      return call.reply().error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
  }
  const auto id = base::parse_int64(call.arg(2));
  if (!id) return call.reply().error(schema::kNotInteger);
  session::Services& services = session.services();
  const auto record = services.clients->find(ClientId{static_cast<std::uint64_t>(*id)});
  const auto waiter = record ? services.clients->waiter(*record) : nullptr;
  // The thread that claims the waiter answers it, whichever worker it is at home on.
  const bool ended = waiter && services.scheduler->waiters().end(call.thread(), waiter, why);
  call.reply().integer(ended ? 1 : 0);
}

}  // namespace

extern constinit const Command connection_client_unblock{
    .name = "CLIENT|UNBLOCK",
    .summary = "Ends the wait of another client's blocking command.",
    .since = "5.0.0",
    .complexity = "O(log N) with N the number of connections.",
    .syntax = "client-id [TIMEOUT | ERROR]",
    .group = Group::connection,
    .arity = at_least(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(unblock)};

}  // namespace slotcar::commands
