#include "session/login.h"

#include <utility>

#include "resp/words.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {
namespace {

void become(Session& session, acl::UserRef user, bool proved) {
  session.services().clients->set_user(session.record(), user->name());
  session.identity().become(std::move(user), proved);
  session.requests().apply_decoder_limits();
}

}  // namespace

void become_default_user(Session& session) {
  acl::UserRef user = session.services().users->default_user();
  const bool open = user->is_open();
  become(session, std::move(user), open);
}

void log_in(Session& session, acl::UserRef user) {
  become(session, std::move(user), true);
}

void log_in_by_certificate(Session& session, std::string_view name) {
  acl::UserRef user = session.services().users->find(name);
  if (user != nullptr && user->enabled()) return log_in(session, std::move(user));
  session.services().log->verbose("the certificate of {} names no user that is on: {}",
                                  session.record().address, resp::quote_word(name));
}

void refresh_user(Session& session) {
  acl::UserRef now = session.services().users->current(session.identity().user());
  // The call that deleted the user may not have reached this connection yet.
  if (now == nullptr) return session.begin_closing();
  session.identity().refresh(std::move(now));
}

}  // namespace slotcar::session
