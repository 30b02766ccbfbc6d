#include "durability/recovery.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "base/numbers.h"
#include "durability/replay.h"
#include "storage/snapshot_format.h"

namespace slotcar::durability {

using runtime::kSecond;
using storage::Manifest;

namespace {

// Unix times begin where no log of ours comes to soon.
constexpr std::int64_t kUnixSecondsMin = 1'000'000'000;

}  // namespace

std::string Recovery::path(std::string_view name) const {
  return directory_ + "/" + std::string(name);
}

Result<bool> Recovery::exists(std::string_view name) const {
  auto names = disk_.list(directory_);
  if (!names) return names.error();
  return std::find(names->begin(), names->end(), name) != names->end();
}

Result<Recovered> Recovery::run() {
  if (Status cleaned = clean_up(); !cleaned) return cleaned.error();
  auto manifest = storage::read_manifest(disk_, directory_);
  if (!manifest) return manifest.error();
  if (!*manifest) return import_all();
  if (!settings_.import_file.empty()) {
    return Error{fmt::format("'{}' already holds data: --import needs a directory that has none",
                             directory_)};
  }
  return continue_from(**manifest);
}

Result<Recovered> Recovery::look_again() {
  auto manifest = storage::read_manifest(disk_, directory_);
  if (!manifest) return manifest.error();
  if (*manifest) return continue_from(**manifest);
  return Error{fmt::format("there is nothing in '{}' yet", directory_)};
}

// What a crash has left half written.
Status Recovery::clean_up() {
  auto names = disk_.list(directory_);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (!storage::snapshot::is_temporary_name(name)) continue;
    log_.notice("removing {}, which was never finished", name);
    if (Status removed = disk_.remove(path(name)); !removed) return removed;
  }
  return {};
}

// --- our own files -----------------------------------------------------------------------------

Result<Recovered> Recovery::continue_from(const Manifest& manifest) {
  Recovered recovered;
  recovered.has_manifest = true;
  recovered.node_id = manifest.node_id;
  recovered.epoch = manifest.epoch;
  recovered.log_was_on = !manifest.log.empty();
  if (manifest.log.empty()) {
    // The snapshot is all there is, and whoever wants another one may put it there, as with Redis.
    auto there = exists(file_name_);
    if (!there) return there.error();
    if (*there) {
      if (Status loaded = import_snapshot(path(file_name_), recovered); !loaded) {
        return loaded.error();
      }
    }
    // Records of the time before count no more, but their numbers are not given twice.
    auto log_there = exists(kLogDirectory);
    if (!log_there) return log_there.error();
    if (*log_there) {
      storage::LogReader reader(disk_, path(kLogDirectory));
      auto summary = reader.read(Lsn{UINT64_MAX}, [](const auto&, auto) { return true; });
      if (!summary) return summary.error();
      recovered.durable = summary->last;
      recovered.next_segment = summary->next_number;
      recovered.segments = summary->segments;
    }
    return recovered;
  }
  if (Status loaded = load_base(manifest, recovered); !loaded) return loaded.error();
  const Lsn from{recovered.base ? recovered.base->begin.value + 1 : 1};
  const Epoch epoch = recovered.base ? recovered.base->epoch : Epoch{0};
  if (Status replayed = replay(from, epoch, recovered); !replayed) return replayed.error();
  return recovered;
}

