// Waiting: clients that block on keys, pushers, timeouts, unblocks, kills and broken connections,
// on a simulated node, interleaved by a seed (shard/waiters.h says what must hold and why).
//
// A seed plays a few phases. After each one no client acts until nothing is under way any more;
// then everything is counted:
//   * every element that was pushed was delivered once, or is still in a list, once; only a client
//     that broke its own connection while it waited may have taken one along;
//   * nothing that was pushed after a CLIENT KILL was answered goes to the one that was killed;
//   * no call waits for a key that has elements;
//   * no waiter was overtaken: one that waited for a key before a phase and still does was not
//     passed by one that came to the key later, whether that one waited or only took;
//   * the node knows of exactly those waiters that there are (no ghosts).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotcar::sim {

struct WaitingCounters {
  std::int64_t waits = 0;
  std::int64_t served = 0;
  std::int64_t claims_lost = 0;
  std::int64_t waiter_tasks = 0;
  std::int64_t deferred_calls = 0;
  std::int64_t timeouts = 0;
  std::int64_t unblocked = 0;
  std::int64_t killed = 0;
  std::int64_t broken = 0;

  void add(const WaitingCounters& other);
  std::string text() const;
  // The names of those that a campaign must have seen and has not.
  std::vector<std::string> missing() const;
};

struct WaitingResult {
  std::vector<std::string> complaints;
  WaitingCounters counters;
  std::uint64_t trace_hash = 0;
};

WaitingResult run_waiting_seed(std::uint64_t seed);

}  // namespace slotcar::sim
