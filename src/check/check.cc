#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "storage/aof/aof_import.h"
#include "storage/directory_lock.h"
#include "storage/function_libraries.h"
#include "storage/log/log_format.h"
#include "storage/manifest.h"
#include "storage/snapshot/snapshot_format.h"

namespace slotcar::check {

namespace {

constexpr std::string_view kLogDirectory = "slotcar-log";  // as durability/recovery.h names it

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Uses the manifest beside it, if there is one.
void check_log_alone(runtime::Disk& disk, const std::string& directory, Report& report) {
  const auto manifest = storage::read_manifest(disk, parent_of(directory));
  if (!manifest || !*manifest || (*manifest)->log != name_of(directory)) {
    return check_log(disk, directory, {}, Lsn{0}, report);
  }
  const auto& snapshot = (*manifest)->snapshot;
  check_log(disk, directory,
            {.segments = (*manifest)->segments,
             .settled = snapshot ? snapshot->settled : Lsn{0},
             .last = (*manifest)->last},
            Lsn{snapshot ? snapshot->begin.value + 1 : 1}, report);
}

// Whether there is a log that a start would not consider empty.
bool holds_records(runtime::Disk& disk, const std::string& log) {
  if (!disk.list(log)) return false;
  const auto summary =
      storage::LogReader(disk, log).read(Lsn{1}, [](const auto&, auto) { return false; });
  return !summary || summary->first.value != 0;
}

void check_directory(runtime::Disk& disk, const std::string& directory,
                     const std::vector<std::string>& names, Report& report) {
  const auto in = [&](std::string_view name) { return directory + "/" + std::string(name); };
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (std::any_of(names.begin(), names.end(),
                  [](const std::string& name) { return storage::parse_segment_name(name); })) {
    return check_log_alone(disk, directory, report);
  }
  if (const std::string other = storage::other_server(disk, directory); !other.empty()) {
    report.line(fmt::format("{}: {}: its files change while they are read", directory, other));
  }
  if (has(storage::Manifest::kName))
    return check_manifest(disk, in(storage::Manifest::kName), report);
  if (has(kLogDirectory) && holds_records(disk, in(kLogDirectory))) {
    return report.bad(
        fmt::format("{} holds a log, but {} is missing: recovery would refuse to start",
                    in(kLogDirectory), in(storage::Manifest::kName)));
  }
  // Not a directory of this server. What would be imported?
  const bool is_aof = has("appendonly.aof.manifest");
  auto aof =
      is_aof ? storage::find_aof(disk, parent_of(directory), name_of(directory), "appendonly.aof")
             : storage::find_aof(disk, directory, "appendonlydir", "appendonly.aof");
  if (!aof) return report.bad(aof.error().message);
  if (!aof->paths.empty()) return check_aof(disk, *aof, report);
  bool any = false;
  for (const std::string& name : names) {
    if (!name.ends_with(".rdb") || storage::snapshot::is_temporary_name(name)) continue;
    any = true;
    check_snapshot(disk, in(name), report);
  }
  if (!any) report.bad(fmt::format("{}: there is nothing here to check", directory));
}

void check_file(runtime::Disk& disk, const std::string& path, Report& report) {
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return report.bad(file.error().message);
  char bytes[16];
  auto got = (*file)->read_at(0, bytes, sizeof bytes);
  if (!got) return report.bad(got.error().message);
  const std::string_view begin(bytes, *got);
  if (begin.starts_with(storage::SegmentHeader::kMagicOfAll) ||
      storage::parse_segment_name(name_of(path))) {
    return check_segment(disk, path, report);
  }
  if (begin.starts_with("slotcar manifest") || name_of(path) == storage::Manifest::kName) {
    return check_manifest(disk, path, report);
  }
  if (name_of(path).ends_with(".aof") || begin.starts_with('*') || begin.starts_with('#')) {
    return check_aof(disk, {.paths = {path}}, report);
  }
  check_snapshot(disk, path, report);
}

struct AofCounter : storage::AofVisitor {
  explicit AofCounter(Report& r) : report(r) {}
  Report& report;
  storage::FunctionLibraries functions;

