// The settings of persistence. Their names are in node/configuration_table.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/setting.h"
#include "storage/log/log.h"

namespace slotcar::durability {

// `save 60 1000`: a snapshot after this many seconds if there were at least this many changes.
struct SaveRule {
  std::int64_t seconds = 0;
  std::int64_t changes = 0;
};

struct Settings {
  // --- fixed at start
  std::string directory;      // at start; empty: no persistence (some tests)
  std::string import_file;    // --import
  std::string recover_until;  // --recover-until: an LSN, or a unix time (see recovery.h)
  std::uint64_t segment_bytes = 64 * 1024 * 1024;
  // The size of the log buffer (storage/log/log_buffer.h), and its directory; empty: there is none.
  std::uint64_t buffer_bytes = 64 * 1024 * 1024;
  std::string buffer_directory = "/dev/shm";
  std::string version = "7.2.0";  // as snapshots name their writer
  // Where a Redis that ran here before left its log.
  std::string redis_log_directory = "appendonlydir";
  std::string redis_log_name = "appendonly.aof";

  // --- may change
  base::Setting<bool> appendonly{true};
  storage::LogSettings log;
  // aof-load-truncated: a truncated end of the log is dropped with a warning; no: the start is
  // refused.
  base::Setting<bool> load_truncated{true};
  base::Setting<bool> compress{true};
  base::Setting<bool> checksum{true};
  // An automatic snapshot when the log has grown by this percentage of the last snapshot (0:
  // never), and to at least this many bytes: a log of that size is replayed in some seconds.
  base::Setting<std::int64_t> rewrite_percentage{100};
  base::Setting<std::int64_t> rewrite_bytes_min{1024 * 1024 * 1024};
  // For tests of what happens while loading: the extra microseconds for each loaded key and log
  // record; if negative, one microsecond per this many of them.
  base::Setting<std::int64_t> key_load_delay{0};
  // The same for each key that a snapshot writes. It may change while one is being written.
  base::Setting<std::int64_t> key_save_delay{0};
  // Whether writes are refused as long as scheduled snapshots fail.
  base::Setting<bool> stop_writes_on_failed_save{true};
};

}  // namespace slotcar::durability
