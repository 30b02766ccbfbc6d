// CLIENT NO-EVICT <ON | OFF>
// CLIENT NO-TOUCH <ON | OFF>
#include "base/ascii.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

// Answers a syntax error itself.
std::optional<bool> read_on_off(Call& call) {
  if (base::equals_ignoring_case(call.arg(2), "ON")) return true;
  if (base::equals_ignoring_case(call.arg(2), "OFF")) return false;
  call.reply().error(schema::kSyntaxError);
  return std::nullopt;
}

void no_evict(session::Session& session, Call& call) {
  const auto on = read_on_off(call);
  if (!on) return;
  session.identity().set_no_evict(*on);
  call.reply().ok();
}

void no_touch(session::Session& session, Call& call) {
  const auto on = read_on_off(call);
  if (!on) return;
  session.identity().set_no_touch(*on);
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client_no_evict{
    .name = "CLIENT|NO-EVICT",
    .summary = "Exempts the connection from being closed for the memory that it uses.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .syntax = "enabled=<ON | OFF>",
    .group = Group::connection,
    .arity = exactly(3),
    .access = Access::admin | Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(no_evict)};

extern constinit const Command connection_client_no_touch{
    .name = "CLIENT|NO-TOUCH",
    .summary = "Chooses whether the connection's reads leave the age of keys alone.",
    .since = "7.2.0",
    .complexity = "O(1)",
    .syntax = "enabled=<ON | OFF>",
    .group = Group::connection,
    .arity = exactly(3),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(no_touch)};

}  // namespace slotcar::commands
