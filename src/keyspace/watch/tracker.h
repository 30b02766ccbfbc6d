// Tracker: one connection's wish to be told which keys have changed (CLIENT TRACKING). Shared
// between the session and the shards whose keys it has read; lives while either knows it.
//
// The session's worker writes it, whoever changes a key reads it. No lock is needed for "no change
// is missed": a client that has switched tracking on and then reads a key does so under the key's
// token, and every later change of that key happens under the same token.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/ids.h"

namespace slotcar::keyspace {

struct Tracker : std::enable_shared_from_this<Tracker> {
  enum class Mode : std::uint8_t { off, by_key, by_prefix };

  Tracker(ClientId whose, WorkerId home) : client(whose), worker(home) {}

  const ClientId client;
  const WorkerId worker;  // where the client's connection lives
  std::atomic<Mode> mode{Mode::off};
  std::atomic<bool> noloop{false};           // not about its own changes
  std::atomic<std::uint64_t> redirect{0};    // the client that is told instead; 0: itself
  std::atomic<bool> redirect_broken{false};  // that one was gone when it was to be told
};

// What is tracked in all shards together.
struct TrackingTotals {
  std::atomic<std::int64_t> keys{0};
  std::atomic<std::int64_t> items{0};             // pairs of a key and who is told of it
  std::atomic<std::int64_t> bytes{0};             // about what they take
  std::atomic<std::uint32_t> prefix_trackers{0};  // clients that track by prefix
};

}  // namespace slotcar::keyspace
