// The state of log and snapshots, for INFO persistence.
#pragma once

#include <cstdint>

namespace slotcar::durability {

struct Numbers {
  bool loading = false;
  std::int64_t loading_since = 0;  // unix time
  std::uint64_t loading_total_bytes = 0;
  std::uint64_t loading_done_bytes = 0;
  bool saving = false;
  bool rewriting = false;
  bool rewrite_waits = false;
  bool last_save_ok = true;
  bool last_rewrite_ok = true;
  bool log_on = false;
  bool log_ok = true;
  std::int64_t changes_since_save = 0;
  std::int64_t saves = 0;
  std::int64_t rewrites = 0;
  std::int64_t last_save_seconds = 0;  // unix time
  std::int64_t last_save_took = -1;    // seconds
  std::int64_t last_rewrite_took = -1;
  std::int64_t running_for = -1;
  std::uint64_t keys_loaded = 0;   // from a snapshot
  std::uint64_t keys_expired = 0;  // ... that had expired already
  std::uint64_t log_bytes = 0;     // since the snapshot that it continues
  std::uint64_t base_bytes = 0;
  std::uint64_t backlog_bytes = 0;
  std::uint64_t last_lsn = 0;
  std::uint64_t durable_lsn = 0;
  std::uint64_t syncs = 0;
  std::uint64_t sync_failures = 0;
  std::int64_t sync_lag_ms = 0;  // how old the oldest record is that is not durable
  std::int64_t sync_us_last = 0;
  std::uint64_t keys_saved = 0;  // of the snapshot under way
  std::uint64_t epoch = 0;
};

}  // namespace slotcar::durability
