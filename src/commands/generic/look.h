// A lookup by a command that asks about a key, not for its value (EXISTS, TTL, TYPE, OBJECT): it
// counts as a hit or a miss, but does not make the key recently used.
#pragma once

#include <utility>

#include "commands/declare.h"

namespace slotcar::commands {

inline const Entry* look(Call& call, std::size_t key_index) {
  const bool touch = std::exchange(call.hold().touch, false);
  const Entry* entry = call.find(key_index);
  call.hold().touch = touch;
  return entry;
}

// The same, without an event for a miss (OBJECT).
inline const Entry* look_silently(Call& call, std::size_t key_index) {
  const keyspace::EventMask notify = std::exchange(call.hold().notify, {});
  const Entry* entry = look(call, key_index);
  call.hold().notify = notify;
  return entry;
}

}  // namespace slotcar::commands
