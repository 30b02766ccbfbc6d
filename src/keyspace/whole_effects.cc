#include "keyspace/whole_effects.h"

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::keyspace {

void record_whole(Hold& hold, DbIndex db, std::string_view key, types::Type type,
                  const types::CellView& seen, std::optional<UnixMs> expires_at) {
  if (!hold.effects->recording()) return hold.effects->count();
  switch (type) {
    case types::Type::list:
      record_whole_list(hold, db, key, seen);
      break;
    case types::Type::set:
      record_whole_set(hold, db, key, seen);
      break;
    case types::Type::sorted_set:
      record_whole_sorted_set(hold, db, key, seen);
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
  hold.effects->add(db, {"PEXPIREAT", key, {digits, length}});
}

}  // namespace slotcar::keyspace
