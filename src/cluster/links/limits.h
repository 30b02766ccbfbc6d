// Bounds of the links between nodes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::limits {

// What waits for one link, where cluster-link-sendbuf-limit does not say otherwise. It is as much
// as Redis lets a subscriber have unread. One message may be longer, if it is the only one.
inline constexpr std::size_t kLinkQueueBytes = 32 * 1024 * 1024;
// One request carries so many messages: the receiver publishes them in one turn of a worker. A
// message that is longer travels alone.
inline constexpr std::size_t kLinkBatchMessages = 64;
inline constexpr std::size_t kLinkBatchBytes = 64 * 1024;
// What may be sent and not yet confirmed. It is lost if the connection breaks.
inline constexpr std::size_t kLinkWindowBytes = 1024 * 1024;
// A line of an answer.
inline constexpr std::size_t kLinkLineBytesMax = 1024;
// What one link may write before others get their turn.
inline constexpr std::size_t kLinkWriteBytesPerTurn = 1024 * 1024;
// A link that has nothing to say asks so often whether the other node is there. Often enough for
// `timeout 1`, which closes idle clients, not to close it.
inline constexpr std::int64_t kLinkPingNs = 500'000'000;
// The time before another attempt, doubled by each failure.
inline constexpr std::int64_t kLinkBackoffMinNs = 50'000'000;
inline constexpr std::int64_t kLinkBackoffMaxNs = 2'000'000'000;
// How long the other node may be silent although it owes an answer, whatever cluster-node-timeout
// says.
inline constexpr std::int64_t kLinkTimeoutMinNs = 1'000'000'000;

}  // namespace slotcar::limits
