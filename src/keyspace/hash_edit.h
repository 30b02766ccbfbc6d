// HashEdit: a hash opened for change (edit.h).
#pragma once

#include "keyspace/edit.h"
#include "types/hash.h"

namespace slotcar::keyspace {

class HashEdit : public Edit {
 public:
  HashEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::hash) {}

  // Removes fields whose time is over, `max` at most; recorded as HDEL.
  void remove_due(std::size_t max);
};

}  // namespace slotcar::keyspace
