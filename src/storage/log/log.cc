#include "storage/log/log.h"

#include <algorithm>
#include <utility>

namespace slotcar::storage {

using runtime::kMillisecond;
using runtime::kSecond;
using runtime::Nanos;

namespace {

// One group: what is taken from the ring before it is written and, under `always`, synced.
constexpr std::size_t kGroupBytes = 4 * 1024 * 1024;
// Even without fsync the log syncs now and then, because records are kept in memory until they are
// durable.
constexpr Nanos kLazySync = 30 * kSecond;
constexpr std::size_t kLazySyncBytes = 4 * 1024 * 1024;
constexpr Nanos kRotatePauseMax = kSecond;
// The delay of a group commit unless replies wait for the sync, and the size that ends it early.
constexpr Nanos kGroupDelay = 8 * kMillisecond;
constexpr std::size_t kGroupBytesMax = 1024 * 1024;
// Under `always`: a group of this many records is worth waiting for.
constexpr std::size_t kManyRecords = 8;
// ... and this many bytes are not delayed.
constexpr std::size_t kPutOffBytes = 256 * 1024;

// Never 0, which means a file without a salt.
std::uint64_t salt_from(runtime::Random* random) {
  std::uint64_t salt = 1;
  if (random != nullptr) {
    do salt = random->next();
    while (salt == 0);
  }
  return salt;
}

}  // namespace

Log::Log(runtime::EventLoop& loop, runtime::Disk& disk, runtime::Logger& logger,
         const LogSettings& settings, LogWriter::Options options)
    : loop_(loop),
      logger_(logger),
      settings_(settings),
      blocks_(salt_from(options.random)),
      writer_(disk, loop.clock(), blocks_, std::move(options)) {}

Log::~Log() {
  alarm_.cancel();
}

void Log::use_buffer(std::unique_ptr<LogBuffer> buffer) {
  blocks_.use_buffer(std::move(buffer));
}

Status Log::open(Lsn durable, std::uint32_t number, const LogWriter::Tail& tail) {
  if (Status done = writer_.open(durable, number, tail); !done) return done;
  first_ = Lsn{writer_.last().value + 1};
  durable_.store(writer_.last().value, std::memory_order_relaxed);
  written_.store(writer_.last().value, std::memory_order_relaxed);
  synced_at_ = loop_.clock().monotonic();
  return {};
}

bool Log::admits() const {
  if (failing() || crowded_.load(std::memory_order_relaxed)) return false;
  const std::uint64_t in_ring = ring_.reserved() - taken_.load(std::memory_order_relaxed);
  return in_ring < kRingSize - kRingSpare &&
         static_cast<std::int64_t>(backlog_bytes()) < settings_.backlog_bytes_max.get();
}

Log::Appended Log::publish(LogRecord record, Wakes wakes) {
  const std::size_t bytes = record.size();
  appended_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const std::size_t unwritten =
      unwritten_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  // Counted before the number is reserved, so that a thread with a later number sees it.
  const bool outside = record.outside_buffer();
  if (outside) [[unlikely]]
    outside_count_.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t number = ring_.reserve();
  const Lsn lsn{first_.value + number};
  if (outside) [[unlikely]]
    note_outside(lsn);
  record.set_lsn(lsn);
  ring_.publish(number, record.bytes());  // from here on the bytes are the log's
  // After it was published: see write_what_waits.
  const bool needs_sync = outside_count_.load(std::memory_order_seq_cst) != 0;
  if (needs_sync) [[unlikely]] {
    wake();
    hurry();
  }
  if (wakes == Wakes::at_once || unwritten >= kPutOffBytes) wake();
  if (unwritten >= kGroupBytesMax) hurry();
  return {lsn, needs_sync};
}

void Log::note_outside(Lsn lsn) {
  numbers_.outside.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard lock(outside_mutex_);
  outside_.push_back(lsn);
  blocks_.note_outside(*std::ranges::min_element(outside_));
}

std::size_t Log::backlog_memory() const {
  const std::size_t referred = blocks_.referred_bytes();
  const std::size_t all = backlog_bytes();
  return all - std::min(all, referred) + blocks_.referred_memory();
}

// At its end the loop's task clears `woken_` and then checks `asked_`; this function sets `asked_`
// and then checks `woken_`. All four accesses have one order (seq_cst), so one side sees the other,
// and the task is never posted twice. The task clears `asked_` before it reads the ring, so it
// finds what was published before the call. (Both sides exchange, so that each has read what the
// other side wrote before.)
void Log::wake() {
  asked_.exchange(true, std::memory_order_seq_cst);
  if (woken_.load(std::memory_order_seq_cst) || woken_.exchange(true)) return;
  note_waiting();
  loop_.post(wake_);
}

// The caller that wakes the loop has just appended. Earlier callers woke it, too, and it took
// their records.
void Log::note_waiting() {
  Nanos none = 0;
  waiting_since_.compare_exchange_strong(none, loop_.clock().monotonic());
}

// seq_cst gives one order: an appender reserves a number and then reads the setting; here the
// setting has changed before the numbers are read. So one side sees the other.
void Log::fsync_changed() {
  if (settings_.fsync.get_in_order() != Fsync::always) return;
  raise_unnoted(last());
  sync_soon();
}

void Log::raise_unnoted(Lsn lsn) {
  std::uint64_t known = unnoted_.load(std::memory_order_relaxed);
  while (known < lsn.value && !unnoted_.compare_exchange_weak(known, lsn.value)) {
  }
}

// Ends the delay of a group commit, if there is one.
void Log::hurry() {
  if (!hurried_.load(std::memory_order_relaxed) && !hurried_.exchange(true)) loop_.post(hurry_);
}

void Log::sync_soon() {
  sync_asked_.store(true, std::memory_order_seq_cst);
  wake();
  hurry();
}

// Calls that wait for log space are notified as if the log itself had made room.
void Log::set_crowded(bool on) {
  if (crowded_.exchange(on) == on || on) return;
  if (!room_posted_.exchange(true)) loop_.post(room_);
}

// In this order: a record that is taken meanwhile is found in one of the two.
Nanos Log::lag() const {
  const Nanos waiting = waiting_since_.load(std::memory_order_seq_cst);
  const Nanos unsynced = unsynced_since_.load(std::memory_order_seq_cst);
  if (waiting == 0 && unsynced == 0) return 0;
  const Nanos since = waiting == 0 || (unsynced != 0 && unsynced < waiting) ? unsynced : waiting;
  return loop_.clock().monotonic() - since;
}

void Log::trim_soon(Lsn from) {
  trim_from_.store(from.value, std::memory_order_relaxed);
  sync_soon();
}

void Log::finish() {
  finishing_.store(true, std::memory_order_relaxed);
  sync_soon();
}

// --- on the log's loop -------------------------------------------------------------------------

void Log::on_wake() {
  if (!delays_group()) return work();
  group_delayed_ = true;
  loop_.arm(alarm_, loop_.clock().monotonic() + kGroupDelay);
}

void Log::on_room() {
  room_posted_.store(false);
  if (on_durable_) on_durable_(durable());
}

// Whether the records in the ring wait for more to join their group.
bool Log::delays_group() const {
  return !replies_wait_for_sync() && !sync_asked_.load(std::memory_order_relaxed) &&
         !writer_.broken();
}

void Log::on_hurry() {
  hurried_.store(false, std::memory_order_relaxed);
  if (std::exchange(group_delayed_, false)) work();
}

void Log::on_alarm() {
  if (std::exchange(group_delayed_, false)) {
    work();
  } else {
    wake();
  }
}

void Log::work() {
  if (writer_.broken()) rotate_after_failure();
  do {
    asked_.exchange(false, std::memory_order_seq_cst);
    if (!write_some()) break;
    write_what_waits();
    sync_if_due();
  } while (!writer_.broken() && goes_on());
  sync_if_due();
  trim();
  if (finishing_.load(std::memory_order_relaxed)) {
    if (writer_.broken()) rotate_after_failure();
    // A disk that fails to the end does not keep the server from stopping: no client was promised
    // what it did not take.
    if (writer_.broken() || !ring_.has_next()) return loop_.stop();
  }
  sleep_unless_more();
}

// Whether records that came meanwhile are written at once. Under `always` with many records in a
// group the appenders decide when. With few, they would only have to wake this loop again.
bool Log::goes_on() const {
  return !replies_wait_for_sync() || group_.size() < kManyRecords ||
         asked_.load(std::memory_order_relaxed) || finishing_.load(std::memory_order_relaxed);
}

void Log::trim() {
  const std::uint64_t from = trim_from_.exchange(0, std::memory_order_relaxed);
  if (from == 0 || writer_.broken()) return;
  if (Status done = writer_.trim(Lsn{from}); !done) {
    logger_.warning("cannot remove old segments of the log: {}", done.error().message);
  }
}

// False: the ring was empty.
bool Log::write_some() {
  group_.clear();
  std::size_t bytes = 0;
  const Nanos now = loop_.clock().monotonic();
  while (bytes < kGroupBytes) {
    const LogRecord record(ring_.take());
    if (!record) break;
    bytes += record.size();
    group_.push_back(record);
  }
  if (group_.empty()) return false;
  // The records left over count as asked for, too.
  if (bytes >= kGroupBytes) asked_.exchange(true, std::memory_order_seq_cst);
  taken_.fetch_add(group_.size(), std::memory_order_relaxed);
  if (unsynced_since_.load(std::memory_order_relaxed) == 0) {
    const Nanos since = waiting_since_.load(std::memory_order_relaxed);
    unsynced_since_.store(since == 0 ? now : since, std::memory_order_seq_cst);
  }
  // What is in the ring now came after we had begun to take, unless this was only a part of it.
  if (bytes < kGroupBytes) waiting_since_.store(now, std::memory_order_seq_cst);
  unwritten_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  numbers_.records.fetch_add(group_.size(), std::memory_order_relaxed);
  numbers_.bytes.fetch_add(bytes, std::memory_order_relaxed);
  const bool was_broken = writer_.broken();
  writer_.set_zeros_ahead(settings_.fsync.get() == Fsync::always);
  const Status done = writer_.write(group_);
  if (!done && !was_broken) logger_.warning("cannot write the log: {}", done.error().message);
  if (done) {
    note_written();
  } else {
    note_failed();
  }
  return true;
}

// Called before a sync, which takes long. Every record whose reply waits to be written is in the
// ring by now: it was published before it saw an outside record that was not written, and that one
// has been written since.
void Log::write_what_waits() {
  if (replies_wait_for_sync()) return;
  while (!writer_.broken() && taken_.load(std::memory_order_relaxed) < waited_for_) {
    if (!write_some()) return;
  }
}

// Everything up to the writer's last record is written.
void Log::note_written() {
  const Lsn last = writer_.last();
  written_.store(last.value, std::memory_order_seq_cst);
  if (outside_count_.load(std::memory_order_relaxed) != 0) {
    std::size_t gone = 0;
    {
      std::lock_guard lock(outside_mutex_);
      const auto is_written = [this, last](Lsn lsn) {
        if (lsn <= last) unsynced_outside_.push_back(lsn);
        return lsn <= last;
      };
      gone = std::erase_if(outside_, is_written);
      const auto first = std::ranges::min_element(outside_);
      if (gone != 0) blocks_.note_outside(first == outside_.end() ? Lsn{0} : *first);
      if (!doubtful_.empty()) {
        gone += std::erase_if(doubtful_, is_written);
        note_doubtful();
      }
    }
    outside_count_.fetch_sub(static_cast<std::uint32_t>(gone), std::memory_order_seq_cst);
    if (gone != 0) waited_for_ = ring_.reserved();
  }
  // Replies may wait for the first of these.
  if (taken_.load(std::memory_order_relaxed) - group_.size() < waited_for_ && on_durable_) {
    on_durable_(writer_.durable());
  }
}

// What was written and not synced may be lost: replies wait for it again, and recovery stops at the
// first such record, unless it finds all of them.
void Log::note_failed() {
  if (unsynced_outside_.empty()) return;
  outside_count_.fetch_add(static_cast<std::uint32_t>(unsynced_outside_.size()),
                           std::memory_order_seq_cst);
  std::lock_guard lock(outside_mutex_);
  doubtful_.insert(doubtful_.end(), unsynced_outside_.begin(), unsynced_outside_.end());
  unsynced_outside_.clear();
  note_doubtful();
}

// Under the mutex.
void Log::note_doubtful() {
  if (doubtful_.empty()) return blocks_.note_doubtful(Lsn{0}, Lsn{0});
  const auto [first, last] = std::ranges::minmax(doubtful_);
  blocks_.note_doubtful(first, last);
}

void Log::sync_if_due() {
  if (writer_.broken() || writer_.durable() == writer_.last()) {
    if (!writer_.broken()) sync_asked_.store(false, std::memory_order_relaxed);
    return;
  }
  const Nanos now = loop_.clock().monotonic();
  const Fsync setting = settings_.fsync.get();
  bool due = sync_asked_.load(std::memory_order_relaxed) || setting == Fsync::always;
  due |= now - synced_at_ >= (setting == Fsync::no ? kLazySync : kSecond);
  // Records are kept in memory until a sync; reusing the same memory keeps it in the caches.
  due |= writer_.kept_bytes() >= kLazySyncBytes;
  // Sync before writers have to wait for room.
  due |= static_cast<std::int64_t>(writer_.kept_bytes()) >= settings_.backlog_bytes_max.get() / 2;
  if (due) sync();
}

void Log::sync() {
  if (writer_.broken()) return;
  const Nanos begin = loop_.clock().monotonic();
  const Status done = writer_.sync();
  synced_at_ = loop_.clock().monotonic();
  numbers_.syncs.fetch_add(1, std::memory_order_relaxed);
  numbers_.sync_ns_last.store(synced_at_ - begin, std::memory_order_relaxed);
  if (!done) {
    numbers_.sync_failures.fetch_add(1, std::memory_order_relaxed);
    logger_.warning("cannot sync the log: {}", done.error().message);
    note_failed();
    return;
  }
  sync_asked_.store(false, std::memory_order_relaxed);
  note_durable();
}

void Log::rotate_after_failure() {
  failing_.store(true, std::memory_order_relaxed);
  const Nanos now = loop_.clock().monotonic();
  if (now < rotate_at_) return;
  const Status done = writer_.rotate_after_failure();
  if (!done) {
    rotate_pause_ = std::clamp(2 * rotate_pause_, 10 * kMillisecond, kRotatePauseMax);
    rotate_at_ = now + rotate_pause_;
    return;
  }
  rotate_pause_ = 0;
  rotate_at_ = 0;
  synced_at_ = loop_.clock().monotonic();
  note_written();
  failing_.store(false, std::memory_order_relaxed);
  logger_.warning("the log goes on in a new segment, from LSN {}", writer_.durable().value);
  note_durable();
}

void Log::note_durable() {
  std::erase_if(unsynced_outside_, [this](Lsn lsn) { return lsn <= writer_.durable(); });
  if (writer_.last() == writer_.durable()) unsynced_since_.store(0, std::memory_order_relaxed);
  // Everything that the writer was given, except what it still keeps. Stored before `durable_`, so
  // that a thread that sees the new `durable_` also sees the freed room.
  promised_bytes_.store(numbers_.bytes.load(std::memory_order_relaxed) - writer_.kept_bytes(),
                        std::memory_order_relaxed);
  durable_.store(writer_.durable().value, std::memory_order_seq_cst);
  if (on_durable_) on_durable_(writer_.durable());
}

void Log::sleep_unless_more() {
  if (writer_.broken()) failing_.store(true, std::memory_order_relaxed);
  Nanos due = INT64_MAX;
  if (writer_.broken()) {
    due = std::max(rotate_at_, loop_.clock().monotonic() + kMillisecond);
  } else if (writer_.durable() != writer_.last()) {
    const bool lazy = settings_.fsync.get() == Fsync::no;
    due = synced_at_ + (lazy ? kLazySync : kSecond);
  }
  if (due != INT64_MAX) loop_.arm(alarm_, due);
  // A thread that wakes us from here on says since when its record waits; an earlier one is older.
  const Nanos waiting_since = waiting_since_.exchange(0, std::memory_order_seq_cst);
  woken_.store(false, std::memory_order_seq_cst);
  const bool more =
      asked_.load(std::memory_order_seq_cst) || sync_asked_.load(std::memory_order_seq_cst);
  if (!more) return;
  waiting_since_.store(waiting_since, std::memory_order_seq_cst);
  if (!writer_.broken()) wake();
}

}  // namespace slotcar::storage
