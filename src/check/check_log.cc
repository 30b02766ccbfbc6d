// Logs: checks them as recovery would.
#include <fmt/format.h>

#include <algorithm>

#include "base/crc32c.h"
#include "check/check.h"
#include "storage/log/log_reader.h"

namespace slotcar::check {

namespace {

using storage::RecordHeader;
using storage::SegmentHeader;

// What the records seen so far have in common.
class Span {
 public:
  void add(const RecordHeader& header, std::string_view payload, Report& report) {
    if (records_++ == 0) {
      first_ = header.lsn;
      epoch_min_ = epoch_max_ = header.about.epoch;
      time_min_ = time_max_ = header.about.time;
    }
    last_ = header.lsn;
    epoch_min_ = std::min(epoch_min_, header.about.epoch);
    epoch_max_ = std::max(epoch_max_, header.about.epoch);
    time_min_ = std::min(time_min_, header.about.time);
    time_max_ = std::max(time_max_, header.about.time);
    bytes_ += payload.size();
    if (!report.print()) return;
    const bool several = header.about.slot == storage::RecordAbout::kSeveralSlots;
    report.line(fmt::format(
        "{} epoch {} {} slot {}: {}", header.lsn.value, header.about.epoch.value,
        time_text(header.about.time), several ? "several" : std::to_string(header.about.slot),
        header.about.is_gap() ? "(nothing: a number that was not used)" : commands_text(payload)));
  }
  std::string text() const {
    if (records_ == 0) return "no records";
    return fmt::format("{} records, {} bytes of commands, LSN {} to {}, epochs {} to {}, {} to {}",
                       records_, bytes_, first_.value, last_.value, epoch_min_.value,
                       epoch_max_.value, time_text(time_min_), time_text(time_max_));
  }

 private:
  std::uint64_t records_ = 0;
  std::uint64_t bytes_ = 0;
  Lsn first_;
  Lsn last_;
  Epoch epoch_min_;
  Epoch epoch_max_;
  UnixMs time_min_ = 0;
  UnixMs time_max_ = 0;
};

bool all_zeros(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// One record at `at`. False: there is none, and if that is an error it was reported.
// `next`: 0 before the first.
bool check_record(runtime::File& file, const std::string& path,
                  const storage::SegmentFormat& format, std::uint64_t& at, Lsn& next, Span& span,
                  Report& report) {
  char bytes[RecordHeader::kBytes];
  const auto got = file.read_at(at, bytes, sizeof bytes);
  if (!got) {
    report.bad(got.error().message);
    return false;
  }
  const std::string_view seen(bytes, *got);
  if (all_zeros(seen)) return false;
  const auto header = RecordHeader::read(seen, format);
  const auto bad = [&](std::string_view why) {
    report.bad(fmt::format("{}: at byte {}: {}", path, at, why));
    return false;
  };
  if (!header) return bad("no record begins here");
  if (next.value != 0 && header->lsn != next)
    return bad(fmt::format("LSN {} where {} comes next", header->lsn.value, next.value));
  std::string payload;
  const auto size = file.size();
  if (!size || header->payload_size > *size) return bad("the record is longer than the file");
  payload.resize(header->payload_size);
  const auto read = file.read_at(at + header->header_bytes, payload.data(), payload.size());
  if (!read || *read < payload.size()) return bad("the file ends within this record");
  if (base::crc32c(payload) != header->payload_crc) return bad("the record's checksum is wrong");
  span.add(*header, payload, report);
  at += header->whole_size();
  next = Lsn{header->lsn.value + 1};
  return true;
}

// Only zeros may follow the last record.
void check_rest(runtime::File& file, const std::string& path, std::uint64_t at, Report& report) {
  std::string bytes(1024 * 1024, '\0');
  for (;;) {
    const auto got = file.read_at(at, bytes.data(), bytes.size());
    if (!got) return report.bad(got.error().message);
    const std::string_view seen(bytes.data(), *got);
    if (const auto found = seen.find_first_not_of('\0'); found != std::string_view::npos) {
      return report.bad(
          fmt::format("{}: at byte {}: something stands behind the last record", path, at + found));
    }
    if (*got < bytes.size()) return;
    at += *got;
  }
}

}  // namespace

void check_segment(runtime::Disk& disk, const std::string& path, Report& report) {
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return report.bad(file.error().message);
  char bytes[SegmentHeader::kBytes];
  const auto got = (*file)->read_at(0, bytes, sizeof bytes);
  if (!got) return report.bad(got.error().message);
  if (all_zeros({bytes, *got})) {
    report.line(fmt::format("{}: segment of a log, prepared and not begun", path));
    return check_rest(**file, path, 0, report);
  }
  const auto header = SegmentHeader::read({bytes, *got});
  if (!header)
    return report.bad(fmt::format("{}: at byte 0: the segment's header is damaged", path));
  Span span;
  std::uint64_t at = SegmentHeader::kBytes;
  Lsn next = header->first;
  while (check_record(**file, path, header->format, at, next, span, report)) {
  }
  const char* const what = header->format.version == 1 ? "begun" : "prepared";
  report.line(fmt::format("{}: segment {} of a log, {} {}: {}", path, header->number, what,
                          time_text(header->created), span.text()));
  if (report.is_good()) check_rest(**file, path, at, report);
}

void check_log(runtime::Disk& disk, const std::string& directory,
               const storage::LogReader::Expected& expected, Lsn from, Report& report) {
  Span span;
  const auto add = [&](const RecordHeader& header, std::string_view payload) {
    span.add(header, payload, report);
    return true;
  };
  // Everything in the log, and then what a start needs.
  Lsn first = from;
  if (expected.segments && !expected.segments->empty()) {
    first = std::min(from, expected.segments->front().first);
  }
  storage::LogReader reader(disk, directory, expected);
  auto summary = reader.read(expected.segments ? first : Lsn{1}, add);
  if (!summary && first < from) {
    const std::string superfluous = summary.error().message;
    summary = reader.read(from, [](const auto&, auto) { return true; });
    if (summary) {
      report.line(fmt::format("{}: {}. The snapshot has it, and a start does not look there",
                              directory, superfluous));
    }
  }
  const bool misses_begin =
      from.value != 0 && summary && summary->last.value != 0 && summary->first > from;
  if (!summary || misses_begin) {
    report.line(fmt::format("{}: log: {}", directory, span.text()));
    report.bad(summary
                   ? fmt::format("{}: it begins with record {}, and what lies before is missing",
                                 directory, summary->first.value)
                   : summary.error().message);
    return report.line(fmt::format("{}: recovery would refuse to start", directory));
  }
  report.line(
      fmt::format("{}: log of {} segments: {}", directory, summary->segments.size(), span.text()));
  for (const auto& [entry, end] : summary->segments) {
    report.line(fmt::format("{}: segment {} begins with LSN {}", directory,
                            storage::segment_name(entry.number), entry.first.value));
  }
  if (!summary->tail_cut.empty()) {
    report.line(fmt::format("{}: recovery would cut the tail: {}", directory, summary->tail_cut));
  }
}

}  // namespace slotcar::check
