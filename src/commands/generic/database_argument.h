// The number of another database, as MOVE and COPY take it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "commands/declare.h"

namespace slotcar::commands {

inline constexpr std::string_view kNotInt32 =
    "ERR value is out of range, value must between -2147483648 and 2147483647";

inline DbIndex read_database(ArgReader& args, Call& call) {
  const std::int64_t number = args.integer();
  if (number < INT32_MIN || number > INT32_MAX) args.fail(kNotInt32);
  if (number < 0 || number >= call.shards().shape().databases) args.fail(schema::kDbOutOfRange);
  return args.failed() ? call.db() : DbIndex{static_cast<std::uint16_t>(number)};
}

}  // namespace slotcar::commands
