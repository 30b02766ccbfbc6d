// Campaign: the scenarios of concurrency/ on a simulated node, seed after seed, with threads that
// are stopped in the middle of their work (PauseSource).
//
// A campaign proves something only if the rare ways were taken: it fails if, over all its seeds,
// queueing, retreat, hand-over, a cut batch, a slow holder, or what makes a script begin anew never
// happened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotcar::sim {

struct Counters {
  std::int64_t queued = 0;
  std::int64_t run_for_others = 0;
  std::int64_t handed_over = 0;
  std::int64_t retreats = 0;
  std::int64_t slow_held = 0;
  std::int64_t slow_requeued = 0;
  std::int64_t transactions_moved = 0;
  std::int64_t scripts_undone = 0;  // for want of a token
  std::int64_t script_gains = 0;    // tokens that running scripts gained, or not
  std::int64_t script_gains_failed = 0;
  std::int64_t script_epochs = 0;  // scripts that a snapshot made begin anew
  std::int64_t batches = 0;
  std::int64_t batch_cut = 0;
  std::uint64_t steps = 0;

  void add(const Counters& other);
  std::string text() const;
  // The names of those that a campaign must have seen and has not.
  std::vector<std::string> missing() const;
};

struct SeedResult {
  std::vector<std::string> complaints;
  Counters counters;
  std::uint64_t trace_hash = 0;
};

// The seed decides the scenario, the number of shards and workers, and everything that happens.
SeedResult run_seed(std::uint64_t seed);

}  // namespace slotcar::sim
