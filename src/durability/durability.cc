#include "durability/durability.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <utility>

#include "durability/recovery.h"
#include "runtime/random_id.h"

namespace slotcar::durability {

using runtime::kMillisecond;
using runtime::kSecond;
using storage::Manifest;

Durability::Durability(Settings& settings, World world, shard::Scheduler& scheduler,
                       const router::Router& router)
    : settings_(settings),
      world_(std::move(world)),
      scheduler_(scheduler),
      router_(router),
      manifest_(*world_.disk) {}

Durability::~Durability() {
  stop();
}

// --- start and end -----------------------------------------------------------------------------

void Durability::expect_loading() {
  directory_ = settings_.directory;
  file_to_load_ = file_name();
  progress_.since.store(world_.clock->unix_ms() / 1000);
  progress_.loading.store(true);
}

Status Durability::start(std::vector<shard::Thread*> contexts, bool threaded) {
  const runtime::Nanos begin = world_.clock->monotonic();
  if (Status locked = lock(); !locked && settings_.appendonly) return locked;
  Recovered recovered;
  {
    Appliers appliers(*world_.executor, std::move(contexts), threaded);
    auto result =
        Recovery(settings_, directory(), file_to_load_, appliers, scheduler_, router_, *world_.disk,
                 world_.shared_memory, *world_.clock, *world_.log, progress_)
            .run();
    if (!result) return result.error();
    recovered = std::move(*result);
  }
  if (recovered.keys_loaded + recovered.records > 0) {
    world_.log->notice(
        "recovered {} keys of a snapshot and {} records of the log in {:.3f} seconds",
        recovered.keys_loaded, recovered.records,
        static_cast<double>(world_.clock->monotonic() - begin) / kSecond);
  }
  scheduler_.holds().set_epoch(std::max(Epoch{1}, recovered.epoch));
  take_over(recovered);
  start_manifest(recovered);

  auto loop = world_.make_loop();
  if (!loop) return loop.error();
  loop_ = std::move(*loop);
  auto log_loop = world_.make_loop();
  if (!log_loop) return log_loop.error();
  log_loop_ = std::move(*log_loop);
  snapshotter_ = std::make_unique<Snapshotter>(*loop_, *world_.disk, scheduler_,
                                               world_.random->next(), router_.registry().size());
  const bool log_on = settings_.appendonly.get();
  log_durable_ = recovered.durable;
  log_tail_ = std::move(recovered.tail);
  log_segment_ = recovered.next_segment;
  log_gives_up_rest_ = recovered.gives_up_rest;
  log_life_before_ = recovered.life;
  make_log(recovered.segments);
  if (log_on || recovered.log_was_on) {
    if (Status opened = open_log(); !opened) return opened;
  }
  world_.executor->start_loop("log", *log_loop_);
  world_.executor->start_patient_loop("snapshot", *loop_);
  started_ = true;

  if (log_on) {
    scheduler_.holds().set_log(log_.get());
    const bool nothing_to_continue =
        recovered.has_manifest && !recovered.log_was_on && !recovered.base;
    if (recovered.wants_snapshot || nothing_to_continue) {
      if (Status saved = first_snapshot(); !saved) return saved;
    } else if (!recovered.log_was_on) {
      if (Status written = write_manifest(directory(), true); !written) return written;
    }
  } else if (recovered.log_was_on || recovered.wants_snapshot) {
    // The log is switched off, or never was on: a snapshot takes over its contents.
    if (Status saved = first_snapshot(); !saved) return saved;
  }
  manifest_.may_be_made();
  loop_->post(runtime::make_task([this] { tick(); }));
  if (log_open_ && world_.shared_memory != nullptr) {
    orphans_ = std::make_unique<storage::OrphanedLogBuffers>(*world_.shared_memory, log_life_);
    loop_->post(runtime::make_task([this] { look_at_orphans(); }));
  }
  return {};
}

void Durability::end_loading() {
  progress_.loading.store(false, std::memory_order_release);
}

void Durability::take_over(Recovered& recovered) {
  std::lock_guard lock(mutex_);
  numbers_.keys_loaded = recovered.keys_loaded - recovered.keys_expired;
  numbers_.keys_expired = recovered.keys_expired;
  functions_ = std::move(recovered.functions);
  imported_ = std::move(recovered.imported);
  node_id_ = recovered.node_id.empty() ? runtime::random_id(*world_.random) : recovered.node_id;
  last_save_ = world_.clock->unix_ms();
  base_ = recovered.base;
  // The log begins by continuing what was just imported. (A base that the manifest has
  // named before keeps its place: the log's records since then belong to it.)
  if (base_ && !recovered.log_was_on) base_->begin = base_->settled = recovered.durable;
  log_bytes_before_ = recovered.log_bytes;
}

// Called while no other thread uses it: before the loops run, or under the mutex before it is first
// opened.
void Durability::make_log(const std::vector<storage::FoundSegment>& older) {
  do log_life_ = world_.random->next();
  while (log_life_ == 0);
  log_ = std::make_unique<storage::Log>(
      *log_loop_, *world_.disk, *world_.log, settings_.log,
      storage::LogWriter::Options{
          .directory = directory_ + "/" + std::string(kLogDirectory),
          .segment_bytes = settings_.segment_bytes,
          .random = world_.random,
          .life = log_life_,
          .list = [this](const auto& segments) { return manifest_.list_segments(segments); }});
  log_->set_on_durable([this](Lsn durable) {
    if (world_.on_durable) world_.on_durable(durable);
  });
  for (const auto& segment : older) log_->know_older(segment);
}

// Before the log's loop runs, or on it.
Status Durability::open_log() {
  if (log_open_) return {};
  if (Status locked = lock(); !locked) return locked;
  const std::string directory = this->directory() + "/" + std::string(kLogDirectory);
  if (Status made = world_.disk->make_directory(directory); !made) return made;
  const std::uint64_t life = make_log_buffer();
  if (Status opened = log_->open(log_durable_, log_segment_, log_tail_); !opened) return opened;
  log_tail_.clear();
  log_open_ = true;
  return take_over_log_buffer(life);
}

// The life that names the buffer; 0: there is none.
std::uint64_t Durability::make_log_buffer() {
  if (world_.shared_memory == nullptr) return 0;
  auto buffer = storage::LogBuffer::create(
      *world_.shared_memory, {.life = log_life_,
                              .salt = log_->salt(),
                              .directory = world_.shared_memory->directory_id(directory()),
                              .directory_path = world_.shared_memory->directory_path(directory()),
                              .bytes_max = settings_.buffer_bytes});
  if (!buffer) {
    world_.log->warning(
        "there is no log buffer: {}. If the process is killed, writes of the last moments may be "
        "lost",
        buffer.error().message);
    return 0;
  }
  log_->use_buffer(std::move(*buffer));
  return log_life_;
}

// The manifest names the buffer before the first record is appended. The contents of the previous
// process's buffer are in the segments now.
Status Durability::take_over_log_buffer(std::uint64_t life) {
  const bool has_buffer = life != 0 && world_.shared_memory != nullptr;
  const std::string boot_id = has_buffer ? world_.shared_memory->boot_id() : std::string();
  if (Status noted = manifest_.note_life(life, boot_id); !noted) return noted;
  const std::uint64_t before = std::exchange(log_life_before_, life);
  if (before == 0 || world_.shared_memory == nullptr) return {};
  // A buffer that another directory's server left, or uses, must not be removed: this directory is
  // a copy.
  const std::uint64_t here = world_.shared_memory->directory_id(directory());
  if (!storage::LogBuffer::was_left_by(*world_.shared_memory, before, here)) return {};
  const std::string name = storage::LogBuffer::file_name(before);
  if (Status removed = world_.shared_memory->remove(name); !removed) {
    world_.log->warning("{}", removed.error().message);
  }
  return {};
}

// Before clients are served: waits for it.
Status Durability::first_snapshot() {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Status> result;
  static_cast<void>(ask(Why::switched, Pace::urgent, true, [&](const Status& status) {
    std::lock_guard lock(mutex);
    result = status;
    changed.notify_one();
  }));
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return result.has_value(); });
  return *result;
}

