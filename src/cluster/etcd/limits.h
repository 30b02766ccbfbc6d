// The bounds of what etcd may answer, and of the times in which it must. They stand here and not in
// base/limits.h because only this folder reads them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"

namespace slotcar::limits {

inline constexpr std::size_t kJsonDepthMax = 16;        // etcd's answers have about six
inline constexpr std::size_t kJsonValuesMax = 100'000;  // members, fields of each
// A read has a topology and all members, in Base64.
inline constexpr std::size_t kEtcdReplyBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kEtcdEndpointsMax = 16;
inline constexpr std::size_t kEtcdPrefixBytesMax = 255;
inline constexpr std::size_t kEtcdMembersMax = 4096;        // live ones, below one prefix
inline constexpr std::size_t kTopologyProposalsMax = 1024;  // that wait for etcd
inline constexpr int kTopologyTriesMax = 16;                // of one change, beside others
inline constexpr int kTopologyMergesMax = 64;               // followed from one cluster to the next
inline constexpr std::int64_t kLeaseSecondsMin = 2;         // etcd's own bound is about this
inline constexpr std::int64_t kLeaseSecondsMax = 3600;
inline constexpr std::int64_t kEtcdRequestMs = 2'000;
inline constexpr std::int64_t kEtcdRequestMsMin = 100;
inline constexpr std::int64_t kEtcdRetryMs = 200;
inline constexpr std::int64_t kEtcdStartMs = 10'000;   // a start waits so long for etcd
inline constexpr std::int64_t kForgottenSeconds = 60;  // FORGET of a node that is gone is fine

}  // namespace slotcar::limits
