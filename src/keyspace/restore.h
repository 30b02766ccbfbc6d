// A collection from RESTORE. The effect is RESTORE itself, with the same payload, because commands
// of the value's type cannot express everything that a payload can (a stream's entry without fields
// or with the id 0-0, a pending entry that is deleted, a time beyond those that clients may give),
// and a payload that was accepted once is accepted again.
#pragma once

#include <optional>
#include <string_view>

#include "base/ids.h"
#include "keyspace/keyspace.h"
#include "types/cell.h"
#include "types/type.h"

namespace slotcar::keyspace {

struct Restored {
  types::Type type;
  types::OwnCell cell;  // not empty
  std::optional<UnixMs> expires_at;
  types::StringInput payload;  // the source of the cell
};

// Whether a key with this time has expired. While records are applied nothing expires on its own:
// only a recorded removal removes.
inline bool is_over(const Hold& hold, std::optional<UnixMs> expires_at) {
  return expires_at && *expires_at <= hold.now && !hold.applying;
}

// Replaces any value of the key.
void restore_collection(Keyspace& space, Hold& hold, DbIndex db, const Key& key, Restored&& value);

}  // namespace slotcar::keyspace