Status Recovery::load_base(const Manifest& manifest, Recovered& recovered) {
  const std::string& name = manifest.snapshot ? manifest.snapshot->file : file_name_;
  auto there = exists(name);
  if (!there) return there.error();
  if (!*there) {
    if (!manifest.snapshot) return {};
    return Error{
        fmt::format("the snapshot {} is missing, and the log alone is not enough: put it "
                    "back, or move {} and {} away to start with nothing",
                    name, Manifest::kName, kLogDirectory)};
  }
  progress_.total_bytes = file_bytes(path(name)) + log_bytes();
  auto loaded =
      Load(appliers_, scheduler_, disk_, log_).run(path(name), tell_load("loading the snapshot"));
  if (!loaded) {
    return Error{
        fmt::format("{}. 'slotcar-check' tells more. To start without the data, move it "
                    "and {} away",
                    loaded.error().message, Manifest::kName)};
  }
  recovered.keys_loaded = loaded->keys;
  if (manifest.snapshot && loaded->size == manifest.snapshot->size &&
      loaded->crc == manifest.snapshot->crc) {
    recovered.base = manifest.snapshot;
    return {};
  }
  const Epoch known = manifest.snapshot ? manifest.snapshot->epoch : Epoch{0};
  const bool newer = loaded->node_id == manifest.node_id && loaded->epoch > known &&
                     loaded->begin && loaded->settled;
  if (!newer) {
    return Error{fmt::format(
        "{} is not the snapshot that {} knows, and must not be mixed with the log. Either move {} "
        "away and put the right one back, or move {} and {} away to start from {} alone",
        name, Manifest::kName, name, Manifest::kName, kLogDirectory, name)};
  }
  log_.notice("{} is newer than {} says: it was finished just before the server ended", name,
              Manifest::kName);
  recovered.base = Manifest::Snapshot{.file = name,
                                      .size = loaded->size,
                                      .crc = loaded->crc,
                                      .epoch = loaded->epoch,
                                      .begin = *loaded->begin,
                                      .settled = *loaded->settled};
  recovered.epoch = std::max(recovered.epoch, loaded->epoch);
  return {};
}

Status Recovery::replay(Lsn from, Epoch epoch, Recovered& recovered) {
  Replay replay(appliers_, scheduler_, router_);
  storage::LogReader reader(disk_, path(kLogDirectory));
  Until end;
  if (!settings_.recover_until.empty()) {
    auto all = reader.read(from, [](const auto&, auto) { return true; });
    if (!all) return all.error();
    auto parsed = until(all->last);
    if (!parsed) return parsed.error();
    end = *parsed;
    if (recovered.base && end.lsn < recovered.base->settled) {
      return Error{
          fmt::format("the snapshot has everything up to record {}: it cannot be brought "
                      "back to {}",
                      recovered.base->settled.value, settings_.recover_until)};
    }
  }
  const std::uint64_t before = progress_.done_bytes;
  progress_.total_bytes = before + log_bytes();
  Status applied;
  Lsn stopped{0};
  recovered.durable = Lsn{from.value - 1};
  Lsn last = recovered.durable;
  auto summary =
      reader.read(from, [&](const storage::RecordHeader& record, std::string_view bytes) {
        if (record.lsn > end.lsn || record.about.time > end.time) {
          stopped = record.lsn;
          return false;
        }
        last = record.lsn;
        recovered.durable = std::max(recovered.durable, record.durable);
        recovered.epoch = std::max(recovered.epoch, record.about.epoch);
        if (record.about.epoch < epoch) return true;
        ++recovered.records;
        recovered.log_bytes += record.whole_size();
        progress_.done_bytes.store(before + recovered.log_bytes, std::memory_order_relaxed);
        delay(1);
        applied = replay.apply(bytes, record.about.time, record.lsn.value);
        tell("replaying the log, record", record.lsn.value, 0);
        return applied.ok() && !appliers_.failed();
      });
  if (Status settled = replay.settle(); applied && !settled) applied = settled;
  if (!summary) {
    return Error{
        fmt::format("the log is damaged: {}. 'slotcar-check {}' tells more. To start with "
                    "what lies before, use --recover-until",
                    summary.error().message, path(kLogDirectory))};
  }
  if (!applied) return applied;
  if (summary->last.value != 0 && summary->first > from) {
    return Error{
        fmt::format("the log begins with record {}, and the snapshot ends before record "
                    "{}: what lies between is missing",
                    summary->first.value, from.value)};
  }
  if (!summary->tail_cut.empty()) log_.warning("the log ends early: {}", summary->tail_cut);
  recovered.next_segment = summary->next_number;
  recovered.segments = summary->segments;
  // (A record may call more durable than is wanted back.)
  recovered.durable = std::min(recovered.durable, last);
  if (Status kept = keep_tail(last, recovered); !kept) return kept;
  if (stopped.value != 0) {
    log_.warning(
        "stopped before record {}, as --recover-until says; what comes after it is given "
        "up with the next write",
        stopped.value);
    recovered.wants_snapshot = true;
  }
  return {};
}

