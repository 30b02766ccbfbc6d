#include "durability/recovery.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "durability/recover_until.h"
#include "durability/replay.h"
#include "durability/surviving_records.h"
#include "storage/snapshot/snapshot_format.h"

namespace slotcar::durability {

using runtime::kSecond;
using storage::Manifest;

namespace {

// Numbers from here on are unix times: no log reaches such an LSN soon.

// What the manifest, and the snapshot that was loaded, say of the log.
storage::LogReader::Expected expect(const Manifest& manifest, const Recovered& recovered) {
  return {.segments = manifest.segments,
          .settled = recovered.base ? recovered.base->settled : Lsn{0},
          .last = manifest.last};
}

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
  if (!manifest) {
    return Error{
        fmt::format("{}. Put it back from a copy, or move it and {} away to start from {} "
                    "alone, without what the log has",
                    manifest.error().message, kLogDirectory, file_name_)};
  }
  if (!*manifest) return import_all();
  if (Status alone = refuse_other_data(); !alone) return alone.error();
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

// Half-written leftovers of a crash.
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

// A Redis has written a log here since the manifest was written.
Status Recovery::refuse_other_data() {
  auto redis_log =
      storage::find_aof(disk_, directory_, settings_.redis_log_directory, settings_.redis_log_name);
  if (!redis_log) return redis_log.error();
  if (redis_log->paths.empty()) return {};
  return Error{fmt::format(
      "there is a log of Redis ({}) beside data of ours, and only one of them can be served. "
      "Either move {} away, or move {}, {} and {} away to import the log of Redis",
      redis_log->paths[0], redis_log->name, Manifest::kName, kLogDirectory, file_name_)};
}

// --- our own files -----------------------------------------------------------------------------

Result<Recovered> Recovery::continue_from(const Manifest& manifest) {
  Recovered recovered;
  recovered.has_manifest = true;
  recovered.node_id = manifest.node_id;
  recovered.epoch = manifest.epoch;
  recovered.log_was_on = !manifest.log.empty();
  recovered.last = manifest.last;
  recovered.life = manifest.life;
  if (manifest.log.empty()) return continue_without_log(manifest, std::move(recovered));
  if (Status loaded = load_base(manifest, recovered); !loaded) return loaded.error();
  if (Status replayed = replay(manifest, recovered); !replayed) return replayed.error();
  return recovered;
}

// There is only the snapshot, and an operator may replace it by another one, as with Redis.
Result<Recovered> Recovery::continue_without_log(const Manifest& manifest, Recovered recovered) {
  auto there = exists(file_name_);
  if (!there) return there.error();
  if (*there) {
    if (Status loaded = import_snapshot(path(file_name_), recovered); !loaded) {
      return Error{
          fmt::format("{}. 'slotcar-check' tells more. Put it back from a copy, or move it "
                      "and {} away to start with nothing",
                      loaded.error().message, Manifest::kName)};
    }
  } else if (manifest.snapshot && manifest.snapshot->file == file_name_) {
    return Error{
        fmt::format("{} is missing, and {} says that it is all the data: put it back, or move {} "
                    "away to start with nothing",
                    path(file_name_), Manifest::kName, Manifest::kName)};
  }
  // Segments from before are no longer valid, whatever they contain, but the LSNs of their records
  // are not reused.
  recovered.last.reset();
  if (manifest.snapshot) recovered.durable = manifest.snapshot->settled;
  if (manifest.last) recovered.durable = std::max(recovered.durable, *manifest.last);
  storage::LogReader reader(disk_, path(kLogDirectory), {.segments = manifest.segments});
  const auto summary = reader.read(Lsn{UINT64_MAX - 1}, [](const auto&, auto) { return true; });
  if (summary) {
    recovered.durable = std::max(recovered.durable, summary->last);
    recovered.next_segment = summary->next_number;
  }
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
                    path(name), Manifest::kName, kLogDirectory)};
  }
  progress_.total_bytes = file_bytes(path(name)) + log_bytes();
  auto loaded = Load(appliers_, scheduler_, disk_, log_, clock_.unix_ms())
                    .run(path(name), tell_load("loading the snapshot"));
  if (!loaded) {
    return Error{
        fmt::format("{}. 'slotcar-check' tells more. Put it back from a copy; to start without the "
                    "data, move it, {} and {} away",
                    loaded.error().message, Manifest::kName, kLogDirectory)};
  }
  recovered.keys_loaded = loaded->keys;
  recovered.keys_expired = loaded->keys_expired;
  recovered.functions = loaded->functions;
  const auto match = storage::match_snapshot(manifest, {.size = loaded->size,
                                                        .crc = loaded->crc,
                                                        .node_id = loaded->node_id,
                                                        .epoch = loaded->epoch,
                                                        .begin = loaded->begin,
                                                        .settled = loaded->settled});
  if (match == storage::SnapshotMatch::known) {
    recovered.base = manifest.snapshot;
    return {};
  }
  if (match == storage::SnapshotMatch::foreign) {
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

Status Recovery::replay(const Manifest& manifest, Recovered& recovered) {
  const Lsn from{recovered.base ? recovered.base->begin.value + 1 : 1};
  const Epoch epoch = recovered.base ? recovered.base->epoch : Epoch{0};
  storage::LogReader::Expected expected = expect(manifest, recovered);
  Replay replay(appliers_, scheduler_, router_, recovered.functions);
  Until end;
  if (!settings_.recover_until.empty()) {
    auto parsed = wanted_end(from, expected, recovered);
    if (!parsed) return parsed.error();
    end = *parsed;
    expected.until = end.lsn;
  }
  storage::LogReader reader(disk_, path(kLogDirectory), expected);
  const std::uint64_t before = progress_.done_bytes;
  progress_.total_bytes = before + log_bytes();
  Status applied;
  Lsn stopped{0};
  recovered.durable = Lsn{from.value - 1};
  Lsn last = recovered.durable;
  const auto take = [&](Lsn lsn, const storage::RecordAbout& about, std::string_view payload) {
    if (lsn > end.lsn || about.time > end.time) {
      stopped = lsn;
      return false;
    }
    last = lsn;
    recovered.epoch = std::max(recovered.epoch, about.epoch);
    if (about.epoch < epoch || about.is_gap()) return true;
    ++recovered.records;
    recovered.log_bytes += storage::RecordHeader::size_with(payload.size());
    progress_.done_bytes.store(before + recovered.log_bytes, std::memory_order_relaxed);
    delay(1);
    applied = replay.apply(payload, about.time, lsn.value);
    tell("replaying the log, record", lsn.value, 0);
    return applied.ok() && !appliers_.failed();
  };
  auto summary =
      reader.read(from, [&](const storage::RecordHeader& record, std::string_view bytes) {
        return take(record.lsn, record.about, bytes);
      });
  storage::LogWriter::Tail survivors;
  const Lsn last_on_disk = last;
  if (summary && applied && stopped.value == 0 && shared_memory_ != nullptr && manifest.life != 0) {
    auto left = surviving_records(*shared_memory_, manifest, last, path(kLogDirectory), log_);
    if (!left) return left.error();
    survivors = std::move(*left);
    for (const storage::OldRecord& record : survivors) {
      if (!take(Lsn{last.value + 1}, record.about, record.payload)) break;
    }
    survivors.resize(last.value - last_on_disk.value);
  }
  if (Status settled = replay.settle(); applied && !settled) applied = settled;
  if (!summary) return damaged(summary.error(), reader.damaged(), recovered);
  if (!applied) return applied;
  if (summary->last.value != 0 && summary->first > from) {
    return damaged(
        Error{fmt::format("{}: it begins with record {}, and what lies before is missing",
                          path(kLogDirectory), summary->first.value)},
        from, recovered);
  }
  if (Status taken = take_cut_tail(summary->tail_cut); !taken) return taken;
  recovered.next_segment = summary->next_number;
  recovered.segments = summary->segments;
  // (A record may call more durable than is to be recovered.)
  recovered.durable = std::min(std::max(recovered.durable, summary->durable), last_on_disk);
  if (Status kept = keep_tail(expected, last_on_disk, recovered); !kept) return kept;
  std::ranges::move(survivors, std::back_inserter(recovered.tail));
  if (summary->has_more) stopped = Lsn{end.lsn.value + 1};
  if (stopped.value != 0) give_up_rest(stopped, recovered);
  return {};
}

void Recovery::give_up_rest(Lsn from, Recovered& recovered) {
  log_.warning(
      "stopped before record {}, as --recover-until says; what comes after it is given up: the "
      "snapshot that is made now takes its place",
      from.value);
  recovered.wants_snapshot = true;
  recovered.gives_up_rest = true;
}

Result<Recovery::Until> Recovery::wanted_end(Lsn from, const storage::LogReader::Expected& expected,
                                             const Recovered& recovered) const {
  auto end = until(from, expected);
  if (end && recovered.base && end->lsn < recovered.base->settled) {
    return Error{
        fmt::format("the snapshot has everything up to record {}: it cannot be brought back to {}",
                    recovered.base->settled.value, settings_.recover_until)};
  }
  return end;
}

// The error and its remedies. `lsn`: the first record that cannot be read.
Error Recovery::damaged(const Error& error, Lsn lsn, const Recovered& recovered) const {
  const Lsn least = recovered.base ? recovered.base->settled : Lsn{0};
  const std::string what = fmt::format(
      "the log is damaged: {}. 'slotcar-check {}' tells more. Put the file back from a "
      "copy",
      error.message, directory_);
  if (lsn.value > 1 && lsn.value - 1 >= least.value) {
    return Error{fmt::format("{}, or start with --recover-until {}, which keeps what lies before",
                             what, lsn.value - 1)};
  }
  const std::string rest = recovered.base ? recovered.base->file + " alone" : "nothing";
  return Error{fmt::format("{}, or move {} and {} away to start with {}", what, Manifest::kName,
                           kLogDirectory, rest)};
}

// The half-written end of the log that a crash has left; empty: there is none.
Status Recovery::take_cut_tail(const std::string& tail_cut) {
  if (tail_cut.empty()) return {};
  if (!settings_.load_truncated) {
    return Error{fmt::format(
        "the log ends early: {}. aof-load-truncated is no: set it to yes to go on without that end",
        tail_cut)};
  }
  log_.warning("the log ends early: {}", tail_cut);
  return {};
}

// The records up to `last` that no later one has called durable: the last second's, as a rule.
Status Recovery::keep_tail(const storage::LogReader::Expected& expected, Lsn last,
                           Recovered& recovered) {
  if (last <= recovered.durable) return {};
  storage::LogReader reader(disk_, path(kLogDirectory), expected);
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
Result<Recovery::Until> Recovery::until(Lsn from,
                                        const storage::LogReader::Expected& expected) const {
  const auto wanted = read_recover_until(settings_.recover_until);
  if (!wanted) return wanted.error();
  Until until;
  if (wanted->time > 0) until.time = wanted->time;
  if (const std::int64_t number = wanted->number; number > 0) {
    // Where the log ends, or as far as it can be read.
    Lsn last{0};
    if (number >= kUnixSecondsMin) {
      static_cast<void>(storage::LogReader(disk_, path(kLogDirectory), expected)
                            .read(from, [&](const storage::RecordHeader& record, auto) {
                              last = record.lsn;
                              return true;
                            }));
    }
    if (number < kUnixSecondsMin || static_cast<std::uint64_t>(number) <= last.value) {
      until.lsn = Lsn{static_cast<std::uint64_t>(number)};
    } else {
      until.time = number < kUnixSecondsMin * 1000 ? number * 1000 : number;
    }
  }
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
                               path(kLogDirectory), path(Manifest::kName), kLogDirectory)};
    }
    recovered.next_segment = summary->next_number;
  }
  auto redis_log =
      storage::find_aof(disk_, directory_, settings_.redis_log_directory, settings_.redis_log_name);
  if (!redis_log) return redis_log.error();
  auto there = exists(file_name_);
  if (!there) return there.error();
  if (!settings_.import_file.empty()) {
    if (!redis_log->paths.empty() || *there) {
      return Error{fmt::format("'{}' already holds {}: --import needs a directory that has no data",
                               directory_, *there ? file_name_ : redis_log->name)};
    }
    log_.notice("importing {}", settings_.import_file);
    if (Status done = import_snapshot(settings_.import_file, recovered); !done) return done.error();
    recovered.base.reset();
    recovered.wants_snapshot = true;
    return recovered;
  }
  if (!redis_log->paths.empty()) {
    if (Status done = import_redis_log(*redis_log, recovered); !done) return done.error();
    recovered.wants_snapshot = true;
    // Like Redis 7, this imports the single file of an older Redis where there is no directory. It
    // is renamed first, or a start between the two steps would import it instead of the directory.
    auto old_file = exists(settings_.redis_log_name);
    if (!old_file) return old_file.error();
    if (*old_file && redis_log->name != settings_.redis_log_name) {
      recovered.imported.push_back(settings_.redis_log_name);
    }
    recovered.imported.push_back(redis_log->name);
    return recovered;
  }
  if (!*there) return recovered;
  if (Status done = import_snapshot(path(file_name_), recovered); !done) return done.error();
  return recovered;
}

