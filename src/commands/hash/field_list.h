// FIELDS numfields field [field ...]: the end of the commands on fields' times to live.
#pragma once

#include <cstddef>
#include <string_view>

#include "commands/hash/fields.h"

namespace slotcar::commands {

// The arguments from `first` on are the fields' names.
struct FieldList {
  std::size_t first = 0;
  std::size_t count = 0;
};

inline constexpr std::string_view kFieldsMissing =
    "ERR Mandatory argument FIELDS is missing or not at the right position";
inline constexpr std::string_view kFieldsNotPositive =
    "ERR Number of fields must be a positive integer";
inline constexpr std::string_view kFieldsDoNotMatch =
    "ERR The `numfields` parameter must match the number of arguments";

inline FieldList read_field_list(ArgReader& args,
                                 std::string_view not_positive = kFieldsNotPositive) {
  if (!args.accept("FIELDS")) args.fail(kFieldsMissing);
  const std::int64_t count = args.integer(not_positive);
  if (count < 1) args.fail(not_positive);
  if (static_cast<std::size_t>(count) != args.left()) args.fail(kFieldsDoNotMatch);
  return {args.position(), args.left()};
}

}  // namespace slotcar::commands
