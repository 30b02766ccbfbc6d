// Snapshotter: writes one snapshot at a time, of all shards as of one moment, while calls go on. It
// runs on a loop of its own, because it writes files; it takes tokens like any other call, one at a
// time, for slices of a few microseconds.
//
//   raise    The epoch is raised. From here on a call that holds tokens first cuts each of its
//            shards that is still in the old epoch (shard/execute.cc): a call is wholly before the
//            moment or wholly after it, on all its shards.
//   cut      Each shard is visited once, so that it is cut even if no call comes. A call of the old
//            epoch held a token while it ran and appended its record before releasing it. The
//            snapshotter has held every token since the raise, so no such call is left, and the
//            end of the log is `settled`: all records of older epochs are before it.
//   write    Each shard's keys of that moment are read slice by slice (keyspace/cut.h). Short
//            values are encoded at once, others are pinned or copied and encoded without the token.
//            Unless a client waits for its end it works a little and pauses for longer, so that a
//            machine without a spare core has its cores for clients. Old values that writers have
//            put aside are fetched from all shards regularly, wherever the walk is, so that they do
//            not pile up in memory. While many come, it does not pause, and above `kept_bytes_max`
//            writers wait until it has written them.
//   publish  The file is on the medium; the log is durable up to `settled`; only then does the file
//            get its name. (Otherwise a crash could leave a snapshot with effects whose records are
//            lost, together with earlier records of other keys.)
//
// An error at any step ends the cuts and removes the file; the data is not touched by any of this.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/setting.h"
#include "keyspace/cut.h"
#include "runtime/disk.h"
#include "runtime/event_loop.h"
#include "runtime/member_timer.h"
#include "runtime/random.h"
#include "schema/internal_command.h"
#include "shard/call.h"
#include "shard/scheduler.h"
#include "shard/thread.h"
#include "storage/snapshot/snapshot_encoder.h"
#include "storage/snapshot/snapshot_file.h"

namespace slotcar::durability {

struct SnapshotOrder {
  std::string directory;
  std::string name;
  std::uint64_t number = 0;  // of the temporary file
  storage::SnapshotFacts facts;
  // The libraries of functions. Asked for at the end, when every call of an older epoch has ended:
  // what a younger one has changed is among them already, and its record, which is replayed on top,
  // says the same.
  std::function<std::vector<std::string>()> functions;
  bool compress = true;
  // The log has just been switched on: waits for all running calls that have not seen that, because
  // their later effects would be neither in the snapshot nor in the log.
  bool fence = false;
  bool paced = false;  // no client waits for its end
  // How much writers may put aside before they wait; 0: no bound.
  std::int64_t kept_bytes_max = 0;
  // Pauses in the middle of a long value, if it is paced; null: it does not pause there.
  std::function<void(runtime::Nanos)> sleep;
  const base::Setting<std::int64_t>* key_delay = nullptr;  // Settings::key_save_delay
};

struct SnapshotMade {
  std::string name;
  Epoch epoch;
  Lsn begin;    // the log's end just before the epoch was raised
  Lsn settled;  // ... and when no call of an older epoch ran any more
  std::uint64_t size = 0;
  std::uint64_t crc = 0;
  std::uint64_t keys = 0;
};

// For INFO; any thread reads them.
struct SnapshotProgress {
  std::atomic<std::uint64_t> keys_done{0};
  std::atomic<std::uint64_t> bytes_done{0};
};

class Snapshotter {
 public:
  // `commands`: their number, which is also the statistics index of this work.
  Snapshotter(runtime::EventLoop& loop, runtime::Disk& disk, shard::Scheduler& scheduler,
              std::uint64_t random_seed, std::size_t commands);
  ~Snapshotter();

  using Done = std::function<void(Result<SnapshotMade>)>;
  // On the loop; `done` is called there. None is under way.
  void begin(SnapshotOrder order, Done done);
  // Any thread: a client waits for the end of the running one.
  void hurry() { hurried_.store(true, std::memory_order_relaxed); }
  // Any thread: abandons the running one. It ends with an error, unless it has written
  // everything.
  void give_up() { given_up_.store(true, std::memory_order_relaxed); }
  // Whether the last one was abandoned.
  bool gave_up() const { return gave_up_; }
  bool under_way() const { return stage_ != Stage::idle; }
  const SnapshotProgress& progress() const { return progress_; }
  const shard::Thread& thread() const { return thread_; }

 private:
  enum class Stage : std::uint8_t { idle, fence, cut, write, end_cuts, publish };

  void raise();
  void visit_shards();
  bool rests();
  bool is_delayed();
  void on_alarm();
  bool after_visit();
  bool after_fetch();
  void begin_fetch_if_due();
  bool is_hurried() const { return pressed_ || hurried_.load(std::memory_order_relaxed); }
  void set_crowded(bool on);
  static void visit(shard::Call& call);
  static void visited(shard::Call& call);
  void visit_held(shard::Shard& shard);
  void encode(DbIndex db, const keyspace::Entry& entry, base::LongReading* reading = nullptr);
  void write_piece();
  void write_and_rest();
  void fail(Error error);
  void seal();
  void publish();
  void finish(Result<SnapshotMade> result);

  runtime::EventLoop& loop_;
  runtime::Disk& disk_;
  shard::Scheduler& scheduler_;
  shard::Thread thread_;
  shard::Call call_;
  schema::InternalCommand command_;
  runtime::MemberTimer<&Snapshotter::on_alarm> alarm_{*this};

  Stage stage_ = Stage::idle;
  SnapshotOrder order_;
  Done done_;
  SnapshotMade made_;
  storage::Log* log_ = nullptr;
  std::unique_ptr<storage::SnapshotFile> file_;
  std::string piece_;
  std::unique_ptr<storage::SnapshotEncoder> encoder_;
  DbIndex selected_{UINT16_MAX};
  runtime::Nanos turn_began_ = 0;
  std::uint64_t keys_delayed_ = 0;  // of `made_.keys`: those whose delay is over
  std::uint32_t shard_ = 0;
  std::atomic<bool> hurried_{false};
  std::atomic<bool> given_up_{false};
  bool gave_up_ = false;
  bool more_ = false;  // the walk's current shard has more
  // Fetching what writers have put aside in the shards behind the walk's.
  bool fetching_ = false;
  std::uint32_t fetch_shard_ = 0;
  std::int64_t fetched_bytes_ = 0;  // in this round
  runtime::Nanos fetched_at_ = 0;   // the end of the last round
  bool pressed_ = false;            // the last round fetched a lot
  std::vector<keyspace::Cut::Saved> pinned_;
  std::optional<Error> error_;
  SnapshotProgress progress_;
};

}  // namespace slotcar::durability
