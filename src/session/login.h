// Who a connection is: how it comes to its user, and to the rights that the user has now. On the
// thread of its worker, while no call of it is under way but the one that asks for this (AUTH).
#pragma once

#include <string_view>

#include "acl/users.h"

namespace slotcar::session {

class Session;

// A new connection, and RESET. It is authenticated if that user is on and needs no password.
void become_default_user(Session& session);
// AUTH: it has proved to be that user.
void log_in(Session& session, acl::UserRef user);
// Its certificate names the user. If that user is unknown or off, the client has to log in with
// AUTH.
void log_in_by_certificate(Session& session, std::string_view name);
// Its user was replaced: it goes on with the rights of now, or closes if the user is gone.
void refresh_user(Session& session);

}  // namespace slotcar::session
