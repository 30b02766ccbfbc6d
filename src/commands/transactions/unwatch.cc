// UNWATCH
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

void unwatch(session::Session& session, Call& call) {
  session.requests().unwatch();
  call.reply().ok();
}

}  // namespace

extern constinit const Command transactions_unwatch{.name = "UNWATCH",
                                                    .summary = "Forgets the watched keys.",
                                                    .since = "2.2.0",
                                                    .complexity = "O(1)",
                                                    .group = Group::transactions,
                                                    .arity = exactly(1),
                                                    .access = Access::noscript | Access::loading |
                                                              Access::stale | Access::fast |
                                                              Access::allow_busy,
                                                    .acl = Acl::transaction,
                                                    .runs = schema::on_session(unwatch)};

}  // namespace slotcar::commands
