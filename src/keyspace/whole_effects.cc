#include "keyspace/whole_effects.h"

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::keyspace {

void record_whole(Effects& effects, DbIndex db, std::string_view key, types::Type type,
                  const types::CellView& seen, std::optional<UnixMs> expires_at) {
  if (!effects.recording()) return effects.count();
  switch (type) {
    case types::Type::list:
      record_whole_list(effects, db, key, seen);
      break;
    case types::Type::set:
      record_whole_set(effects, db, key, seen);
      break;
    case types::Type::sorted_set:
      record_whole_sorted_set(effects, db, key, seen);
      break;
    case types::Type::hash:
    case types::Type::stream:
    case types::Type::bloom:
    case types::Type::string:
      UNREACHABLE();
  }
  if (!expires_at) return;
  char digits[24];
  const auto length = static_cast<std::size_t>(base::print_int64(digits, *expires_at));
  effects.add(db, {"PEXPIREAT", key, {digits, length}});
}

PreparedEffects prepare_whole(DbIndex db, std::string_view key, types::Type type,
                              const types::CellView& seen, base::Reclaimer* reclaimer) {
  Effects effects;
  effects.begin_preparing(db);
  record_whole(effects, db, key, type, seen, std::nullopt);
  return effects.take_prepared(reclaimer);
}

}  // namespace slotcar::keyspace
