// Invalidation: what CLIENT TRACKING pushes to one connection: these keys, or all keys, are stale;
// or the connection that its invalidations are redirected to is gone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "resp/reply_writer.h"
#include "runtime/output.h"

namespace slotcar::session {

struct Invalidation {
  enum class What : std::uint8_t { keys, everything, redirect_broken };
  ClientId whom;
  What what = What::keys;
  bool redirected = false;  // `whom` is not the one that tracks
  ClientId redirect{};      // redirect_broken: the client that is gone
  std::shared_ptr<const std::vector<std::string>> keys = nullptr;
};

// Its bytes for a connection that speaks `protocol`. None: it cannot be notified. RESP2 has no
// pushes, so such a connection is notified only as a subscriber, and only in another's place.
runtime::Output encode(const Invalidation& invalidation, resp::Protocol protocol, bool subscribed);

}  // namespace slotcar::session