// The records up to `last` that no later one has called durable: the last second's, as a rule.
Status Recovery::keep_tail(Lsn last, Recovered& recovered) {
  if (last <= recovered.durable) return {};
  storage::LogReader reader(disk_, path(kLogDirectory));
  auto read = reader.read(Lsn{recovered.durable.value + 1},
                          [&](const storage::RecordHeader& record, std::string_view payload) {
                            if (record.lsn > last) return false;
                            recovered.tail.push_back({record.about, std::string(payload)});
                            return true;
                          });
  if (!read) return read.error();
  return {};
}

// An LSN, or a unix time in seconds (perhaps with a fraction) or milliseconds.
Result<Recovery::Until> Recovery::until(Lsn last) const {
  const std::string& text = settings_.recover_until;
  Until until;
  if (const auto number = base::parse_int64(text); number && *number > 0) {
    if (*number < kUnixSecondsMin || static_cast<std::uint64_t>(*number) <= last.value) {
      until.lsn = Lsn{static_cast<std::uint64_t>(*number)};
    } else {
      until.time = *number < kUnixSecondsMin * 1000 ? *number * 1000 : *number;
    }
    return until;
  }
  const auto seconds = base::parse_double(text);
  if (!seconds || *seconds < static_cast<double>(kUnixSecondsMin) || *seconds > 1e12) {
    return Error{"--recover-until takes the number of a record, or a unix time: '" + text + "'"};
  }
  until.time = static_cast<UnixMs>(*seconds * 1000);
  return until;
}

// --- others' files -----------------------------------------------------------------------------

Result<Recovered> Recovery::import_all() {
  Recovered recovered;
  auto segments = disk_.list(path(kLogDirectory));
  if (segments && std::any_of(segments->begin(), segments->end(), [](const std::string& name) {
        return storage::parse_segment_name(name).has_value();
      })) {
    storage::LogReader reader(disk_, path(kLogDirectory));
    auto summary = reader.read(Lsn{1}, [](const auto&, auto) { return false; });
    if (!summary || summary->first.value != 0) {
      return Error{fmt::format("{} holds a log, but {} is missing: put it back, or move {} away",
                               path(kLogDirectory), Manifest::kName, kLogDirectory)};
    }
    recovered.next_segment = summary->next_number;
    recovered.segments = summary->segments;
  }
  if (!settings_.import_file.empty()) {
    log_.notice("importing {}", settings_.import_file);
    if (Status done = import_snapshot(settings_.import_file, recovered); !done) return done.error();
    recovered.base.reset();
    recovered.wants_snapshot = true;
    return recovered;
  }
  auto redis_log =
      storage::find_aof(disk_, directory_, settings_.redis_log_directory, settings_.redis_log_name);
  if (!redis_log) return redis_log.error();
  if (!redis_log->paths.empty()) {
    if (Status done = import_redis_log(*redis_log, recovered); !done) return done.error();
    recovered.wants_snapshot = true;
    return recovered;
  }
  auto there = exists(file_name_);
  if (!there) return there.error();
  if (!*there) return recovered;
  if (Status done = import_snapshot(path(file_name_), recovered); !done) return done.error();
  return recovered;
}

Status Recovery::import_snapshot(const std::string& from, Recovered& recovered) {
  progress_.total_bytes = file_bytes(from);
  auto loaded = Load(appliers_, scheduler_, disk_, log_).run(from, tell_load("loading"));
  if (!loaded) return loaded.error();
  recovered.keys_loaded = loaded->keys;
  recovered.epoch = std::max(recovered.epoch, Epoch{loaded->epoch.value});
  log_.notice("{} keys loaded from {} (RDB version {})", loaded->keys, from, loaded->version);
  // From here on the log continues it as it is.
  recovered.base = Manifest::Snapshot{.file = file_name_,
                                      .size = loaded->size,
                                      .crc = loaded->crc,
                                      .epoch = Epoch{0},
                                      .begin = Lsn{0},
                                      .settled = Lsn{0}};
  return {};
}

