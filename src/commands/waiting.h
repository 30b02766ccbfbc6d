// Shared by the blocking commands: their timeouts, and waiting for a key to be of a
// type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "commands/declare.h"
#include "runtime/clock.h"
#include "types/type.h"

namespace slotcar::commands {

inline constexpr std::string_view kTimeoutNotFloat = "ERR timeout is not a float or out of range";
inline constexpr std::string_view kTimeoutNotInteger =
    "ERR timeout is not an integer or out of range";
inline constexpr std::string_view kTimeoutNegative = "ERR timeout is negative";
inline constexpr std::string_view kTimeoutOutOfRange = "ERR timeout is out of range";

// From milliseconds; nothing: the time is out of range, and the error was sent.
inline std::optional<runtime::Nanos> checked_timeout(Call& call, std::int64_t milliseconds) {
  // It was valid when the call began to wait.
  if (call.is_served()) return 0;
  std::string_view error;
  if (milliseconds < 0) {
    error = kTimeoutNegative;
  } else if (milliseconds > std::numeric_limits<std::int64_t>::max() - call.now()) {
    error = kTimeoutOutOfRange;
  } else {
    // Longer times are cut to centuries.
    constexpr std::int64_t kMost = INT64_MAX / 4 / runtime::kMillisecond;
    return std::min(milliseconds, kMost) * runtime::kMillisecond;
  }
  call.reply().error(error);
  return std::nullopt;
}

// Seconds, with a fraction; nothing: the error was sent.
inline std::optional<runtime::Nanos> read_timeout(Call& call, std::string_view text) {
  const auto seconds = base::parse_long_double(text);
  if (!seconds) {
    call.reply().error(kTimeoutNotFloat);
    return std::nullopt;
  }
  const long double milliseconds = std::ceil(*seconds * 1000);
  constexpr auto kMost = static_cast<long double>(std::numeric_limits<std::int64_t>::max());
  if (milliseconds > kMost) {
    call.reply().error(kTimeoutOutOfRange);
    return std::nullopt;
  }
  if (milliseconds < 0) return checked_timeout(call, -1);
  return checked_timeout(call, static_cast<std::int64_t>(milliseconds));
}

// An existing key of this type. (Collections are never empty.)
class IsOfType final : public shard::WaitCondition {
 public:
  explicit IsOfType(types::Type type) : type_(type) {}
  bool met(const Entry* entry, std::size_t) const override {
    return entry != nullptr && entry->type() == type_;
  }

 private:
  types::Type type_;
};

inline void wait_for_type(Call& call, types::Type type, runtime::Nanos timeout,
                          std::size_t keys = SIZE_MAX) {
  shard::WaitRequest request;
  request.condition = std::make_unique<IsOfType>(type);
  request.timeout = timeout;
  request.keys_waited_for = keys;
  call.wait(std::move(request));
}

}  // namespace slotcar::commands