Status Recovery::import_snapshot(const std::string& from, Recovered& recovered) {
  progress_.total_bytes = file_bytes(from);
  auto loaded =
      Load(appliers_, scheduler_, disk_, log_, clock_.unix_ms()).run(from, tell_load("loading"));
  if (!loaded) return loaded.error();
  recovered.keys_loaded = loaded->keys;
  recovered.keys_expired = loaded->keys_expired;
  recovered.functions = loaded->functions;
  recovered.epoch = std::max(recovered.epoch, Epoch{loaded->epoch.value});
  log_.notice("{} keys loaded from {} (RDB version {})", loaded->keys, from, loaded->version);
  // From here on the log continues the file unchanged.
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
    Visitor(Recovery& recovery, Load& load, Replay& replay, storage::FunctionLibraries& functions)
        : recovery_(recovery),
          load_(load),
          replay_(replay),
          functions_(functions),
          now_(recovery.clock_.unix_ms()) {}
    Status on_keys(const storage::SnapshotReader& reader,
                   const storage::SnapshotBatch& batch) override {
      recovery_.progress_.done_bytes = reader.at();
      recovery_.delay(batch.entries().size());
      // The batch belongs to the reader, which refills it after this call.
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
    void on_function(std::string_view library) override { functions_.add(library); }
    void on_skipped(const std::string& what) override { load_.on_skipped(what); }

   private:
    Recovery& recovery_;
    Load& load_;
    Replay& replay_;
    storage::FunctionLibraries& functions_;
    UnixMs now_;
  };
  log_.notice("importing a Redis log of {} files, from {} on", files.paths.size(), files.paths[0]);
  Load load(appliers_, scheduler_, disk_, log_, clock_.unix_ms());
  Replay replay(appliers_, scheduler_, router_, recovered.functions);
  Visitor visitor(*this, load, replay, recovered.functions);
  for (const std::string& each : files.paths) progress_.total_bytes += file_bytes(each);
  const storage::AofOptions options{.load_truncated = settings_.load_truncated.get()};
  auto summary = storage::import_aof(disk_, files, visitor, options);
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

// Only for a percentage: a file whose size is unknown counts as 0.
std::uint64_t Recovery::file_bytes(const std::string& path) {
  auto file = disk_.open(path, runtime::OpenMode::read);
  if (!file) return 0;
  auto size = (*file)->size();
  return size ? *size : 0;
}

// Includes the reserved space at its end, because the end is not known yet.
std::uint64_t Recovery::log_bytes() {
  auto names = disk_.list(path(kLogDirectory));
  if (!names) return 0;
  std::uint64_t sum = 0;
  for (const std::string& name : *names) {
    sum += file_bytes(path(kLogDirectory) + "/" + name);
  }
  return sum;
}

// The setting may change at any moment.
void Recovery::delay(std::uint64_t items) const {
  constexpr std::int64_t kNapUs = 10'000;
  const std::int64_t each = settings_.key_load_delay.get();
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