void Durability::stop() {
  if (!started_.exchange(false)) return;
  // The snapshots' loop first: a snapshot that ended after the log is gone would write a manifest
  // without a log, and the next start would skip every record since its cut.
  loop_->stop();
  world_.executor->join_loop(*loop_);
  scheduler_.holds().set_log(nullptr);
  log_->finish();
  world_.executor->join_loop(*log_loop_);
  note_clean_end();
}

// Before the log may list segments.
void Durability::start_manifest(const Recovered& recovered) {
  Manifest manifest;
  {
    std::lock_guard lock(mutex_);
    manifest.node_id = node_id_;
    manifest.epoch = scheduler_.holds().epoch();
    if (recovered.log_was_on) manifest.log = kLogDirectory;
    manifest.snapshot = base_;
  }
  for (const auto& segment : recovered.segments) manifest.segments->push_back(segment.entry);
  manifest.last = recovered.last;
  manifest_.start(directory(), std::move(manifest), recovered.has_manifest);
}

Status Durability::write_manifest(const std::string& directory, bool log) {
  return manifest_.update(directory, [&](Manifest& manifest) {
    std::lock_guard lock(mutex_);
    manifest.node_id = node_id_;
    manifest.epoch = std::max(manifest.epoch, scheduler_.holds().epoch());
    manifest.log = log ? kLogDirectory : "";
    manifest.snapshot = base_;
  });
}

