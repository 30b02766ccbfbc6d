#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "storage/aof_import.h"
#include "storage/log_format.h"
#include "storage/manifest.h"
#include "storage/snapshot_format.h"

namespace slotcar::check {

namespace {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

void check_directory(runtime::Disk& disk, const std::string& directory,
                     const std::vector<std::string>& names, Report& report) {
  const auto in = [&](std::string_view name) { return directory + "/" + std::string(name); };
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (std::any_of(names.begin(), names.end(),
                  [](const std::string& name) { return storage::parse_segment_name(name); })) {
    return check_log(disk, directory, report);
  }
  if (has(storage::Manifest::kName))
    return check_manifest(disk, in(storage::Manifest::kName), report);
  // No server of ours wrote here. What would be imported?
  const bool is_aof = has("appendonly.aof.manifest");
  auto aof =
      is_aof ? storage::find_aof(disk, parent_of(directory), name_of(directory), "appendonly.aof")
             : storage::find_aof(disk, directory, "appendonlydir", "appendonly.aof");
  if (!aof) return report.bad(aof.error().message);
  if (!aof->paths.empty()) return check_aof(disk, aof->paths, report);
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
  if (begin.starts_with(storage::SegmentHeader::kMagic) ||
      storage::parse_segment_name(name_of(path))) {
    return check_segment(disk, path, report);
  }
  if (begin.starts_with("slotcar manifest") || name_of(path) == storage::Manifest::kName) {
    return check_manifest(disk, path, report);
  }
  if (name_of(path).ends_with(".aof") || begin.starts_with('*') || begin.starts_with('#')) {
    return check_aof(disk, {path}, report);
  }
  check_snapshot(disk, path, report);
}

struct AofCounter : storage::AofVisitor {
  explicit AofCounter(Report& r) : report(r) {}
  Report& report;

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

void check_path(runtime::Disk& disk, const std::string& path, Report& report) {
  const auto names = disk.list(path);
  if (names) return check_directory(disk, path, *names, report);
  check_file(disk, path, report);
}

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
    const std::string file = directory + "/" + told.file;
    report.line(fmt::format("{}: snapshot {} of epoch {}, begin {}, settled {}", path, told.file,
                            told.epoch.value, told.begin.value, told.settled.value));
    check_snapshot(disk, file, report);
    auto opened = disk.open(file, runtime::OpenMode::read);
    if (opened) {
      auto size = (*opened)->size();
      if (size && *size != told.size) {
        report.bad(fmt::format("{}: at byte {}: the file ends, but the manifest says {} bytes",
                               file, *size, told.size));
      }
    }
  }
  if (manifest.log.empty()) return report.line(fmt::format("{}: there is no log", path));
  check_log(disk, directory + "/" + manifest.log, report);
}

void check_aof(runtime::Disk& disk, const std::vector<std::string>& paths, Report& report) {
  AofCounter counter(report);
  const auto summary = storage::import_aof(disk, {paths}, counter, {});
  if (!summary) return report.bad(summary.error().message);
  report.line(fmt::format("{}: append-only file of Redis, {} file{}, {} keys and {} commands",
                          paths.front(), paths.size(), paths.size() == 1 ? "" : "s", summary->keys,
                          summary->commands));
  if (!summary->cut.empty()) report.line("an import would go on without the end: " + summary->cut);
}

}  // namespace slotcar::check
