// Limits that protect the server from its clients (ExecutionSettings). They bind a call that a
// client has sent, and not one that is applied: a record of the log was within the limits when it
// was acknowledged, and a start must not refuse it because a setting is smaller today. Handlers ask
// here, and never the settings themselves.
#pragma once

#include <cstdint>
#include <limits>

#include "shard/call.h"

namespace slotcar::shard {

// The longest string that a call may make (proto-max-bulk-len).
inline std::int64_t string_bytes_max(Call& call) {
  if (call.hold().applying) return std::numeric_limits<std::int64_t>::max();
  return call.settings().bulk_bytes_max.get();
}

}  // namespace slotcar::shard