// All loops have ended. The next start then knows which record was the last, and reports it if it
// is missing. (While there are records that this start did not apply, the last one is among those.)
void Durability::note_clean_end() {
  if (!log_open_ || log_->durable() != log_->last()) return;
  if (log_gives_up_rest_ && !manifest_.has_begun()) return;
  if (Status noted = manifest_.note_end(log_->last()); !noted) {
    world_.log->warning("cannot note the end of the log: {}", noted.error().message);
    return;
  }
  // Everything is in the segments: the next start does not need the buffer.
  if (log_life_before_ != 0 && world_.shared_memory != nullptr) {
    static_cast<void>(
        world_.shared_memory->remove(storage::LogBuffer::file_name(log_life_before_)).ok());
  }
}

// --- requests ----------------------------------------------------------------------------------

Durability::Answer Durability::ask(Why why, Pace pace, bool may_wait, Done done) {
  if (!started_) {
    done(Error{"there is no directory to keep anything in"});
    return Answer::begun;
  }
  std::lock_guard lock(mutex_);
  const bool busy = !running_.empty() || !waiting_.empty();
  if (busy && !may_wait) {
    const auto rewrites = [](const Request& request) { return request.why == Why::rewrite; };
    const bool rewriting = std::any_of(running_.begin(), running_.end(), rewrites);
    return rewriting ? Answer::already_rewriting : Answer::already_saving;
  }
  waiting_.push_back({why, pace, std::move(done)});
  if (!busy) {
    loop_->post(runtime::make_task([this] { pump(); }));
  } else if (pace != Pace::gentle) {
    if (pace == Pace::last && std::ranges::count(running_, Pace::last, &Request::pace) == 0) {
      snapshotter_->give_up();
    }
    // At once, and again after it has begun.
    snapshotter_->hurry();
    loop_->post(runtime::make_task([this] { snapshotter_->hurry(); }));
  }
  return busy ? Answer::waits : Answer::begun;
}

void Durability::switch_log(bool on) {
  if (!started_ || on == (scheduler_.log() != nullptr)) return;
  switching_.store(true);
  log_loop_->post(runtime::make_task([this, on] {
    if (on) {
      if (Status opened = open_log(); !opened) {
        world_.log->warning("cannot open the log: {}", opened.error().message);
        switching_.store(false);
        return;
      }
      scheduler_.holds().set_log(log_.get());
    }
    static_cast<void>(ask(Why::switched, Pace::gentle, true, [](const Status&) {}));
  }));
}

void Durability::set_rules(std::vector<SaveRule> rules) {
  std::lock_guard lock(mutex_);
  rules_ = std::move(rules);
  update_save_failure();
}

// Under the mutex.
void Durability::update_save_failure() {
  saves_fail_.store(!numbers_.last_save_ok && !rules_.empty(), std::memory_order_relaxed);
}

bool Durability::has_rules() const {
  std::lock_guard lock(mutex_);
  return !rules_.empty();
}

bool Durability::snapshot_is_complete() const {
  std::lock_guard lock(mutex_);
  return scheduler_.log() != nullptr && running_.empty() && base_ && base_->file == file_name_ &&
         log_->last() == base_->settled;
}

void Durability::set_file_name(std::string name) {
  std::lock_guard lock(mutex_);
  file_name_ = std::move(name);
}

std::string Durability::file_name() const {
  std::lock_guard lock(mutex_);
  return file_name_;
}

std::string Durability::directory() const {
  std::lock_guard lock(mutex_);
  return directory_;
}

