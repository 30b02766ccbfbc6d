// Log: the node's one write-ahead log. Threads that hold tokens append; the log's own loop writes
// and syncs in groups, and no other thread ever waits for the disk.
//
// The path of a record: `admits` before any token is taken (false: the backlog is full, or the disk
// fails; then writes wait or are refused while they hold nothing) -> effects are recorded under the
// tokens -> `append` returns the LSN and never waits -> the loop writes it, and syncs as
// `appendfsync` says -> `durable` passes it, and the calls that wait for that are notified.
//
// A record is `outside` if a killed process would lose it: it found no room in the log's buffer, or
// it refers to long values, which the log reads when it writes. Its reply waits until it is
// written. So do the replies of all later records, because recovery after a kill stops there
// (log_buffer.h). Written means handed to the kernel; under `always` replies wait for the sync
// anyway. (`safe` is the position up to which replies may be sent.) If the sync fails, the kernel
// may forget the record: it is `doubtful`, and counts as not written until it is in a new segment.
// Replies already sent are not affected. If the process is killed before that, recovery looks at
// the old segment. If the kernel has kept its records there, nothing is lost; if it has forgotten
// one, that one and all later ones are.
//
// The next record's slot in the ring is always empty. Admission stops kRingSpare below the ring's
// size, and fewer records than that can still come once it has stopped: one per connection, whose
// running call or batch may wait for a token indefinitely, and a few per thread that runs calls.
// The node's own work (expiry, eviction, waiter tasks) is queued without being admitted, and asks
// again when it holds its token.
//
// The appender calls `wake` afterwards, sooner or later. Under `everysec` and `no` the loop then
// delays the group commit for a moment: one wake-up and one system call for hundreds of records.
// Under `always` it syncs at once, and the caller decides when that is worthwhile. A sync costs as
// much CPU as a hundred calls, so a worker that has more to read goes on reading, for up to its
// `patience`, and wakes the log before it would wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "base/result.h"
#include "base/setting.h"
#include "runtime/event_loop.h"
#include "runtime/log.h"
#include "runtime/timer.h"
#include "storage/log/log_block.h"
#include "storage/log/log_buffer.h"
#include "storage/log/log_ring.h"
#include "storage/log/log_writer.h"

namespace slotcar::storage {

enum class Fsync : std::uint8_t { always, everysec, no };

struct LogSettings {
  base::Setting<Fsync> fsync{Fsync::everysec};
  base::Setting<std::int64_t> backlog_bytes_max{256 * 1024 * 1024};
};

// For INFO; any thread reads them.
struct LogNumbers {
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> outside{0};  // records that a killed process would have lost
  std::atomic<std::uint64_t> syncs{0};
  std::atomic<std::uint64_t> sync_failures{0};
  std::atomic<std::int64_t> sync_ns_last{0};
};

// A position in the log: durable, or far enough for replies to be sent (Log::safe).
enum class LogMark : std::uint8_t { durable, safe };

class Log {
 public:
  // `loop` is the log's own: nothing that must not wait for a disk may run on it.
  Log(runtime::EventLoop& loop, runtime::Disk& disk, runtime::Logger& logger,
      const LogSettings& settings, LogWriter::Options options);
  ~Log();

  // Before the loop runs. As LogWriter::open.
  Status open(Lsn durable, std::uint32_t number, const LogWriter::Tail& tail = {});
  // Before `open`: where records are kept from now on, so that they survive the process. A record
  // that finds no room there is written before its reply is sent.
  void use_buffer(std::unique_ptr<LogBuffer> buffer);
  // Called on the log's loop whenever `durable` has grown, and when `safe` has and a reply may wait
  // for that.
  void set_on_durable(std::function<void(Lsn)> on_durable) { on_durable_ = std::move(on_durable); }

