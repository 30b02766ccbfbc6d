// Shared by the commands on hashes: a view of the hash of a key, and the costs of long argument
// lists.
#pragma once

#include <string>

#include "base/limits.h"
#include "commands/collection.h"
#include "keyspace/edit/hash_edit.h"
#include "types/hash.h"

namespace slotcar::commands {

// The hash as the call sees it; an empty one if the key is missing.
inline types::HashView fields_of(const Call& call, const Entry* entry) {
  return {entry != nullptr ? entry->cell() : types::CellView{}, call.now()};
}
inline types::HashView pinned_fields(Call& call) {
  return {call.state<Pinned>().cells[0].view(), call.now()};
}

inline void wrong_number_of_arguments(Call& call) {
  call.reply().error("ERR wrong number of arguments for '" + call.command().lower_name +
                     "' command");
}

}  // namespace slotcar::commands
