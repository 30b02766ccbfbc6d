// Tracker: one connection's CLIENT TRACKING: it is notified of changed keys. Shared between the
// session and the shards whose keys it has read; lives while either refers to it.
//
// The session's worker writes it, and threads that change a key read it. No lock is needed to miss
// no change: a client that has switched tracking on and then reads a key does so under the key's
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
  const WorkerId worker;  // the worker of the client's connection
  std::atomic<Mode> mode{Mode::off};
  std::atomic<bool> noloop{false};           // not about its own changes
  std::atomic<std::uint64_t> redirect{0};    // the client that is notified instead; 0: itself
  std::atomic<bool> redirect_broken{false};  // that one was gone when it was to be notified
};

// What is tracked in all shards together.
struct TrackingTotals {
  std::atomic<std::int64_t> keys{0};
  std::atomic<std::int64_t> items{0};             // pairs of a key and a client
  std::atomic<std::int64_t> bytes{0};             // their approximate memory
  std::atomic<std::uint32_t> prefix_trackers{0};  // clients that track by prefix
};

}  // namespace slotcar::keyspace
