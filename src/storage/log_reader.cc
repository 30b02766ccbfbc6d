#include "storage/log_reader.h"

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

}  // namespace

Result<std::vector<LogReader::Open>> LogReader::open_segments(Summary& summary) {
  auto names = disk_.list(directory_);
  if (!names) return names.error();
  std::vector<Open> segments;
  for (const std::string& name : *names) {
    const auto number = parse_segment_name(name);
    if (!number) continue;
    summary.next_number = std::max(summary.next_number, *number + 1);
    std::string path = directory_ + "/" + name;
    auto file = disk_.open(path, runtime::OpenMode::read);
    if (!file) return file.error();
    auto size = (*file)->size();
    if (!size) return size.error();
    segments.push_back({std::move(*file), std::move(path), *size, *number, Lsn{}});
  }
  std::sort(segments.begin(), segments.end(),
            [](const Open& a, const Open& b) { return a.number < b.number; });
  return segments;
}

Result<LogReader::Summary> LogReader::read(Lsn from, const Visit& visit) {
  Summary summary;
  auto opened = open_segments(summary);
  if (!opened) return opened.error();
  std::vector<Open> begun;
  for (Open& segment : *opened) {
    char bytes[SegmentHeader::kBytes] = {};
    auto got = segment.file->read_at(0, bytes, sizeof bytes);
    if (!got) return got.error();
    if (const auto header = SegmentHeader::read({bytes, *got})) {
      segment.first = header->first;
      begun.push_back(std::move(segment));
      continue;
    }
    // Prepared and never begun, or begun and never promised. What was promised in it says so.
    auto promised = was_promised(segment, SegmentHeader::kBytes, Lsn{1});
    if (!promised) return promised.error();
    if (*promised && !begun.empty() && !all_zeros({bytes, *got})) {
      return Error{
          fmt::format("{}: at byte 0: the header of the segment is damaged", segment.path)};
    }
  }
  for (const Open& segment : begun) summary.segments.push_back({segment.number, segment.first});

  Lsn expected;
  for (std::size_t i = 0; i < begun.size(); ++i) {
    Open& segment = begun[i];
    Lsn end = kEndOfTime;
    for (std::size_t later = i + 1; later < begun.size(); ++later) {
      end = std::min(end, begun[later].first);
    }
    if (segment.first >= end) continue;
    // All of it lies before what is wanted. It may be there or not, whole or not: a snapshot has
    // made it superfluous, and a crash has perhaps undone its removal but not that of others.
    if (end <= from) continue;
    if (expected.value != 0 && segment.first != expected) {
      return Error{fmt::format("{}: at byte 8: it begins with LSN {}, but {} comes next",
                               segment.path, segment.first.value, expected.value)};
    }
    auto stop = read_segment(segment, from, end, visit, summary);
    if (!stop) return stop.error();
    expected = stop->next;
    if (stop->enough) break;
    if (stop->next == end) continue;
    const bool is_last = end == kEndOfTime;
    auto promised = is_last ? was_promised(segment, stop->at, stop->next) : Result<bool>(true);
    if (!promised) return promised.error();
    if (*promised) {
      return Error{
          fmt::format("{}: at byte {}: the record with LSN {} is damaged, and it was once safe",
                      segment.path, stop->at, stop->next.value)};
    }
  }
  return summary;
}

// The bytes of a segment from `at` on, `size` of them; fewer at its end. Good until the next call.
// Read ahead: records are short, and a system call for each would cost more than all the rest.
Result<std::string_view> LogReader::bytes_at(Open& segment, std::uint64_t at, std::size_t size) {
  const bool there =
      window_of_ == segment.number && at >= window_at_ && at + size <= window_at_ + window_.size();
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
  Stop stop{SegmentHeader::kBytes, segment.first, false};
  while (stop.next < end) {
    auto bytes = bytes_at(segment, stop.at, RecordHeader::kBytes);
    if (!bytes) return bytes.error();
    const auto header = RecordHeader::read(*bytes);
    const bool torn_header = !header && !all_zeros(*bytes);
    bool good = header && header->lsn == stop.next &&
                header->payload_size <= segment.size - stop.at - RecordHeader::kBytes;
    std::string_view payload;
    if (good) {
      auto read = bytes_at(segment, stop.at + RecordHeader::kBytes, header->payload_size);
      if (!read) return read.error();
      payload = *read;
      good = payload.size() == header->payload_size && base::crc32c(payload) == header->payload_crc;
    }
    if (!good) {
      if (header || torn_header) {
        summary.tail_cut = fmt::format("{}: at byte {}: the record with LSN {} is incomplete",
                                       segment.path, stop.at, stop.next.value);
      }
      return stop;
    }
    summary.tail_cut.clear();
    if (summary.first.value == 0) summary.first = header->lsn;
    summary.last = header->lsn;
    ++summary.records;
    stop.at += header->whole_size();
    stop.next = Lsn{header->lsn.value + 1};
    if (header->lsn >= from && !visit(*header, payload)) {
      stop.enough = true;
      return stop;
    }
  }
  return stop;
}

Result<bool> LogReader::was_promised(Open& segment, std::uint64_t at, Lsn lsn) {
  std::string bytes;
  for (; at < segment.size; at += kScanBytes) {
    const auto size = std::min<std::uint64_t>(kScanBytes, segment.size - at);
    bytes.resize(static_cast<std::size_t>(size) + RecordHeader::kBytes);
    auto got = segment.file->read_at(at, bytes.data(), bytes.size());
    if (!got) return got.error();
    const std::string_view seen(bytes.data(), *got);
    // Nothing but zeros lies behind most logs: prepared, and never written.
    if (all_zeros(seen)) continue;
    for (std::size_t i = 0; i + RecordHeader::kBytes <= seen.size() && i < kScanBytes; i += 8) {
      const auto header = RecordHeader::read(seen.substr(i));
      if (header && header->durable >= lsn && header->lsn > lsn) return true;
    }
    if (*got < bytes.size()) break;
  }
  return false;
}

}  // namespace slotcar::storage
