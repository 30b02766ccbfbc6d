// Numbers with names: a slot is not a shard is not a worker, and the compiler knows.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace slotcar {

template <class Tag, class Rep>
struct Id {
  using Value = Rep;
  Rep value{};

  constexpr Id() = default;
  constexpr explicit Id(Rep v) : value(v) {}
  friend constexpr auto operator<=>(Id, Id) = default;
};

using Slot = Id<struct SlotTag, std::uint16_t>;        // 0..16383
using ShardId = Id<struct ShardTag, std::uint16_t>;    // a group of slots
using DbIndex = Id<struct DbTag, std::uint16_t>;       // SELECT n
using WorkerId = Id<struct WorkerTag, std::uint16_t>;  // a thread that owns connections
using ClientId = Id<struct ClientTag, std::uint64_t>;  // CLIENT ID
using Lsn = Id<struct LsnTag, std::uint64_t>;          // place in the log
using Epoch = Id<struct EpochTag, std::uint64_t>;      // snapshot generation

// Milliseconds since 1970, as Redis counts expiry times.
using UnixMs = std::int64_t;
inline constexpr UnixMs kNever = INT64_MAX;

}  // namespace slotcar

template <class Tag, class Rep>
struct std::hash<slotcar::Id<Tag, Rep>> {
  std::size_t operator()(slotcar::Id<Tag, Rep> id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
