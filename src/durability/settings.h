// What decides how data survives. Named by the table of settings (node/configuration_table.cc).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/setting.h"
#include "storage/log/log.h"

namespace slotcar::durability {

// `save 60 1000`: a snapshot when so many changes are older than so many seconds.
struct SaveRule {
  std::int64_t seconds = 0;
  std::int64_t changes = 0;
};

struct Settings {
  // --- fixed at start
  std::string directory;      // at first; empty: nothing is kept (tests of other things)
  std::string import_file;    // --import
  std::string recover_until;  // --recover-until: an LSN, or a unix time (see recovery.h)
  std::uint64_t segment_bytes = 64 * 1024 * 1024;
  // Of the log buffer (storage/log/log_buffer.h), and where it lies; empty: there is none.
  std::uint64_t buffer_bytes = 64 * 1024 * 1024;
  std::string buffer_directory = "/dev/shm";
  std::string version = "7.2.0";  // as snapshots name their writer
  // Where a Redis that ran here before left its log.
  std::string redis_log_directory = "appendonlydir";
  std::string redis_log_name = "appendonly.aof";

  // --- may change
  base::Setting<bool> appendonly{true};
  storage::LogSettings log;
  // aof-load-truncated: an end that a crash has cut off is dropped with a warning; no: the start is
  // refused.
  base::Setting<bool> load_truncated{true};
  std::atomic<bool> compress{true};
  base::Setting<bool> checksum{true};
  // A snapshot of its own accord when the log has grown by so many percent of the last snapshot
  // (0: never), and to at least so many bytes: a log of that size is replayed in some seconds.
  base::Setting<std::int64_t> rewrite_percentage{100};
  base::Setting<std::int64_t> rewrite_bytes_min{1024 * 1024 * 1024};
  // For tests of what happens meanwhile: how many microseconds each key and each record of the log
  // take longer to load; if negative, one microsecond for so many of them.
  base::Setting<std::int64_t> key_load_delay{0};
  // Whether nothing is written as long as snapshots that rules ask for fail.
  base::Setting<bool> stop_writes_on_failed_save{true};
};

}  // namespace slotcar::durability
