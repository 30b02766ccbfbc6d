// Whole collections as effects: what a STORE puts under a key, said in the plain commands of its
// type, some elements a line. One function a type, in the file of its edit. Other types have no
// STORE: they come as a whole from RESTORE alone, which is its own effect (restore.h).
#pragma once

#include <optional>
#include <string_view>

#include "base/ids.h"
#include "keyspace/effects.h"
#include "types/cell.h"
#include "types/type.h"

namespace slotcar::keyspace {

// The key is absent before.
void record_whole(Effects& effects, DbIndex db, std::string_view key, types::Type type,
                  const types::CellView& seen, std::optional<UnixMs> expires_at);

// The same without a token, to be recorded later.
PreparedEffects prepare_whole(DbIndex db, std::string_view key, types::Type type,
                              const types::CellView& seen, base::Reclaimer* reclaimer);

void record_whole_list(Effects& effects, DbIndex db, std::string_view key,
                       const types::CellView& seen);
void record_whole_set(Effects& effects, DbIndex db, std::string_view key,
                      const types::CellView& seen);
void record_whole_sorted_set(Effects& effects, DbIndex db, std::string_view key,
                             const types::CellView& seen);

}  // namespace slotcar::keyspace
