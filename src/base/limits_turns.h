// Bounds on what connections do in one turn of their worker, next to those in limits.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// One connection's share of a turn, for calls that are long each: who has worked for so long after
// a batch goes on in the next turn.
inline constexpr std::int64_t kTurnShareNs = 1'000'000;
// Connections that go on in one turn after a CLIENT PAUSE.
inline constexpr std::size_t kUnpausedPerTurn = 32;

}  // namespace slotcar::limits
