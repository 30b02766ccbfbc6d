#include "durability/surviving_records.h"

#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "storage/log/log_buffer.h"

namespace slotcar::durability {

using storage::LogBuffer;
using storage::LogWriter;

namespace {

// Each thread that runs calls may have been killed between reserving an LSN and using it.
Result<LogWriter::Tail> without_gaps(std::vector<storage::SurvivingRecord> records, Lsn last,
                                     const std::string& path) {
  LogWriter::Tail tail;
  std::size_t gaps = 0;
  for (storage::SurvivingRecord& record : records) {
    for (++last.value; last < record.lsn; ++last.value) {
      if (++gaps > limits::kLogGapsMax) {
        return Error{fmt::format("{}: too many records are missing before record {}", path,
                                 record.lsn.value)};
      }
      storage::RecordAbout gap = record.about;
      gap.flags = storage::RecordAbout::kGapFlag;
      tail.push_back({gap, "-"});
    }
    tail.push_back({record.about, std::move(record.payload)});
  }
  return tail;
}

// After a restart of the machine, or a stop in good order, there is none, and that is right.
void warn_if_missed(runtime::SharedMemory& memory, const storage::Manifest& manifest,
                    const std::string& path, runtime::Logger& log) {
  const bool same_boot = !manifest.boot_id.empty() && manifest.boot_id == memory.boot_id();
  if (!same_boot || manifest.last) return;
  log.warning(
      "{} is gone, though the machine was not restarted since the server before was killed (or "
      "this directory is an old copy): what that server had acknowledged and not yet written to "
      "the log is lost. Something removes files there, or each start has its own; see "
      "docs/formats/log-buffer.md",
      path);
}

}  // namespace

Result<LogWriter::Tail> surviving_records(runtime::SharedMemory& memory,
                                          const storage::Manifest& manifest, Lsn last,
                                          const std::string& log_directory, runtime::Logger& log) {
  const std::uint64_t life = manifest.life;
  const std::string name = LogBuffer::file_name(life);
  const std::string path = memory.path(name);
  if (memory.in_use(name)) {
    log.warning("{} belongs to a server that runs: this directory is a copy of its", path);
    return LogWriter::Tail{};
  }
  auto bytes = memory.read(name);
  if (!bytes) return bytes.error();
  if (!*bytes) {
    warn_if_missed(memory, manifest, path, log);
    return LogWriter::Tail{};
  }
  const auto refused = [&](const std::string& why) {
    return Error{
        fmt::format("{}. It has what the server wrote last before it was killed; to start "
                    "without, remove it",
                    why)};
  };
  auto contents = storage::read_log_buffer(**bytes, last);
  if (!contents) return refused(fmt::format("{}: {}", path, contents.error().message));
  if (contents->life != life) return refused(path + ": it belongs to another server");
  if (contents->boot_id != memory.boot_id()) {
    log.warning("{} is of a time before this machine was started, and is ignored", path);
    return LogWriter::Tail{};
  }
  if (contents->durable > last) {
    return refused(
        fmt::format("{} ends with record {}, but {} says that all records up to {} were on the "
                    "disk: segments are missing, or the directory is an older copy",
                    log_directory, last.value, path, contents->durable.value));
  }
  if (const std::size_t count = contents->records.size(); count > 0) {
    log.notice("the process before was killed: {} records of it were in its log buffer", count);
  }
  if (contents->outside.value != 0) {
    log.notice(
        "record {} was on its way to the disk and is not in the buffer: it and later ones end "
        "here. "
        "None was acknowledged, unless syncs had failed before",
        contents->outside.value);
  }
  auto tail = without_gaps(std::move(contents->records), last, path);
  if (!tail) return refused(tail.error().message);
  return tail;
}

}  // namespace slotcar::durability
