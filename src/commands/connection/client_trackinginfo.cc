// CLIENT TRACKINGINFO
// CLIENT GETREDIR
#include <string_view>
#include <vector>

#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

std::int64_t redirect_of(const session::Tracking* tracking) {
  if (tracking == nullptr || !tracking->on()) return -1;
  return static_cast<std::int64_t>(tracking->options().redirect.value);
}

std::vector<std::string_view> flags_of(const session::Tracking* tracking) {
  if (tracking == nullptr || !tracking->on()) return {"off"};
  const session::TrackingOptions& options = tracking->options();
  std::vector<std::string_view> flags{"on"};
  if (options.by_prefix) flags.push_back("bcast");
  if (options.optin) flags.push_back("optin");
  if (options.optin && tracking->caching()) flags.push_back("caching-yes");
  if (options.optout) flags.push_back("optout");
  if (options.optout && tracking->caching()) flags.push_back("caching-no");
  if (options.noloop) flags.push_back("noloop");
  if (tracking->tracker().redirect_broken.load(std::memory_order_relaxed)) {
    flags.push_back("broken_redirect");
  }
  return flags;
}

void trackinginfo(session::Session& session, Call& call) {
  const session::Tracking* tracking = session.tracking();
  resp::ReplyWriter& reply = call.reply();
  reply.map(3);
  reply.bulk("flags");
  const auto flags = flags_of(tracking);
  reply.set(flags.size());
  for (const std::string_view flag : flags) reply.bulk(flag);
  reply.bulk("redirect");
  reply.integer(redirect_of(tracking));
  reply.bulk("prefixes");
  reply.array(tracking != nullptr ? tracking->prefixes().size() : 0);
  if (tracking == nullptr) return;
  for (const std::string& prefix : tracking->prefixes()) reply.bulk(prefix);
}

void getredir(session::Session& session, Call& call) {
  call.reply().integer(redirect_of(session.tracking()));
}

}  // namespace

extern constinit const Command connection_client_trackinginfo{
    .name = "CLIENT|TRACKINGINFO",
    .summary = "Answers what the connection tracks and how.",
    .since = "6.2.0",
    .complexity = "O(N) with N the number of prefixes.",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(trackinginfo)};

extern constinit const Command connection_client_getredir{
    .name = "CLIENT|GETREDIR",
    .summary = "Answers the client that is told what this one tracks.",
    .since = "6.0.0",
    .complexity = "O(1)",
    .group = Group::connection,
    .arity = exactly(2),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(getredir)};

}  // namespace slotcar::commands
