// The expiry times of fields, as HEXPIRE, HSETEX and their relatives read them.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/numbers.h"
#include "base/result.h"
#include "commands/hash/fields.h"

namespace slotcar::commands {

enum class Since { now, epoch };
enum class Unit { seconds, milliseconds };

// A time in the past is allowed: it removes the field.
inline Result<UnixMs> read_field_time(const Call& call, std::string_view text, Since since,
                                      Unit unit) {
  const auto number = base::parse_int64(text);
  if (!number) return Error{std::string(schema::kNotInteger)};
  if (*number < 0) return Error{"ERR invalid expire time, must be >= 0"};
  UnixMs when = *number;
  const UnixMs start = since == Since::now ? call.now() : 0;
  if ((unit == Unit::seconds && __builtin_mul_overflow(when, 1000, &when)) ||
      when > limits::kFieldTimeMax - start) {
    return Error{"ERR invalid expire time in '" + call.command().lower_name + "' command"};
  }
  return when + start;
}

}  // namespace slotcar::commands
