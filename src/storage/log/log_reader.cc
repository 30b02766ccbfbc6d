#include "storage/log/log_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/crc32c.h"

namespace slotcar::storage {

namespace {

constexpr Lsn kEndOfTime{UINT64_MAX};
constexpr std::size_t kScanBytes = 1024 * 1024;
constexpr std::size_t kWindowBytes = 1024 * 1024;

bool all_zeros(std::string_view bytes) {
  if (bytes.empty()) return true;
  // The first is zero, and each equals the one before it.
  return bytes[0] == '\0' && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

// The reason why a header is invalid.
std::string header_error(std::string_view bytes) {
  const bool is_later = bytes.starts_with(SegmentHeader::kMagicOfAll) &&
                        !bytes.starts_with(SegmentHeader::kMagic) &&
                        !bytes.starts_with(SegmentHeader::kMagicV1);
  return is_later ? "the header of the segment is damaged, or a later server wrote it"
                  : "the header of the segment is damaged";
}

}  // namespace

std::string LogReader::path(std::uint32_t number) const {
  return directory_ + "/" + segment_name(number);
}

// The LSN after the last record that must exist.
Lsn LogReader::least_end() const {
  return Lsn{std::max(expected_.settled, expected_.last.value_or(Lsn{0})).value + 1};
}

Result<std::vector<std::uint32_t>> LogReader::numbers_there() const {
  std::vector<std::uint32_t> numbers;
  auto names = disk_.list(directory_);
  if (!names) {
    // With a list, missing files are reported by name.
    if (expected_.segments) return numbers;
    return names.error();
  }
  for (const std::string& name : *names) {
    if (const auto number = parse_segment_name(name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<LogReader::Open> LogReader::open_file(std::uint32_t number) const {
  Open segment;
  segment.path = path(number);
  segment.number = number;
  auto file = disk_.open(segment.path, runtime::OpenMode::read);
  if (!file) return file.error();
  auto size = (*file)->size();
  if (!size) return size.error();
  segment.file = std::move(*file);
  segment.size = *size;
  return segment;
}

// --- without a list ----------------------------------------------------------------------------

Result<std::vector<SegmentEntry>> LogReader::find_segments(
    const std::vector<std::uint32_t>& numbers) {
  std::vector<SegmentEntry> found;
  for (const std::uint32_t number : numbers) {
    auto entry = look_into(number);
    if (!entry) return entry.error();
    if (!*entry) continue;
    while (!found.empty() && found.back().first >= (*entry)->first) found.pop_back();
    found.push_back(**entry);
  }
  return found;
}

// Nothing: it was prepared and never begun, or begun and never made durable.
Result<std::optional<SegmentEntry>> LogReader::look_into(std::uint32_t number) {
  auto opened = open_file(number);
  if (!opened) return opened.error();
  Open& segment = *opened;
  if (segment.size < SegmentHeader::kBytes) return std::optional<SegmentEntry>();
  char bytes[SegmentHeader::kBytes + RecordHeader::kBytes] = {};
  auto got = segment.file->read_at(0, bytes, sizeof bytes);
  if (!got) return got.error();
  const std::string_view begin(bytes, SegmentHeader::kBytes);
  const auto header = SegmentHeader::read(begin);
  if (!header) {
    if (all_zeros(begin)) return std::optional<SegmentEntry>();
    return Error{fmt::format("{}: at byte 0: {}", segment.path, header_error(begin))};
  }
  SegmentEntry entry{
      .number = number, .first = header->first, .salt = header->format.salt, .bytes = segment.size};
  if (header->format.version == 1) return std::optional(entry);
  entry.bytes = header->bytes;
  segment.format = header->format;
  const std::string_view behind(bytes + SegmentHeader::kBytes, *got - SegmentHeader::kBytes);
  if (const auto record = RecordHeader::read(behind, segment.format)) {
    entry.first = record->lsn;
    return std::optional(entry);
  }
  auto promised = was_promised(segment, SegmentHeader::kBytes, Lsn{0});
  if (!promised) return promised.error();
  if (!*promised) return std::optional<SegmentEntry>();
  return Error{fmt::format("{}: at byte {}: the first record of the segment is damaged",
                           segment.path, SegmentHeader::kBytes)};
}

// --- all of it ---------------------------------------------------------------------------------

Result<LogReader::Summary> LogReader::read(Lsn from, const Visit& visit) {
  Summary summary;
  damaged_ = from;
  window_.clear();
  auto numbers = numbers_there();
  if (!numbers) return numbers.error();
  auto segments = expected_.segments ? *expected_.segments : find_segments(*numbers);
  if (!segments) return segments.error();
  for (const std::uint32_t number : *numbers) {
    summary.next_number = std::max(summary.next_number, number + 1);
  }
  for (const SegmentEntry& entry : *segments) {
    summary.next_number = std::max(summary.next_number, entry.number + 1);
    summary.segments.push_back({entry, 0});
  }
  if (Status done = read_all(from, visit, summary); !done) return done.error();
  return summary;
}

Status LogReader::read_all(Lsn from, const Visit& visit, Summary& summary) {
  const Lsn stop_at = expected_.last ? Lsn{expected_.last->value + 1} : kEndOfTime;
  Lsn next = from;
  if (expected_.settled > Lsn{0}) summary.durable = expected_.settled;
  if (expected_.last) summary.durable = std::max(summary.durable, *expected_.last);
  for (std::size_t i = 0; i < summary.segments.size(); ++i) {
    FoundSegment& listed = summary.segments[i];
    const bool is_last = i + 1 == summary.segments.size();
    const Lsn end = std::min(stop_at, is_last ? kEndOfTime : summary.segments[i + 1].entry.first);
    if (end <= from || listed.entry.first >= end) continue;
    if (listed.entry.first > expected_.until && next > expected_.until) {
      summary.has_more = true;
      return {};
    }
    damaged_ = std::max(next, listed.entry.first);
    if (expected_.segments && listed.entry.first > next) {
      damaged_ = next;
      return Error{fmt::format("{}: the log has no records before LSN {}, and {} comes next",
                               path(listed.entry.number), listed.entry.first.value, next.value)};
    }
    auto opened = open_listed(listed.entry);
    if (!opened) return opened.error();
    summary.durable = std::max(summary.durable, Lsn{listed.entry.first.value - 1});
    auto stop = read_segment(*opened, from, end, visit, summary);
    if (!stop) return stop.error();
    if (stop->enough) return {};
    next = stop->next;
    damaged_ = next;
    if (next < end && next > expected_.until) {
      // Everything wanted was found, and what follows is damaged.
      summary.has_more = true;
      return {};
    }
    if (next < end) {
      auto why = why_more(*opened, *stop, end, summary);
      if (!why) return why.error();
      if (!why->empty()) {
        return Error{fmt::format(
            "{}: at byte {}: the record with LSN {} is damaged, and it was once safe: {}",
            opened->path, stop->at, next.value, *why)};
      }
    }
    if (next == end || !stop->torn) listed.end = stop->at;
  }
  damaged_ = next;
  if (next < least_end()) {
    return Error{fmt::format("{}: records with LSN {} to {} are missing: no segment has them",
                             directory_, next.value, least_end().value - 1)};
  }
  return {};
}

Result<std::string> LogReader::why_more(Open& segment, const Stop& stop, Lsn end,
                                        Summary& summary) {
  if (expected_.last && stop.next <= *expected_.last) {
    return fmt::format("the server was stopped in good order at LSN {}", expected_.last->value);
  }
  if (end != kEndOfTime) return fmt::format("the next segment begins with LSN {}", end.value);
  if (stop.next <= expected_.settled) {
    return fmt::format("the snapshot rests on all up to LSN {}", expected_.settled.value);
  }
  auto promised = was_promised(segment, stop.at, stop.next);
  if (!promised) return promised.error();
  if (*promised) return std::string("a record behind it says so");
  if (stop.torn) {
    summary.tail_cut = fmt::format("{}: at byte {}: the record with LSN {} is incomplete",
                                   segment.path, stop.at, stop.next.value);
  }
  return std::string();
}

Result<LogReader::Open> LogReader::open_listed(const SegmentEntry& entry) const {
  auto opened = open_file(entry.number);
  if (!opened) {
    return Error{fmt::format("{}: it is needed and cannot be read: {}", path(entry.number),
                             opened.error().message)};
  }
  if (opened->size < entry.bytes) {
    return Error{fmt::format("{}: at byte {}: the file ends, and it was made with {} bytes",
                             opened->path, opened->size, entry.bytes)};
  }
  char bytes[SegmentHeader::kBytes] = {};
  auto got = opened->file->read_at(0, bytes, sizeof bytes);
  if (!got) return got.error();
  const std::string_view seen(bytes, *got);
  const auto header = SegmentHeader::read(seen);
  if (!header) {
    return Error{fmt::format("{}: at byte 0: {}", opened->path, header_error(seen))};
  }
  const bool is_old = header->format.version == 1;
  if (header->format.salt != entry.salt || header->number != entry.number ||
      (is_old && header->first != entry.first)) {
    return Error{fmt::format("{}: at byte 0: this is another segment than the one that was listed",
                             opened->path)};
  }
  opened->format = header->format;
  opened->first = entry.first;
  return opened;
}

// The bytes of a segment from `at` on, `size` of them; fewer at its end. Good until the next call.
// Read ahead: records are short, and a system call for each would cost more than all the rest.
Result<std::string_view> LogReader::bytes_at(Open& segment, std::uint64_t at, std::size_t size) {
  const bool there = window_of_ == segment.number && !window_.empty() && at >= window_at_ &&
                     at + size <= window_at_ + window_.size();
  if (!there) {
    const std::uint64_t left = segment.size > at ? segment.size - at : 0;
    const std::uint64_t most = std::max<std::uint64_t>(size, kWindowBytes);
    window_.resize(static_cast<std::size_t>(std::min(left, most)));
    auto got = segment.file->read_at(at, window_.data(), window_.size());
    if (!got) return got.error();
    window_.resize(*got);
    window_of_ = segment.number;
    window_at_ = at;
  }
  return std::string_view(window_).substr(static_cast<std::size_t>(at - window_at_), size);
}

Result<LogReader::Stop> LogReader::read_segment(Open& segment, Lsn from, Lsn end,
                                                const Visit& visit, Summary& summary) {
  const std::size_t header_bytes = segment.format.record_header_bytes();
  Stop stop{.at = SegmentHeader::kBytes, .next = segment.first};
  while (stop.next < end) {
    auto bytes = bytes_at(segment, stop.at, header_bytes);
    if (!bytes) return bytes.error();
    const auto header = RecordHeader::read(*bytes, segment.format);
    stop.torn = header || !all_zeros(*bytes);
    if (!header || header->lsn != stop.next ||
        header->payload_size > segment.size - stop.at - header_bytes) {
      return stop;
    }
    if (header->payload_version != RecordHeader::kPayloadVersion) {
      damaged_ = header->lsn;
      return Error{
          fmt::format("{}: at byte {}: the record with LSN {} is of version {}: a later "
                      "server wrote it",
                      segment.path, stop.at, header->lsn.value, header->payload_version)};
    }
    auto payload = bytes_at(segment, stop.at + header_bytes, header->payload_size);
    if (!payload) return payload.error();
    if (payload->size() != header->payload_size || base::crc32c(*payload) != header->payload_crc) {
      return stop;
    }
    stop.at += header->whole_size();
    stop.next = Lsn{header->lsn.value + 1};
    stop.torn = false;
    if (summary.first.value == 0) summary.first = header->lsn;
    summary.last = header->lsn;
    summary.durable = std::max(summary.durable, header->durable);
    ++summary.records;
    if (header->lsn >= from && !visit(*header, *payload)) {
      stop.enough = true;
      return stop;
    }
  }
  return stop;
}

Result<bool> LogReader::was_promised(Open& segment, std::uint64_t at, Lsn lsn) {
  const std::size_t header_bytes = segment.format.record_header_bytes();
  std::string bytes;
  for (; at < segment.size; at += kScanBytes) {
    const auto size = std::min<std::uint64_t>(kScanBytes, segment.size - at);
    bytes.resize(static_cast<std::size_t>(size) + header_bytes);
    auto got = segment.file->read_at(at, bytes.data(), bytes.size());
    if (!got) return got.error();
    const std::string_view seen(bytes.data(), *got);
    // Nothing but zeros lies behind most logs: prepared, and never written.
    if (all_zeros(seen)) continue;
    for (std::size_t i = 0; i + header_bytes <= seen.size() && i < kScanBytes; i += 8) {
      const auto header = RecordHeader::read(seen.substr(i), segment.format);
      if (header && header->durable >= lsn && header->lsn > lsn) return true;
    }
    if (*got < bytes.size()) break;
  }
  return false;
}

}  // namespace slotcar::storage
