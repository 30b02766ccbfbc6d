// CLIENT CACHING <YES | NO>
#include "base/ascii.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotTracking =
    "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or "
    "OPTOUT mode enabled";
constexpr std::string_view kNotOptin =
    "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.";
constexpr std::string_view kNotOptout =
    "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.";

void caching(session::Session& session, Call& call) {
  const session::Tracking* tracking = session.tracking();
  if (tracking == nullptr || !tracking->on()) return call.reply().error(kNotTracking);
  if (base::equals_ignoring_case(call.arg(2), "YES")) {
    if (!tracking->options().optin) return call.reply().error(kNotOptin);
  } else if (base::equals_ignoring_case(call.arg(2), "NO")) {
    if (!tracking->options().optout) return call.reply().error(kNotOptout);
  } else {
    return call.reply().error(schema::kSyntaxError);
  }
  session.tracking()->set_caching();
  call.set_tracker(session.identity().tracker());
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client_caching{
    .name = "CLIENT|CACHING",
    .summary = "Chooses whether what the next command reads is tracked.",
    .since = "6.0.0",
    .complexity = "O(1)",
    .syntax = "mode=<YES | NO>",
    .group = Group::connection,
    .arity = exactly(3),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(caching)};

}  // namespace slotcar::commands
