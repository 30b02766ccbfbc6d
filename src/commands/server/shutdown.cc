// SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE] [ABORT]
#include "base/ascii.h"
#include "commands/declare.h"
#include "node/node.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

struct Request {
  bool save = false;
  bool nosave = false;
  bool abort = false;
  bool other = false;  // NOW, FORCE: there are no replicas to wait for, and nothing that can fail
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
    } else if (is("NOW") || is("FORCE")) {
      request.other = true;
    } else {
      return false;
    }
  }
  if (request.save && request.nosave) return false;
  return !(request.abort && (request.save || request.nosave || request.other));
}

// There is no answer to a shutdown that succeeds: the connection ends.
void shutdown(session::Session& session, Call& call) {
  Request request;
  if (!read(call, request)) return call.reply().error(schema::kSyntaxError);
  if (request.abort) return call.reply().error("ERR No shutdown in progress.");
  node::Node& node = *session.services().node;
  node.log().warning("User requested shutdown...");
  session.close_after_reply();
  node.request_shutdown();
}

}  // namespace

extern constinit const Command server_shutdown{
    .name = "SHUTDOWN",
    .summary = "Ends the server.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys if they are saved, else O(1).",
    .syntax = "[NOSAVE | SAVE] [NOW] [FORCE] [ABORT]",
    .group = Group::server,
    .arity = at_least(1),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale |
              Access::no_multi | Access::allow_busy,
    .runs = schema::on_session(shutdown)};

}  // namespace slotcar::commands
