#include "durability/recover_until.h"

#include <fmt/format.h>

#include "base/numbers.h"

namespace slotcar::durability {

Result<RecoverUntil> read_recover_until(std::string_view text) {
  if (const auto number = base::parse_int64(text); number && *number > 0) {
    return RecoverUntil{.number = *number};
  }
  const auto seconds = base::parse_double(text);
  if (!seconds || *seconds < static_cast<double>(kUnixSecondsMin) || *seconds > 1e12) {
    return Error{
        fmt::format("--recover-until takes the number of a record, or a unix time: '{}'", text)};
  }
  return RecoverUntil{.time = static_cast<UnixMs>(*seconds * 1000)};
}

}  // namespace slotcar::durability