  void on_function(std::string_view library) override { functions.add(library); }
  void on_skipped(const std::string& what) override { report.line(what); }
  Status on_keys(const storage::SnapshotReader& reader,
                 const storage::SnapshotBatch& batch) override {
    const types::Settings settings;
    for (const storage::RawEntry& entry : batch.entries()) {
      if (!storage::build_value(entry, {settings})) return reader.damaged(entry);
      if (report.print()) report.line(fmt::format("{} {}", entry.db.value, quoted(entry.key)));
    }
    return {};
  }
  Status on_commands(std::span<const storage::AofCommand> commands) override {
    for (const storage::AofCommand& command : commands) {
      if (!base::equals_ignoring_case(command.arguments[0], "function")) continue;
      if (Status done = functions.apply(command.arguments); !done) return done;
    }
    if (!report.print()) return {};
    std::string out;
    for (const storage::AofCommand& command : commands) {
      out += fmt::format("{}{}", out.empty() ? "" : "; ", command.db.value);
      for (const std::string_view argument : command.arguments) out += ' ' + quoted(argument);
    }
    report.line(out);
    return {};
  }
};

}  // namespace

void tell_functions(const std::string& path, std::size_t libraries, Report& report) {
  if (libraries == 0) return;
  report.line(fmt::format("{}: {} libraries of functions", path, libraries));
}

void check_path(runtime::Disk& disk, const std::string& path, Report& report) {
  const auto names = disk.list(path);
  if (names) return check_directory(disk, path, *names, report);
  check_file(disk, path, report);
}

namespace {

// The snapshot that a start would load; nothing: there is none, or it is bad.
std::optional<storage::Manifest::Snapshot> check_base(runtime::Disk& disk,
                                                      const std::string& directory,
                                                      const storage::Manifest& manifest,
                                                      Report& report) {
  const std::string name = manifest.snapshot ? manifest.snapshot->file : "dump.rdb";
  const std::string file = directory + "/" + name;
  if (!manifest.snapshot && !disk.open(file, runtime::OpenMode::read)) return std::nullopt;
  const auto found = check_snapshot(disk, file, report);
  if (!found || manifest.log.empty()) return manifest.snapshot;
  switch (storage::match_snapshot(manifest, *found)) {
    case storage::SnapshotMatch::known:
      return manifest.snapshot;
    case storage::SnapshotMatch::newer:
      report.line(fmt::format("{}: newer than the manifest says: recovery would use it", file));
      return storage::Manifest::Snapshot{.file = name,
                                         .size = found->size,
                                         .crc = found->crc,
                                         .epoch = found->epoch,
                                         .begin = *found->begin,
                                         .settled = *found->settled};
    case storage::SnapshotMatch::foreign:
      break;
  }
  if (manifest.snapshot && found->size != manifest.snapshot->size) {
    report.bad(fmt::format("{}: at byte {}: the file ends, but the manifest says {} bytes", file,
                           found->size, manifest.snapshot->size));
  } else {
    report.bad(fmt::format("{}: this is not the snapshot that the manifest knows", file));
  }
  return manifest.snapshot;
}

}  // namespace

void check_manifest(runtime::Disk& disk, const std::string& path, Report& report) {
  const std::string directory = parent_of(path);
  auto read = storage::read_manifest(disk, directory);
  if (!read) return report.bad(read.error().message);
  if (!*read)
    return report.bad(path + ": a manifest is called " + std::string(storage::Manifest::kName));
  const storage::Manifest& manifest = **read;
  report.line(fmt::format("{}: manifest of node {}, epoch {}", path, manifest.node_id,
                          manifest.epoch.value));
  if (!manifest.snapshot) {
    report.line(fmt::format("{}: no snapshot yet, the log has everything", path));
  } else {
    const auto& told = *manifest.snapshot;
    report.line(fmt::format("{}: snapshot {} of epoch {}, begin {}, settled {}", path, told.file,
                            told.epoch.value, told.begin.value, told.settled.value));
  }
  const auto base = check_base(disk, directory, manifest, report);
  if (manifest.log.empty()) return report.line(fmt::format("{}: there is no log", path));
  if (manifest.last) {
    report.line(fmt::format("{}: stopped in good order at LSN {}", path, manifest.last->value));
  }
  check_log(disk, directory + "/" + manifest.log,
            {.segments = manifest.segments,
             .settled = base ? base->settled : Lsn{0},
             .last = manifest.last},
            Lsn{base ? base->begin.value + 1 : 1}, report);
}

void check_aof(runtime::Disk& disk, const storage::AofFiles& files, Report& report) {
  const std::vector<std::string>& paths = files.paths;
  AofCounter counter(report);
  const auto summary = storage::import_aof(disk, files, counter, {});
  if (!summary) return report.bad(summary.error().message);
  report.line(fmt::format("{}: append-only file of Redis, {} file{}, {} keys and {} commands",
                          paths.front(), paths.size(), paths.size() == 1 ? "" : "s", summary->keys,
                          summary->commands));
  tell_functions(paths.front(), counter.functions.size(), report);
  if (!summary->cut.empty()) report.line("an import would go on without the end: " + summary->cut);
}

}  // namespace slotcar::check
