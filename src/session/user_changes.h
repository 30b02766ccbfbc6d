// What a change of users makes necessary: connections of users that are gone are closed, and those
// that listen to what their user may not listen to any more. Every other connection looks at its
// user before its next request.
#pragma once

#include <memory>
#include <span>

#include "acl/users.h"
#include "session/session.h"
#include "shard/call.h"

namespace slotcar::session {

// Made by a command that changes users, on the thread of its session, and ended when its reply is
// written. That leaves when every connection that may listen to too much has been looked at, each
// on its own worker: what is published later does not reach it. Inside MULTI the reply of EXEC
// waits. A session whose own user is gone is closed after its reply.
class UserChanges {
 public:
  UserChanges(Session& self, shard::Call& call) : self_(self), call_(call) {}
  ~UserChanges();
  UserChanges(const UserChanges&) = delete;
  UserChanges& operator=(const UserChanges&) = delete;

  acl::Users::OnChange on_change() {
    return [this](std::span<const acl::Users::Change> changes) { apply(changes); };
  }

 private:
  struct Looks;

  void apply(std::span<const acl::Users::Change> changes);
  void close(ClientRecord& record);
  void look_at(const ClientRecord& record);

  Session& self_;
  shard::Call& call_;
  std::shared_ptr<Looks> looks_;  // null: none is waited for
};

}  // namespace slotcar::session
