// Snapshots: the checksum of all bytes is verified, and every value is built.
#include <fmt/format.h>

#include <array>
#include <map>

#include "base/numbers.h"
#include "check/check.h"
#include "storage/snapshot/snapshot_reader.h"

namespace slotcar::check {

namespace {

constexpr std::size_t kTypes = static_cast<std::size_t>(types::Type::bloom) + 1;

struct Counts : storage::SnapshotVisitor {
  explicit Counts(Report& r) : report(r) {}

  Report& report;
  std::array<std::uint64_t, kTypes> by_type = {};
  std::map<std::uint16_t, std::uint64_t> by_database;
  std::uint64_t keys = 0;
  std::uint64_t with_expiry = 0;
  std::uint64_t functions = 0;
  std::string facts;

  storage::FoundSnapshot found;

  void on_aux(std::string_view name, std::string_view value) override {
    const std::uint64_t number = base::parse_uint64(value).value_or(0);
    if (name == storage::snapshot::kNodeId) found.node_id = value;
    if (name == storage::snapshot::kEpoch) found.epoch = Epoch{number};
    if (name == storage::snapshot::kBegin) found.begin = Lsn{number};
    if (name == storage::snapshot::kSettled) found.settled = Lsn{number};
    facts += fmt::format("{}{} {}", facts.empty() ? "" : ", ", name, value);
  }
  void on_function(std::string_view) override { ++functions; }
  void on_skipped(const std::string& what) override { report.line(what); }

  void add(const storage::RawEntry& entry, const storage::RdbValue& value) {
    ++keys;
    ++by_type[static_cast<std::size_t>(value.type)];
    ++by_database[entry.db.value];
    const bool expires = entry.notes.expires_at != kNever;
    if (expires) ++with_expiry;
    if (!report.print()) return;
    report.line(fmt::format("{} {} {} {}{}", entry.db.value, quoted(entry.key),
                            types::type_name(value.type), size_text(value),
                            expires ? " expires " + time_text(entry.notes.expires_at) : ""));
  }

  static std::string size_text(const storage::RdbValue& value) {
    if (value.type == types::Type::string) return fmt::format("{} bytes", value.string.size());
    const types::CellView seen = value.cell.view();
    if (seen.tree != nullptr) return fmt::format("{} elements", seen.tree->size());
    return fmt::format("{} packed bytes", seen.packed.size());
  }

  void summarise(const std::string& path) {
    report.line(fmt::format("{}: {}", path, facts));
    std::string types;
    for (std::size_t i = 0; i < kTypes; ++i) {
      if (by_type[i] == 0) continue;
      types += fmt::format(", {} {}", by_type[i], types::type_name(static_cast<types::Type>(i)));
    }
    report.line(fmt::format("{}: {} keys, {} with an expiry{}", path, keys, with_expiry, types));
    for (const auto& [db, many] : by_database) {
      report.line(fmt::format("{}: database {}: {} keys", path, db, many));
    }
    tell_functions(path, functions, report);
  }
};

}  // namespace

std::optional<storage::FoundSnapshot> check_snapshot(runtime::Disk& disk, const std::string& path,
                                                     Report& report) {
  const auto bad = [&](std::string_view text) {
    report.bad(text);
    return std::optional<storage::FoundSnapshot>();
  };
  Counts counts(report);
  auto reader = storage::SnapshotReader::open(disk, path, counts, {.skip_modules = true});
  if (!reader) return bad(reader.error().message);
  report.line(fmt::format("{}: snapshot, version {} of Redis's format, {} bytes", path,
                          (*reader)->version(), (*reader)->size()));
  const types::Settings settings;
  storage::SnapshotBatch batch;
  for (;;) {
    auto more = (*reader)->next(batch);
    if (!more) return bad(more.error().message);
    if (!*more) break;
    for (const storage::RawEntry& entry : batch.entries()) {
      const auto value = storage::build_value(entry, {settings});
      if (!value) return bad((*reader)->damaged(entry).message);
      counts.add(entry, *value);
    }
  }
  counts.summarise(path);
  if ((*reader)->at() < (*reader)->size()) {
    report.line(fmt::format("{}: {} bytes behind the end are not read", path,
                            (*reader)->size() - (*reader)->at()));
  }
  counts.found.size = (*reader)->size();
  counts.found.crc = (*reader)->crc();
  return counts.found;
}

}  // namespace slotcar::check
