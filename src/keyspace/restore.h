// A collection as RESTORE brings it. The effect is RESTORE itself, with the same payload: commands
// of the value's type cannot say all that a payload can (a stream's entry without fields or with
// the id 0-0, a pending entry that is deleted, a time beyond those that clients may give), but what
// RESTORE has read once it reads again.
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
  types::StringInput payload;  // from which the cell was read
};

// Whether a key with this time is not worth keeping. Nothing is over by itself while records are
// applied: only a recorded removal removes.
inline bool is_over(const Hold& hold, std::optional<UnixMs> expires_at) {
  return expires_at && *expires_at <= hold.now && !hold.applying;
}

// Over whatever the key had.
void restore_collection(Keyspace& space, Hold& hold, DbIndex db, const Key& key, Restored&& value);

}  // namespace slotcar::keyspace