Status Durability::move_to(const std::string& directory) {
  auto names = world_.disk->list(directory);
  if (!names) {
    // The reason alone: the caller knows the name.
    const std::string& message = names.error().message;
    const std::size_t at = message.rfind(": ");
    return Error{at == std::string::npos ? message : message.substr(at + 2)};
  }
  if (settings_.directory.empty()) return {};
  if (std::find(names->begin(), names->end(), kLogDirectory) != names->end()) {
    return Error{"there is a log in that directory already, of other data"};
  }
  // In this order: the log is opened before the switch is complete.
  if (settings_.appendonly || switching_ || scheduler_.log() != nullptr) {
    return Error{"the log does not move: set appendonly to no, and start anew"};
  }
  if (log_open_) return Error{"there was a log since the start, which does not move: start anew"};
  std::lock_guard lock(mutex_);
  auto locked = lock_of(directory);
  if (!locked) return locked.error();
  // The old lock is released, unless the running snapshot still writes there.
  lock_ = std::move(*locked);
  manifest_.move_to(directory);
  directory_ = directory;
  make_log({});
  return {};
}

// --- on the loop -------------------------------------------------------------------------------

void Durability::pump() {
  SnapshotOrder order;
  bool last = false;
  const Status locked = lock();
  {
    std::lock_guard lock(mutex_);
    if (!running_.empty() || waiting_.empty()) return;
    running_ = std::exchange(waiting_, {});
    running_logged_ = scheduler_.log() != nullptr;
    begun_at_ = last_try_ = world_.clock->monotonic();
    changes_cut_ = world_.changes();
    log_bytes_cut_ = log_->numbers().bytes.load(std::memory_order_relaxed);
    order.name = file_name_;
    order.directory = snapshot_directory_ = directory_;
    snapshot_lock_ = lock_;
    order.number = ++number_;
    order.fence = std::any_of(running_.begin(), running_.end(),
                              [](const Request& request) { return request.why == Why::switched; });
    last = std::ranges::count(running_, Pace::last, &Request::pace) > 0;
    order.paced = std::all_of(running_.begin(), running_.end(),
                              [](const Request& request) { return request.pace == Pace::gentle; });
  }
  if (world_.kept_bytes_max) order.kept_bytes_max = world_.kept_bytes_max();
  order.facts = facts();
  order.facts.functions.clear();  // it asks for them when no call of an older epoch runs any more
  order.functions = [this] { return functions(); };
  order.compress = settings_.compress.get();
  order.sleep = world_.sleep;
  if (!last) order.key_delay = &settings_.key_save_delay;
  if (!locked) return on_snapshot_done(locked.error());
  world_.log->notice("a snapshot begins");
  snapshotter_->begin(std::move(order), [this](Result<SnapshotMade> result) {
    if (!result && snapshotter_->gave_up()) return begin_again();
    on_snapshot_done(std::move(result));
  });
}

storage::SnapshotFacts Durability::facts() const {
  std::lock_guard lock(mutex_);
  return {.server_version = settings_.version,
          .created = world_.clock->unix_ms(),
          .used_memory = static_cast<std::uint64_t>(world_.used_memory()),
          .node_id = node_id_,
          .checksum = settings_.checksum.get(),
          .functions = functions_.texts()};
}

// Callers that waited for the abandoned snapshot get the next one.
void Durability::begin_again() {
  world_.log->notice("the snapshot under way is given up: one more follows it");
  {
    std::lock_guard lock(mutex_);
    std::vector<Request> all = std::exchange(running_, {});
    std::ranges::move(waiting_, std::back_inserter(all));
    waiting_ = std::move(all);
    snapshot_lock_.reset();
  }
  pump();
}

// A log that was switched on while the snapshot ran does not continue it: neither has the changes
// between the two. The log becomes valid with the snapshot that the switch requests, but not with
// one that an earlier switch requested and that was cut while the log was off.
bool Durability::log_continues_running() const {
  if (scheduler_.log() == nullptr) return false;
  std::lock_guard lock(mutex_);
  const bool for_the_switch = std::ranges::count(running_, Why::switched, &Request::why) > 0;
  return running_logged_ && (for_the_switch || !switching_.load());
}

