// What a change of users makes necessary: connections that may not go on are closed, before the
// command that changed them is answered.
#pragma once

#include <span>

#include "acl/users.h"
#include "commands/declare.h"
#include "session/session.h"
#include "session/user_changes.h"

namespace slotcar::commands {

inline acl::Users::OnChange close_changed(session::Session& session, Call& call) {
  return [&session, &call](std::span<const acl::Users::Change> changes) {
    session::apply_user_changes(session, call.thread(), changes);
  };
}

}  // namespace slotcar::commands
