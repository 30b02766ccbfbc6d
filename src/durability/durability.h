// Durability: a node's persistence. It recovers the data while clients get -LOADING, owns the log
// and the snapshots and their two loops, and decides when a snapshot is due.
//
// Commands call it from any thread; it answers through callbacks on its own loop.
//
// The files, all in one directory:
//   dump.rdb (dbfilename)   the snapshot; complete whenever the name is there
//   slotcar-log/log-N       the log since that snapshot, and somewhat before
//   slotcar.manifest        which snapshot the log continues, and which segments the log has;
//                           always replaced as a whole (manifest_file.h)
//   slotcar.lock            held by the server that runs there (storage/directory_lock.h)
//
// Every step from one state of them to the next may be interrupted by a crash:
//   snapshot published, manifest not yet   the snapshot itself says that it is the node's and newer
//   manifest written, log not trimmed yet  records before the snapshot's place are skipped
//   segment listed, and not begun yet      it has no records, and those before it have all
//   segment listed no more, file there     it is removed
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "durability/load_progress.h"
#include "durability/manifest_file.h"
#include "durability/numbers.h"
#include "durability/recovery.h"
#include "durability/settings.h"
#include "durability/snapshotter.h"
#include "router/router.h"
#include "runtime/clock.h"
#include "runtime/disk.h"
#include "runtime/event_loop.h"
#include "runtime/executor.h"
#include "runtime/log.h"
#include "runtime/member_timer.h"
#include "runtime/random.h"
#include "shard/scheduler.h"
#include "storage/function_libraries.h"
#include "storage/log/log.h"
#include "storage/log/orphaned_log_buffers.h"
#include "storage/manifest.h"

namespace slotcar::durability {

class Durability {
 public:
  struct World {
    runtime::Executor* executor;
    runtime::Disk* disk;
    runtime::Clock* clock;
    runtime::Random* random;
    runtime::SharedMemory* shared_memory;  // for the log's buffer; null: none
    runtime::Logger* log;
    std::function<Result<std::unique_ptr<runtime::EventLoop>>()> make_loop;
    // The changes by all threads since the start: Redis's `dirty`.
    std::function<std::int64_t()> changes;
    std::function<std::int64_t()> used_memory;
    // How much writers may put aside for a snapshot before they wait; null or 0: no bound.
    std::function<std::int64_t()> kept_bytes_max = nullptr;
    // Called on the log's loop when `durable` advances, and with the highest LSN when the log is
    // switched off.
    std::function<void(Lsn)> on_durable;
    // Sleeps, on a thread with nothing else to do; null: sleeping takes no time (simulator).
    std::function<void(runtime::Nanos)> sleep = nullptr;
  };
  Durability(Settings& settings, World world, shard::Scheduler& scheduler,
             const router::Router& router);
  ~Durability();

  // Takes the directory's lock, if it is not held yet. Before any file there is read or removed.
  Status lock();
  // There is data to recover: clients get -LOADING until `end_loading`. Called before the first
  // client can connect.
  void expect_loading();
  // Recovers, opens the log, starts the loops. `contexts` are borrowed for the recovery. Calls that
  // touch keys must not run meanwhile. After an error the node is unusable.
  Status start(std::vector<shard::Thread*> contexts, bool threaded);
  // From now on clients are served. Called after `start` when everything that was loaded is in its
  // place.
  void end_loading();
  // Writes and syncs what the log still has; ends the loops. No calls run any more.
  void stop();

  // --- any thread ----------------------------------------------------------------------------
  enum class Why : std::uint8_t { save, rewrite, rule, switched };
  // Whether a caller waits for its end (urgent), or other work should not be slowed down (gentle).
  // `last`: nothing comes after it. The running snapshot is abandoned, and its callers get this
  // one.
  enum class Pace : std::uint8_t { gentle, urgent, last };
  enum class Answer : std::uint8_t { begun, waits, already_saving, already_rewriting };
  using Done = std::function<void(const Status&)>;
  // Asks for a snapshot. If one is running: with `may_wait` the caller joins the next one, else it
  // is refused.
  Answer ask(Why why, Pace pace, bool may_wait, Done done);
  bool saving() const { return numbers().saving; }
  // No call may touch keys. (A thread that sees the end of loading sees the keys.)
  bool loading() const { return progress_.loading.load(std::memory_order_acquire); }
  bool enabled() const { return started_; }  // there is a data directory
  // CONFIG SET appendonly. On: recording begins; the log becomes valid with the next snapshot.
  void switch_log(bool on);
  void set_rules(std::vector<SaveRule> rules);
  bool has_rules() const;
  // Nothing was logged since the last snapshot: another one would have the same contents.
  bool snapshot_is_complete() const;
  // Scheduled snapshots fail, and the setting says that writes are refused then.
  bool refuses_writes() const {
    return saves_fail_.load(std::memory_order_relaxed) &&
           settings_.stop_writes_on_failed_save.get();
  }
  void set_file_name(std::string name);
  // CONFIG SET dir: the directory of later snapshots. A log cannot move: if there is one, or was
  // one since the start, this is refused.
  Status move_to(const std::string& directory);