  // Records that may still be appended after the ring has made `admits` false.
  static constexpr std::size_t kRingSpare = 1 << 17;
  static constexpr std::size_t kRecordsOfThreadMax = 4;
  static_assert(limits::kClientsMax +
                    kRecordsOfThreadMax * (limits::kWorkersMax + limits::kSlowThreadsMax) <=
                kRingSpare);

  // --- any thread
  bool admits() const;
  // A snapshot holds more old values than allowed: no writes until it has written some.
  void set_crowded(bool on);
  // Whether replies may only show durable data (`appendfsync always`).
  bool replies_wait_for_sync() const { return settings_.fsync.get() == Fsync::always; }
  // The setting has changed. After a change to `always` replies must not show earlier writes that
  // are not durable. Their keys were not noted, so all replies wait until they are durable.
  void fsync_changed();
  // A record whose keys were not noted, because `always` was not set when its call began.
  void keys_not_noted(Lsn lsn) {
    if (settings_.fsync.get_in_order() == Fsync::always) [[unlikely]]
      raise_unnoted(lsn);
  }
  // The last record that may have changed any key.
  Lsn last_unnoted() const { return Lsn{unnoted_.load(std::memory_order_acquire)}; }
  bool failing() const { return failing_.load(std::memory_order_relaxed); }
  // `appender` is the calling thread's, and used for this log only.
  enum class Wakes : std::uint8_t { at_once, later };  // later: the caller itself calls `wake`
  struct Appended {
    Lsn lsn;
    bool needs_sync;  // a killed process would lose it: the reply waits until it is `safe`
  };
  Appended append(LogAppender& appender, const RecordAbout& about, std::string_view payload,
                  Wakes wakes = Wakes::at_once) {
    return publish(appender.write(blocks_, about, payload), wakes);
  }
  // ... with long parts in the payload.
  Appended append(const RecordAbout& about, std::string_view payload, base::LongParts parts) {
    return publish(blocks_.write(about, payload, std::move(parts)), Wakes::at_once);
  }
  void wake();
  // How long a caller that has more to do may delay `wake`.
  runtime::Nanos patience() const { return replies_wait_for_sync() ? kPatience : 0; }
  Lsn durable() const { return Lsn{durable_.load(std::memory_order_seq_cst)}; }
  // Replies may show everything up to here: it survives as the setting promises.
  Lsn safe() const {
    return replies_wait_for_sync() ? durable() : Lsn{written_.load(std::memory_order_seq_cst)};
  }
  Lsn at(LogMark mark) const { return mark == LogMark::durable ? durable() : safe(); }
  Lsn last() const { return Lsn{first_.value + ring_.reserved() - 1}; }
  std::size_t backlog_bytes() const {  // appended and not yet durable
    return appended_bytes_.load(std::memory_order_relaxed) -
           promised_bytes_.load(std::memory_order_relaxed);
  }
  // The memory of the backlog, without values that the keyspace still shares.
  std::size_t backlog_memory() const;
  const LogNumbers& numbers() const { return numbers_; }
  std::uint64_t salt() const { return blocks_.salt(); }
  std::size_t buffer_bytes() const { return blocks_.buffer_bytes(); }
  // How long the oldest record that is not durable has waited, in the ring or behind it. It may say
  // too much, never too little.
  runtime::Nanos lag() const;
  // Syncs as soon as it can, whatever the setting (WAITAOF, shutdown).
  void sync_soon();
  // Removes, some time later, the segments that end before this record: a snapshot contains them.
  void trim_soon(Lsn from);
  // Writes and syncs the remaining records, if the disk allows it, and then stops the loop. Nothing
  // is appended after this call.
  void finish();
  // Before `open`: a segment of an earlier life.
  void know_older(const FoundSegment& segment) { writer_.know_older(segment); }

 private:
  static constexpr std::size_t kRingSize = 1 << 18;
  static constexpr runtime::Nanos kPatience = runtime::kMillisecond / 2;

