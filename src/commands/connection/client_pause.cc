// CLIENT PAUSE timeout [WRITE | ALL]
// CLIENT UNPAUSE
#include "base/ascii.h"
#include "commands/declare.h"
#include "runtime/event_loop.h"
#include "runtime/task.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::commands {
namespace {

void pause(session::Session& session, Call& call) {
  auto kind = session::PauseKind::all;
  if (call.size() > 4) return call.reply().error(schema::kSyntaxError);
  if (call.size() == 4) {
    if (base::equals_ignoring_case(call.arg(3), "WRITE")) {
      kind = session::PauseKind::write;
    } else if (!base::equals_ignoring_case(call.arg(3), "ALL")) {
      return call.reply().error("ERR CLIENT PAUSE mode must be WRITE or ALL");
    }
  }
  const auto timeout = base::parse_int64(call.arg(2));
  if (!timeout) return call.reply().error("ERR timeout is not an integer or out of range");
  if (*timeout < 0) return call.reply().error("ERR timeout is negative");
  UnixMs until = 0;
  if (__builtin_add_overflow(call.now(), *timeout, &until)) {
    return call.reply().error("ERR timeout is out of range");
  }
  session.services().pause->begin(kind, until, call.now());
  call.reply().ok();
}

void unpause(session::Session& session, Call& call) {
  session.services().pause->end();
  for (session::Worker* worker : *session.services().workers) {
    worker->loop().post(runtime::make_task([worker] { worker->sessions().wake_paused(); }));
  }
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client_pause{
    .name = "CLIENT|PAUSE",
    .summary = "Holds commands of all clients back for a while.",
    .since = "2.9.50",
    .complexity = "O(1)",
    .syntax = "timeout:integer [mode=<WRITE | ALL>@6.2.0]",
    .group = Group::connection,
    .arity = at_least(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(pause)};

extern constinit const Command connection_client_unpause{
    .name = "CLIENT|UNPAUSE",
    .summary = "Ends a pause before its time.",
    .since = "6.2.0",
    .complexity = "O(N) with N the number of clients held back.",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(unpause)};

}  // namespace slotcar::commands
