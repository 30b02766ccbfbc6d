// Whole collections as effects: the result of a STORE, recorded as plain commands of its type with
// some elements per line. One function per type, in the file of its edit. Other types have no
// STORE: as a whole they only come from RESTORE, which is its own effect (restore.h).
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
