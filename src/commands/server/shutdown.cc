// SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]
#include "base/ascii.h"
#include "commands/declare.h"
#include "eval/scripts.h"
#include "node/node.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

struct Request {
  bool save = false;
  bool nosave = false;
  bool abort = false;
  bool now = false;  // there are no replicas to wait for yet
  bool force = false;
};

bool read(Call& call, Request& request) {
  for (std::size_t i = 1; i < call.size(); ++i) {
    const auto is = [&](std::string_view word) {
      return base::equals_ignoring_case(call.arg(i), word);
    };
    if (is("SAVE")) {
      request.save = true;
    } else if (is("NOSAVE")) {
      request.nosave = true;
    } else if (is("ABORT")) {
      request.abort = true;
    } else if (is("NOW")) {
      request.now = true;
    } else if (is("FORCE")) {
      request.force = true;
    } else {
      return false;
    }
  }
  if (request.save && request.nosave) return false;
  return !(request.abort && (request.save || request.nosave || request.now || request.force));
}

// A successful shutdown has no reply: the connection ends.
void shutdown(session::Session& session, Call& call) {
  Request request;
  if (!read(call, request)) return call.reply().error(schema::kSyntaxError);
  node::Node& node = *session.services().node;
  if (request.abort) {
    if (!node.abort_shutdown()) return call.reply().error("ERR No shutdown in progress.");
    return call.reply().ok();
  }
  using Save = node::Node::Shutdown::Save;
  node::Node::Shutdown how;
  if (request.save) how.save = Save::yes;
  if (request.nosave) how.save = Save::no;
  how.force = request.force;
  const std::string_view busy = node.scripts().busy_error(call.thread().clock->monotonic());
  if (!busy.empty() && !request.nosave) return call.reply().error(busy);
  node.log().warning("User requested shutdown...");
  if (!node.saves_before_end(how)) {
    session.machine().close_after_reply();
    return node.shut_down(how, [](const Status&) {});
  }
  // Its connection ends with the server; there is a reply only if the server does not end.
  call.park();
  node.shut_down(how, [&node, &call](const Status& status) {
    if (!status) call.reply().error("ERR Errors trying to SHUTDOWN. Check logs.");
    node.scheduler().finish_parked(call);
  });
}

}  // namespace

extern constinit const Command server_shutdown{
    .name = "SHUTDOWN",
    .summary = "Ends the server.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys if they are saved, else O(1).",
    .syntax = "[NOSAVE | SAVE] [NOW@7.0.0] [FORCE@7.0.0] [ABORT@7.0.0]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale |
              Access::no_multi | Access::allow_busy,
    .runs = schema::on_session(shutdown)};

}  // namespace slotcar::commands
