// Reads one value of RDB, of any kind up to version 11, from bytes that came from outside.
//
// Nothing in them is trusted. Packed data is walked with every length checked, and its elements
// are then put one by one into a value made by the types' own classes. So the result obeys the
// types' rules whatever the input was: numbers are kept as numbers, thresholds hold, nothing
// points anywhere. A payload that a correct server cannot have written is refused as a whole: an
// element twice, a sorted set out of order, a score that is not a number, an empty collection, a
// count that does not match, ids that do not ascend, an entry pending for two consumers or for
// none.
#pragma once

#include <optional>

#include "base/shared_bytes.h"
#include "storage/rdb/rdb_format.h"
#include "storage/rdb/rdb_input.h"
#include "types/cell.h"
#include "types/settings.h"
#include "types/type.h"

namespace slotcar::storage {

struct RdbValue {
  types::Type type = types::Type::string;
  base::SharedBytes string;  // of a string
  types::OwnCell cell;       // of a collection; not empty
};

struct RdbSurroundings {
  const types::Settings& settings;
  base::Reclaimer* reclaimer = nullptr;  // for a long string
};

// Its kind, then the value. Nothing: it is not one (or is a module's, which is not supported).
std::optional<RdbValue> read_value(RdbInput& in, const RdbSurroundings& around);
// The value alone, of a kind that is known from elsewhere.
std::optional<RdbValue> read_value(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around);

// A value and the times that a snapshot has before it (snapshot_format.h): of a hash's fields, of a
// stream's consumers.
std::optional<RdbValue> read_value_with_times(rdb::Kind kind, RdbInput& in, RdbInput& times,
                                              const RdbSurroundings& around);

// The parts, by the kinds of their types; each false if the value is invalid. Called by
// read_value.
bool read_list(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell);
bool read_set(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell);
bool read_sorted_set(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around,
                     types::OwnCell& cell);
bool read_hash(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell);
bool read_stream(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell);
bool read_bloom(RdbInput& in, types::OwnCell& cell);

}  // namespace slotcar::storage
