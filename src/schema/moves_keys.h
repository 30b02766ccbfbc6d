// Which commands move keys to another server. In a cluster such a command runs wherever its keys
// may be while their slot is on its way, at either end of it, and a key that is not here is no
// reason to ask the other node.
#pragma once

#include "schema/command.h"

namespace slotcar::schema {

inline bool moves_keys(const Command& command) {
  return command.name == "MIGRATE";
}

}  // namespace slotcar::schema