Status Recovery::import_redis_log(const storage::AofFiles& files, Recovered& recovered) {
  class Visitor final : public storage::AofVisitor {
   public:
    Visitor(Recovery& recovery, Load& load, Replay& replay)
        : recovery_(recovery), load_(load), replay_(replay), now_(recovery.clock_.unix_ms()) {}
    Status on_keys(const storage::SnapshotReader& reader,
                   const storage::SnapshotBatch& batch) override {
      recovery_.progress_.done_bytes = reader.at();
      recovery_.delay(batch.entries().size());
      // The batch is the reader's, who fills it again when we are back.
      const std::shared_ptr<const storage::SnapshotBatch> lent(std::shared_ptr<void>(), &batch);
      if (Status dealt = load_.deal(lent); !dealt) return dealt;
      return recovery_.appliers_.settle();
    }
    Status on_commands(std::span<const storage::AofCommand> commands) override {
      for (const storage::AofCommand& command : commands) {
        if (Status done = replay_.apply(command.db, command.arguments, now_); !done) return done;
        for (const auto word : command.arguments) recovery_.progress_.done_bytes += word.size();
      }
      recovery_.delay(commands.size());
      return {};
    }
    void on_aux(std::string_view name, std::string_view value) override {
      load_.on_aux(name, value);
    }
    void on_function(std::string_view library) override { load_.on_function(library); }
    void on_skipped(const std::string& what) override { load_.on_skipped(what); }

   private:
    Recovery& recovery_;
    Load& load_;
    Replay& replay_;
    UnixMs now_;
  };
  log_.notice("importing a Redis log of {} files, from {} on", files.paths.size(), files.paths[0]);
  Load load(appliers_, scheduler_, disk_, log_);
  Replay replay(appliers_, scheduler_, router_);
  Visitor visitor(*this, load, replay);
  for (const std::string& each : files.paths) progress_.total_bytes += file_bytes(each);
  auto summary = storage::import_aof(disk_, files, visitor, {});
  if (!summary) return summary.error();
  if (Status settled = replay.settle(); !settled) return settled;
  if (!summary->cut.empty()) log_.warning("{}", summary->cut);
  log_.notice("{} keys and {} commands imported", summary->keys, summary->commands);
  recovered.keys_loaded = summary->keys;
  recovered.records = summary->commands;
  return {};
}

// --- how far it is -----------------------------------------------------------------------------

Load::Tell Recovery::tell_load(const char* what) {
  return [this, what](std::uint64_t done, std::uint64_t size, std::size_t keys) {
    progress_.done_bytes.store(done, std::memory_order_relaxed);
    tell(what, done, size);
    delay(keys);
  };
}

// For the sake of a percentage: who cannot say it counts nothing.
std::uint64_t Recovery::file_bytes(const std::string& path) {
  auto file = disk_.open(path, runtime::OpenMode::read);
  if (!file) return 0;
  auto size = (*file)->size();
  return size ? *size : 0;
}

// With what is only reserved at the end of it, because nobody knows yet where it ends.
std::uint64_t Recovery::log_bytes() {
  auto names = disk_.list(path(kLogDirectory));
  if (!names) return 0;
  std::uint64_t sum = 0;
  for (const std::string& name : *names) {
    sum += file_bytes(path(kLogDirectory) + "/" + name);
  }
  return sum;
}

// Until the setting says otherwise, which it may do at any moment.
void Recovery::delay(std::uint64_t items) const {
  constexpr std::int64_t kNapUs = 10'000;
  const std::int64_t each = settings_.key_load_delay.load(std::memory_order_relaxed);
  if (each == 0) [[likely]]
    return;
  const auto count = static_cast<std::int64_t>(items);
  std::int64_t left = each > 0 ? count * each : count / -each;
  for (; left > 0 && settings_.key_load_delay != 0; left -= kNapUs) {
    const timespec nap{0, std::min(left, kNapUs) * 1000};
    ::nanosleep(&nap, nullptr);
  }
}

void Recovery::tell(const char* what, std::uint64_t done, std::uint64_t size) {
  const runtime::Nanos now = clock_.monotonic();
  if (told_at_ == 0) told_at_ = now;
  if (now - told_at_ < 2 * kSecond) return;
  told_at_ = now;
  if (size == 0) {
    log_.notice("{} {}", what, done);
  } else {
    log_.notice("{}: {} %", what, done * 100 / size);
  }
}

}  // namespace slotcar::durability
