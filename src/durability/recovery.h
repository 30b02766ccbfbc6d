// Recovery: loads the data from the files of a directory, before clients are served. (Connections
// are accepted meanwhile, and get -LOADING.)
//
//   a manifest        its snapshot, then the log from the snapshot's place on. Records of epochs
//                     that the snapshot has are skipped.
//   no manifest       a Redis log (appendonlydir, appendonly.aof), else dump.rdb, is imported: the
//                     directory of a Redis becomes ours by starting here.
//   --import FILE     the same with that file, into a directory that has nothing yet.
//
// A Redis log beside a manifest was never imported (a Redis ran here meanwhile): the start is
// refused. Imported files have been renamed (Recovered::imported).
//
// A snapshot that the manifest does not know is not used. Either it is a newer one of ours, whose
// manifest a crash prevented (the file shows it: same node, later epoch, complete), or it was put
// there by hand, and mixing it with the log would give wrong data: the start is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "durability/appliers.h"
#include "durability/load.h"
#include "durability/load_progress.h"
#include "durability/settings.h"
#include "router/router.h"
#include "runtime/disk.h"
#include "runtime/log.h"
#include "runtime/shared_memory.h"
#include "shard/scheduler.h"
#include "storage/aof/aof_import.h"
#include "storage/function_libraries.h"
#include "storage/log/log_reader.h"
#include "storage/log/log_writer.h"
#include "storage/manifest.h"

namespace slotcar::durability {

inline constexpr std::string_view kLogDirectory = "slotcar-log";

struct Recovered {
  std::string node_id;  // empty: a new one
  Epoch epoch{1};
  Lsn durable{0};                               // what of the log is certainly durable
  storage::LogWriter::Tail tail;                // what was found beyond that
  std::uint32_t next_segment = 1;               // free for a new one
  std::vector<storage::FoundSegment> segments;  // the valid ones of the log
  std::optional<Lsn> last;                      // as the manifest says
  std::uint64_t life = 0;                       // of the process before, as the manifest says
  bool gives_up_rest = false;                   // the log has more, which is not to be recovered
  // The snapshot that the data comes from, if it is a file of this directory.
  std::optional<storage::Manifest::Snapshot> base;
  bool has_manifest = false;
  bool log_was_on = false;
  // The data was imported, or is only a part of what the files contain: a snapshot must be written
  // before the log may continue.
  bool wants_snapshot = false;
  std::uint64_t keys_loaded = 0;
  std::uint64_t keys_expired = 0;  // of those
  std::uint64_t records = 0;
  std::uint64_t log_bytes = 0;  // of those records
  storage::FunctionLibraries functions;
  // Imported files of a Redis in the directory. They are renamed, because a Redis that starts here
  // again would load them instead of what is written from now on.
  std::vector<std::string> imported;
};

class Recovery {
 public:
  Recovery(const Settings& settings, std::string directory, std::string file_name,
           Appliers& appliers, shard::Scheduler& scheduler, const router::Router& router,
           runtime::Disk& disk, runtime::SharedMemory* shared_memory, runtime::Clock& clock,
           runtime::Logger& log, LoadProgress& progress)
      : settings_(settings),
        directory_(std::move(directory)),
        file_name_(std::move(file_name)),
        appliers_(appliers),
        scheduler_(scheduler),
        router_(router),
        disk_(disk),
        shared_memory_(shared_memory),
        clock_(clock),
        log_(log),
        progress_(progress) {}

  Result<Recovered> run();
  // While the server runs: loads our own files again, and cleans up or imports nothing.
  Result<Recovered> look_again();

 private:
  struct Until {
    Lsn lsn{UINT64_MAX};
    UnixMs time = kNever;
  };

  std::string path(std::string_view name) const;
  Result<bool> exists(std::string_view name) const;
  Status clean_up();
  Result<Recovered> continue_from(const storage::Manifest& manifest);
  Result<Recovered> continue_without_log(const storage::Manifest& manifest, Recovered recovered);
  Status load_base(const storage::Manifest& manifest, Recovered& recovered);
  Status replay(const storage::Manifest& manifest, Recovered& recovered);
  Status take_cut_tail(const std::string& tail_cut);
  Status keep_tail(const storage::LogReader::Expected& expected, Lsn last, Recovered& recovered);
  Error damaged(const Error& error, Lsn lsn, const Recovered& recovered) const;
  Result<Recovered> import_all();
  Status import_snapshot(const std::string& path, Recovered& recovered);
  Status refuse_other_data();
  Status import_redis_log(const storage::AofFiles& files, Recovered& recovered);
  Result<Until> wanted_end(Lsn from, const storage::LogReader::Expected& expected,
                           const Recovered& recovered) const;
  void give_up_rest(Lsn from, Recovered& recovered);
  Result<Until> until(Lsn from, const storage::LogReader::Expected& expected) const;
  Load::Tell tell_load(const char* what);
  void tell(const char* what, std::uint64_t done, std::uint64_t size);
  std::uint64_t file_bytes(const std::string& path);
  std::uint64_t log_bytes();
  void delay(std::uint64_t items) const;

  const Settings& settings_;
  const std::string directory_;
  const std::string file_name_;
  Appliers& appliers_;
  shard::Scheduler& scheduler_;
  const router::Router& router_;
  runtime::Disk& disk_;
  runtime::SharedMemory* shared_memory_;  // null: there are no log buffers
  runtime::Clock& clock_;
  runtime::Logger& log_;
  LoadProgress& progress_;
  runtime::Nanos told_at_ = 0;
};

}  // namespace slotcar::durability
