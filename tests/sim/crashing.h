// Crashing: clients write under `appendfsync always` to a simulated node whose power fails again
// and again (now and then it lives under `everysec`, as a server whose configuration is changed),
// on a disk that loses, tears and reorders what was not synced, fails to sync and fills up
// (runtime/sim/sim_disk.h). After each start:
//   * the node starts: whatever the crash has left is a good state,
//   * every acknowledged write is there,
//   * no transaction is half there,
//   * what a reader was shown is still there, and what a blocked client was served with
//     (sim/crashing_waiters.h).
// Snapshots are made all the while, so that the power fails at each of their steps. Two more
// clients write values of all types, and the settings are others in each life (crashing_values.h).
//
// Lagging: the same under `appendfsync everysec`, in longer lives. What was acknowledged may be
// forgotten there, but it must not be older than the lag that INFO showed at the crash, nor that
// lag longer than a second and the time of a running sync, unless the disk fails; where only the
// process ends, no older than the time for which records gather and that of a running sync.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/crashing_values.h"

namespace slotcar::sim {

struct CrashingCounters {
  std::int64_t crashes = 0;
  std::int64_t kills = 0;
  std::int64_t kills_kept = 0;  // ... of which the log buffer was left: nothing may be forgotten
  // ... and while the log did not go on after a failed sync: what lay outside it may be
  std::int64_t kills_outside = 0;
  std::int64_t acknowledged = 0;
  std::int64_t refused = 0;        // writes, while the disk failed
  std::int64_t out_of_memory = 0;  // writes, beyond `maxmemory`
  std::int64_t reads = 0;
  std::int64_t snapshots = 0;
  std::int64_t sectors_lost = 0;
  std::int64_t names_lost = 0;
  std::int64_t syncs_failed = 0;
  std::int64_t syncs_hung = 0;
  std::int64_t disk_full = 0;
  std::int64_t unsynced = 0;          // replies that said so, after a sync had hung or failed
  std::int64_t blocked_served = 0;    // replies to blocked clients, under `always`
  std::int64_t forgotten = 0;         // acknowledged, and rightly not there after a crash
  std::int64_t forgotten_age_ms = 0;  // the oldest of them, where the disk did not fail
  ValueCounters values;
  bool always = false;  // some lives promise what only `always` does, and have blocked clients

  void add(const CrashingCounters& other);
  std::string text() const;
  std::vector<std::string> missing() const;
};

struct CrashingResult {
  std::vector<std::string> complaints;
  CrashingCounters counters;
  std::uint64_t trace_hash = 0;
};

CrashingResult run_crashing_seed(std::uint64_t seed);
CrashingResult run_lagging_seed(std::uint64_t seed);

}  // namespace slotcar::sim
