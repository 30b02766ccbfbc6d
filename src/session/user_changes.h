// What a change of users makes necessary: connections of users that are gone are closed, and those
// that listen to what their user may not listen to any more. Every other connection looks at its
// user before its next request.
#pragma once

#include <span>

#include "acl/users.h"
#include "session/session.h"
#include "shard/thread.h"

namespace slotcar::session {

// On behalf of a command of `self`, on its thread. A `self` whose own user is gone is closed after
// its reply.
void apply_user_changes(Session& self, shard::Thread& thread,
                        std::span<const acl::Users::Change> changes);

}  // namespace slotcar::session
