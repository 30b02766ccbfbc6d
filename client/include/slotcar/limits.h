// Bounds of the client library, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slotcar::client::limits {

// Eight lanes serve a process; beyond 64 a server's connections are wasted.
inline constexpr std::size_t kLanesDefault = 8;
inline constexpr std::size_t kLanesMax = 64;
// Calls that may be queued for one lane. Far above a healthy lane's depth, far below what fills
// memory.
inline constexpr std::size_t kPendingCallsMax = 100'000;
inline constexpr std::size_t kPendingBytesMax = std::size_t{256} * 1024 * 1024;
// Calls queued, in order, for a lane that is down. Each of them may wait for its whole timeout.
inline constexpr std::size_t kDownCallsMax = 1'000;
// Connections checked out by transactions and blocking calls, per node.
inline constexpr std::size_t kExclusiveMax = 64;
// Calls that may wait for such a connection.
inline constexpr std::size_t kExclusiveWaitersMax = 10'000;
// How often a call that did not run, or that changes nothing, is retried automatically.
inline constexpr int kAttemptsMax = 5;
// Messages queued in a subscriber whose owner does not take them.
inline constexpr std::size_t kSubscriberBacklogMax = 65'536;
inline constexpr std::size_t kSubscriberBacklogBytesMax = std::size_t{64} * 1024 * 1024;
// Replies kept by a Cache.
inline constexpr std::size_t kCacheEntriesMax = 100'000;
inline constexpr std::size_t kCacheBytesMax = std::size_t{64} * 1024 * 1024;
// Bytes taken from one connection before the next one is served: short answers on other lanes wait
// as long as these take to parse, some 100 us.
inline constexpr std::size_t kReadBytesPerTurn = 64 * 1024;

}  // namespace slotcar::client::limits
