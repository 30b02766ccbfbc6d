#include "keyspace/restore.h"

#include <utility>

#include "keyspace/digits.h"

namespace slotcar::keyspace {

void restore_collection(Keyspace& space, Hold& hold, DbIndex db, const Key& key, Restored&& value) {
  Effects& effects = *hold.effects;
  const bool recording = effects.recording();
  if (recording) effects.end_line();
  // The parts (removing the old value, adding the new one) are only counted; one effect records
  // both.
  effects.set_recording(false);
  space.set_collection(hold, db, key, value.type, std::move(value.cell), value.expires_at);
  effects.set_recording(recording);
  effects.add_part(db, {"RESTORE", key.name, Digits(value.expires_at.value_or(0))}, value.payload,
                   {"REPLACE", "ABSTTL"});
}

}  // namespace slotcar::keyspace