  struct Wake : runtime::Task {
    Wake(Log& l, void (Log::*a)()) : runtime::Task(&Wake::ring), log(&l), action(a) {}
    static void ring(runtime::Task& task) {
      auto& self = static_cast<Wake&>(task);
      (self.log->*self.action)();
    }
    Log* log;
    void (Log::*action)();
  };
  struct Alarm : runtime::Timer {
    explicit Alarm(Log& l) : runtime::Timer(&Alarm::ring), log(&l) {}
    static void ring(runtime::Timer& timer) { static_cast<Alarm&>(timer).log->on_alarm(); }
    Log* log;
  };

  void raise_unnoted(Lsn lsn);
  void note_waiting();
  Appended publish(LogRecord record, Wakes wakes);
  void note_outside(Lsn lsn);
  void hurry();
  void on_wake();
  void on_room();
  void on_hurry();
  void on_alarm();
  bool delays_group() const;
  bool goes_on() const;
  void work();
  bool write_some();
  void write_what_waits();
  void note_written();
  void note_failed();
  void note_doubtful();
  void sync_if_due();
  void sync();
  void rotate_after_failure();
  void note_durable();
  void trim();
  void sleep_unless_more();

  runtime::EventLoop& loop_;
  runtime::Logger& logger_;
  const LogSettings& settings_;
  LogBlocks blocks_;
  LogWriter writer_;
  LogRing<char> ring_{kRingSize};
  std::vector<LogRecord> group_;  // kept for its allocation
  Lsn first_{1};                  // the LSN of number 0 in the ring
  std::function<void(Lsn)> on_durable_;
  Wake wake_{*this, &Log::on_wake};
  Wake hurry_{*this, &Log::on_hurry};
  Wake room_{*this, &Log::on_room};
  Alarm alarm_{*this};

  std::mutex outside_mutex_;
  std::vector<Lsn> outside_;           // not written yet
  std::vector<Lsn> doubtful_;          // written, but a sync failed; not written again yet
  std::vector<Lsn> unsynced_outside_;  // written, not durable yet; the log's loop's
  std::uint64_t waited_for_ = 0;       // replies may wait for what has a smaller number in the ring

  alignas(128) std::atomic<std::size_t> appended_bytes_{0};
  // Of `outside_` and `doubtful_`; counted before they have a number.
  std::atomic<std::uint32_t> outside_count_{0};
  alignas(128) std::atomic<std::uint64_t> durable_{0};
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::size_t> promised_bytes_{0};
  std::atomic<std::uint64_t> taken_{0};  // records that have left the ring
  std::atomic<std::uint64_t> unnoted_{0};
  std::atomic<bool> failing_{false};
  std::atomic<bool> crowded_{false};
  std::atomic<bool> room_posted_{false};  // room_ is posted
  std::atomic<bool> asked_{false};        // `wake` was called since the ring was last read
  std::atomic<bool> woken_{false};        // wake_ is posted, or runs, or a group commit is delayed
  std::atomic<bool> hurried_{false};      // hurry_ is posted
  bool group_delayed_ = false;            // the alarm is set for the end of the delay
  std::atomic<std::size_t> unwritten_bytes_{0};
  std::atomic<bool> sync_asked_{false};
  std::atomic<std::uint64_t> trim_from_{0};
  std::atomic<bool> finishing_{false};
  // No record that was taken and is not durable is older than this; 0: all are.
  std::atomic<runtime::Nanos> unsynced_since_{0};
  runtime::Nanos synced_at_ = 0;
  runtime::Nanos rotate_at_ = 0;
  runtime::Nanos rotate_pause_ = 0;
  LogNumbers numbers_;
  // No record in the ring is older than this; 0: the loop sleeps, and the ring is empty. Not the
  // same as when the loop wakes: it may have been in a sync that hung while records came.
  std::atomic<runtime::Nanos> waiting_since_{0};
};

}  // namespace slotcar::storage
