// Bounds of what is sent to other servers, and of what they answer.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// Connections to other servers, and how long one without use is kept: as Redis's MIGRATE does.
inline constexpr std::size_t kPeerConnectionsMax = 64;
inline constexpr std::int64_t kPeerIdleNs = 10'000'000'000;
// A line of an answer. Redis reads as much of an error.
inline constexpr std::size_t kPeerLineBytesMax = 1024;
// What one connection may write before others get their turn.
inline constexpr std::size_t kPeerWriteBytesPerTurn = 1024 * 1024;

// MIGRATE: the time without progress after which it fails, where none is given.
inline constexpr std::int64_t kMigrateTimeoutMsDefault = 1000;
// Values are written down and sent in pieces of about this size; one value is in one piece.
inline constexpr std::size_t kMigrateBatchBytes = 1024 * 1024;
// How often keys are sent that have changed on the way although their writers wait.
inline constexpr int kMigrateRoundsMax = 8;

}  // namespace slotcar::limits
