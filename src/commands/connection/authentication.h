// What AUTH and HELLO share: the check of a user's password, and what follows from it.
#pragma once

#include <string_view>

#include "commands/declare.h"
#include "node/node.h"
#include "session/login.h"
#include "session/session.h"

namespace slotcar::commands {

inline constexpr std::string_view kWrongPassword =
    "WRONGPASS invalid username-password pair or user is disabled.";

// The error, or nothing: then the connection is that user from now on.
inline std::string_view authenticate(session::Session& session, Call& call, std::string_view name,
                                     std::string_view password) {
  node::Node& node = *session.services().node;
  const std::string& address = session.record().address;
  const UnixMs now = node.clock().unix_ms();
  if (!node.auth_limit().may_try(address, now)) {
    return "ERR too many failed authentications from this address, try again in a minute";
  }
  acl::UserRef user = node.users().authenticate(name, password);
  if (user == nullptr) {
    node.auth_limit().failed(address, now);
    const bool in_multi = call.caller().in_multi || call.in_transaction();
    const auto context = in_multi ? acl::Context::multi : acl::Context::toplevel;
    node.acl_log().note(call, {acl::Denial::auth}, context, name);
    return kWrongPassword;
  }
  call.set_user(*user);
  session::log_in(session, std::move(user));
  return {};
}

}  // namespace slotcar::commands