void Durability::on_snapshot_done(Result<SnapshotMade> result) {
  Status status;
  const bool log_wanted = settings_.appendonly.get();
  const bool log_counts = log_wanted && log_continues_running();
  if (result) {
    std::string directory;
    {
      std::lock_guard lock(mutex_);
      directory = snapshot_directory_;
      base_ = Manifest::Snapshot{.file = result->name,
                                 .size = result->size,
                                 .crc = result->crc,
                                 .epoch = result->epoch,
                                 .begin = result->begin,
                                 .settled = result->settled};
    }
    if (!log_wanted && scheduler_.log() != nullptr) {
      scheduler_.holds().set_log(nullptr);
      // Callers that wait for it get an error.
      if (world_.on_durable) world_.on_durable(Lsn{UINT64_MAX});
    }
    if (status = rename_imported(directory); status) status = write_manifest(directory, log_counts);
    if (status && log_open_) log_->trim_soon(Lsn{result->begin.value + 1});
  } else {
    status = result.error();
  }
  const runtime::Nanos now = world_.clock->monotonic();
  std::vector<Request> told;
  {
    std::lock_guard lock(mutex_);
    told = std::exchange(running_, {});
    snapshot_lock_.reset();
    const std::int64_t took = (now - begun_at_) / kSecond;
    const bool rewrite = std::ranges::count(told, Why::rewrite, &Request::why) > 0;
    if (status) {
      changes_saved_ = changes_cut_;
      last_save_ = world_.clock->unix_ms();
      numbers_.saves += 1;
      log_bytes_before_ = 0;
      log_bytes_base_ = log_bytes_cut_;
    }
    numbers_.last_save_ok = status.ok();
    update_save_failure();
    numbers_.last_save_took = took;
    if (rewrite) {
      numbers_.last_rewrite_ok = status.ok();
      numbers_.last_rewrite_took = took;
      numbers_.rewrites += 1;
    }
  }
  if (status) {
    world_.log->notice("the snapshot is written: {} keys, {} bytes, {:.3f} seconds", result->keys,
                       result->size, static_cast<double>(now - begun_at_) / kSecond);
  } else {
    world_.log->warning("the snapshot failed: {}", status.error().message);
  }
  for (const Request& each : told) {
    const bool took_effect = !log_wanted || log_counts;
    if (each.why == Why::switched && status && took_effect) switching_.store(false);
    each.done(status);
  }
  // The setting may have changed while the log was being switched, when it looked unchanged.
  if (!switching_) switch_log(settings_.appendonly.get());
  pump();
}

Numbers Durability::numbers() const {
  std::lock_guard lock(mutex_);
  Numbers now = numbers_;
  const auto rewrites = [](const Request& request) { return request.why == Why::rewrite; };
  // A requested snapshot that has not begun counts as running for its caller.
  const std::vector<Request>& under_way = running_.empty() ? waiting_ : running_;
  now.saving = !under_way.empty();
  now.rewriting = std::any_of(under_way.begin(), under_way.end(), rewrites) || switching_.load();
  now.rewrite_waits = !running_.empty() && std::any_of(waiting_.begin(), waiting_.end(), rewrites);
  now.changes_since_save = world_.changes() - changes_saved_;
  now.last_save_seconds = last_save_ / 1000;
  now.saving |= now.rewriting;
  if (!running_.empty()) now.running_for = (world_.clock->monotonic() - begun_at_) / kSecond;
  now.log_on = scheduler_.log() != nullptr;
  now.epoch = scheduler_.holds().epoch().value;
  now.loading = loading();
  now.loading_since = progress_.since.load();
  now.loading_total_bytes = progress_.total_bytes.load();
  now.loading_done_bytes = progress_.done_bytes.load();
  now.base_bytes = base_ ? base_->size : 0;
  if (started_) {
    now.keys_saved = snapshotter_->progress().keys_done.load();
    const storage::LogNumbers& log = log_->numbers();
    now.log_ok = !log_->failing();
    now.log_bytes = log.bytes.load() - log_bytes_base_ + log_bytes_before_;
    now.backlog_bytes = log_->backlog_bytes();
    now.last_lsn = log_->last().value;
    now.durable_lsn = log_->durable().value;
    now.syncs = log.syncs.load();
    now.sync_failures = log.sync_failures.load();
    now.sync_us_last = log.sync_ns_last.load() / 1000;
    now.sync_lag_ms = log_->lag() / kMillisecond;
  }
  return now;
}

void Durability::reset_numbers() {
  std::lock_guard lock(mutex_);
  numbers_.saves = numbers_.rewrites = 0;
}

}  // namespace slotcar::durability