  // --- under all tokens, for tests: see durability_reload.cc
  struct Reload {
    bool saves = true;    // saves the data first; else the existing file is loaded
    bool empties = true;  // else the loaded keys are added to the existing ones
  };
  Status reload(shard::Thread& thread, const Reload& wanted);
  // The function libraries of the files, which later snapshots contain as well. Any thread; set
  // under all tokens.
  std::vector<std::string> functions() const;
  void set_functions(const storage::FunctionLibraries& functions);
  // Loads what a start would load now: the snapshot and the log. No snapshot may be running: call
  // `wait_until_at_rest` before the tokens are taken.
  Status recover_again(shard::Thread& thread);
  void wait_until_at_rest() const;

  Numbers numbers() const;
  void reset_numbers();
  const shard::Thread& thread() const { return snapshotter_->thread(); }

 private:
  struct Request {
    Why why;
    Pace pace;
    Done done;
  };

  std::string file_name() const;
  std::string directory() const;
  Result<std::shared_ptr<runtime::FileLock>> lock_of(const std::string& directory) const;
  void take_over(Recovered& recovered);
  Status rename_imported(const std::string& directory);
  void make_log(const std::vector<storage::FoundSegment>& older);
  Status open_log();
  void start_manifest(const Recovered& recovered);
  Status write_manifest(const std::string& directory, bool log);
  void note_clean_end();
  std::uint64_t make_log_buffer();
  Status take_over_log_buffer(std::uint64_t life);
  Status first_snapshot();
  storage::SnapshotFacts facts() const;
  Status save_held(shard::Thread& thread, const std::string& name, std::uint64_t number);
  void empty_held(shard::Thread& thread);
  void pump();
  void begin_again();
  bool log_continues_running() const;
  void on_snapshot_done(Result<SnapshotMade> result);
  void tick();
  void look_at_orphans();
  std::optional<Why> due() const;
  void update_save_failure();

  Settings& settings_;
  World world_;
  shard::Scheduler& scheduler_;
  const router::Router& router_;
  std::unique_ptr<runtime::EventLoop> log_loop_;
  std::unique_ptr<runtime::EventLoop> loop_;  // of snapshots and decisions
  std::unique_ptr<storage::Log> log_;
  std::unique_ptr<Snapshotter> snapshotter_;
  runtime::MemberTimer<&Durability::tick> tick_{*this};
  std::unique_ptr<storage::OrphanedLogBuffers> orphans_;  // the loop's; until it has looked at all
  runtime::MemberTimer<&Durability::look_at_orphans> orphans_timer_{*this};
  LoadProgress progress_;
  ManifestFile manifest_;
  std::atomic<bool> started_{false};
  // Where the log continues when it is opened: at start, or when it is switched on.
  Lsn log_durable_{0};
  storage::LogWriter::Tail log_tail_;
  std::uint32_t log_segment_ = 1;
  std::atomic<bool> log_open_{false};
  std::uint64_t log_life_ = 0;         // of this process; its buffer, if it has one, is named by it
  std::uint64_t log_life_before_ = 0;  // of the one before, whose buffer is still there; 0: none
  bool log_gives_up_rest_ = false;     // Recovered::gives_up_rest
  // The name at start, before a client could change the setting, which is for the next snapshot.
  std::string file_to_load_;
  std::atomic<bool> saves_fail_{false};
  std::atomic<bool> switching_{false};  // CONFIG SET appendonly has not taken effect yet

  mutable std::mutex mutex_;  // protects what follows
  std::vector<Request> waiting_;
  std::vector<Request> running_;
  bool running_logged_ = false;  // the log was on before the snapshot of `running_` began
  std::string directory_;
  std::string snapshot_directory_;  // of the running one
  // The locks of both directories. The first is null where nothing can be written; then nothing is.
  std::shared_ptr<runtime::FileLock> lock_;
  std::shared_ptr<runtime::FileLock> snapshot_lock_;
  storage::FunctionLibraries functions_;
  std::vector<std::string> imported_;  // see Recovered; until it has its new name
  std::string file_name_ = "dump.rdb";
  std::vector<SaveRule> rules_;
  std::string node_id_;
  std::optional<storage::Manifest::Snapshot> base_;
  Numbers numbers_;
  std::int64_t changes_saved_ = 0;  // the sum when the last snapshot that succeeded was cut
  std::int64_t changes_cut_ = 0;    // ... and the one under way
  runtime::Nanos begun_at_ = 0;
  runtime::Nanos last_try_ = 0;
  UnixMs last_save_ = 0;
  std::uint64_t log_bytes_cut_ = 0;     // of the log, when the last snapshot was cut
  std::uint64_t log_bytes_base_ = 0;    // ... and that succeeded
  std::uint64_t log_bytes_before_ = 0;  // of records from before this start
  std::uint64_t number_ = 0;
};

}  // namespace slotcar::durability
