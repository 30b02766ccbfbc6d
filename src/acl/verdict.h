// Verdict: what access control says of a request, and of what it says no.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::acl {

// The numbers order them: of several reasons the greatest is answered, as in Redis.
enum class Denial : std::uint8_t {
  none = 0,
  command = 1,
  key = 2,
  auth = 3,
  channel = 4,
  lookup = 5,  // it looks for keys that its arguments do not name, and may not read all
};
inline constexpr std::size_t kDenialCount = 6;

struct Verdict {
  Denial denial = Denial::none;
  std::uint32_t argument = 0;  // which one is the key, the channel, the option
  bool allowed() const { return denial == Denial::none; }
  bool operator==(const Verdict&) const = default;
};

// Where a request was made that was denied, as ACL LOG says it.
enum class Context : std::uint8_t { toplevel, multi, script };

}  // namespace slotcar::acl
