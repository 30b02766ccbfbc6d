#include "session/invalidation.h"

namespace slotcar::session {

using What = Invalidation::What;

runtime::Output encode(const Invalidation& invalidation, resp::Protocol protocol, bool subscribed) {
  runtime::Output bytes;
  resp::ReplyWriter reply(bytes, protocol);
  const bool pushes = protocol == resp::Protocol::resp3;
  const bool as_message = !pushes && invalidation.redirected && subscribed;
  if (!pushes && !as_message) return bytes;
  if (invalidation.what == What::redirect_broken) {
    if (!pushes) return bytes;
    reply.push(2);
    reply.bulk("tracking-redir-broken");
    reply.integer(static_cast<std::int64_t>(invalidation.redirect.value));
    return bytes;
  }
  if (as_message) {
    reply.array(3);
    reply.bulk("message");
    reply.bulk("__redis__:invalidate");
  } else {
    reply.push(2);
    reply.bulk("invalidate");
  }
  if (invalidation.what == What::everything) {
    reply.null_array();
  } else {
    reply.array(invalidation.keys->size());
    for (const std::string& key : *invalidation.keys) reply.bulk(key);
  }
  return bytes;
}

}  // namespace slotcar::session
