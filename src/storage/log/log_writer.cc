#include "storage/log/log_writer.h"

#include <algorithm>

#include "base/assert.h"
#include "base/crc32c.h"

namespace slotcar::storage {

namespace {

// How far ahead of the records zeros are written, where they are.
constexpr std::size_t kZerosAhead = 512 * 1024;
constexpr char kZeros[kZerosAhead] = {};
// How much of a long value is read and written at a time.
constexpr std::size_t kPieceBytes = 256 * 1024;
// How much the kernel is asked to drop from its cache at a time.
constexpr std::uint64_t kForgottenAtOnce = 1024 * 1024;

}  // namespace

std::string LogWriter::path(std::uint32_t number) const {
  return options_.directory + "/" + segment_name(number);
}

void LogWriter::know_older(const FoundSegment& segment) {
  older_.push_back(segment);
  listed_.push_back(segment.entry);
}

Status LogWriter::open(Lsn durable, std::uint32_t number, const Tail& tail) {
  last_ = durable_ = durable;
  number_ = number;
  if (Status removed = remove_unlisted(); !removed) return removed;
  LogAppender appender;
  for (const OldRecord& old : tail) {
    kept_.push_back(appender.write(blocks_, old.about, old.payload));
    kept_bytes_ += kept_.back().size();
    ++last_.value;
  }
  if (Status done = rewrite_kept(); !done) return done;
  release_ends();
  if (next_) return {};
  auto second = make_segment();
  if (!second) return second.error();
  next_ = std::move(*second);
  return {};
}

// Files that were prepared and never begun, and files that a crash has brought back.
Status LogWriter::remove_unlisted() {
  if (!options_.list) return {};
  auto names = disk_.list(options_.directory);
  if (!names) return names.error();
  bool removed = false;
  for (const std::string& name : *names) {
    const auto number = parse_segment_name(name);
    if (!number || is_listed(*number)) continue;
    if (Status done = disk_.remove(path(*number)); !done) return done;
    removed = true;
  }
  return removed ? disk_.sync_directory(options_.directory) : Status{};
}

// Space that earlier lives had reserved and did not use.
void LogWriter::release_ends() {
  for (const FoundSegment& segment : older_) {
    if (segment.end == 0) continue;
    auto file = disk_.open(path(segment.entry.number), runtime::OpenMode::read_write);
    if (file) (*file)->release_from(segment.end);
  }
  older_.clear();
}

// --- files and their list ----------------------------------------------------------------------

// A file that reads as zeros behind its header, under a durable name.
Result<std::unique_ptr<LogWriter::Segment>> LogWriter::make_segment() {
  auto segment = std::make_unique<Segment>();
  segment->number = number_;
  auto file = disk_.open(path(number_), runtime::OpenMode::create);
  if (!file) return file.error();
  ++number_;
  segment->file = std::move(*file);
  if (Status done = prepare(*segment); !done) {
    drop(std::move(segment));
    return done.error();
  }
  return segment;
}

Status LogWriter::prepare(Segment& segment) {
  // One salt for all segments of this life and for the log buffer: records carry it from the start.
  segment.salt = blocks_.salt();
  SegmentHeader header;
  header.format.salt = segment.salt;
  header.number = segment.number;
  header.created = clock_.unix_ms();
  header.life = options_.life;
  header.bytes = options_.segment_bytes;
  char bytes[SegmentHeader::kBytes];
  header.write(bytes);
  if (Status done = segment.file->preallocate(options_.segment_bytes); !done) return done;
  if (Status done = segment.file->write_at(0, {bytes, sizeof bytes}); !done) return done;
  if (Status done = segment.file->sync_data(); !done) return done;
  segment.size = sizeof bytes;
  return disk_.sync_directory(options_.directory);
}

SegmentEntry LogWriter::entry_of(const Segment& segment) const {
  return {segment.number, segment.first, segment.salt, options_.segment_bytes};
}

bool LogWriter::is_listed(std::uint32_t number) const {
  return std::ranges::any_of(listed_, [&](const auto& entry) { return entry.number == number; });
}

Status LogWriter::write_list(std::vector<SegmentEntry> segments) {
  if (options_.list) {
    Status done = options_.list(segments);
    list_uncertain_ = !done.ok();
    if (!done) return done;
  }
  for (const SegmentEntry& entry : listed_) {
    const bool stays = std::ranges::any_of(
        segments, [&](const SegmentEntry& other) { return other.number == entry.number; });
    if (!stays) dropped_.push_back(entry.number);
  }
  listed_ = std::move(segments);
  remove_dropped();
  return {};
}

// Its file is no longer needed.
void LogWriter::drop(std::unique_ptr<Segment> segment) {
  if (!segment) return;
  dropped_.push_back(segment->number);
  remove_dropped();
}

// What cannot be removed now is tried again, at the next start at the latest.
void LogWriter::remove_dropped() {
  if (list_uncertain_) return;
  std::erase_if(dropped_, [&](std::uint32_t number) { return disk_.remove(path(number)).ok(); });
}

// The current segment gets its first record: from that LSN on only this segment is valid.
Status LogWriter::begin_segment(Lsn first) {
  current_->first = first;
  if (rewriting_) return {};
  std::vector<SegmentEntry> segments = listed_;
  std::erase_if(segments, [&](const SegmentEntry& entry) { return entry.first >= first; });
  segments.push_back(entry_of(*current_));
  return write_list(std::move(segments));
}

// --- records -----------------------------------------------------------------------------------

Status LogWriter::write(const std::vector<LogRecord>& records) {
  const std::size_t from = kept_.size();
  for (const LogRecord record : records) kept_bytes_ += record.size();
  kept_.insert(kept_.end(), records.begin(), records.end());
  last_.value += records.size();
  if (broken_) return Error{"the log has failed, and goes on in a new segment first"};
  Status done = write_all(from);
  if (!done) broken_ = true;
  return done;
}

// The kept records from that index on, into the current segment and those after it.
Status LogWriter::write_all(std::size_t from) {
  pieces_.clear();
  pieces_bytes_ = 0;
  for (std::size_t i = from; i < kept_.size(); ++i) {
    const Lsn lsn{last_.value - (kept_.size() - 1 - i)};
    // A record larger than a segment gets one of its own.
    const bool is_full = current_->first.value != 0 &&
                         current_->size + pieces_bytes_ + kept_[i].size() > options_.segment_bytes;
    if (is_full) {
      if (Status done = flush(); !done) return done;
      if (Status done = change_segment(); !done) return done;
    }
    if (current_->first.value == 0) {
      if (Status done = begin_segment(lsn); !done) return done;
    }
    if (kept_[i].refers()) {
      if (Status done = write_referring(kept_[i], lsn); !done) return done;
    } else {
      put(kept_[i], lsn);
    }
  }
  if (zeros_ahead_) put_zeros();
  return flush();
}

// Long values are read as they are written, a piece at a time. The checksum is known at the end, so
// the header is written last: until then there is no record here.
Status LogWriter::write_referring(LogRecord record, Lsn lsn) {
  if (Status done = flush(); !done) return done;
  std::uint64_t at = current_->size + RecordHeader::kBytes;
  std::uint32_t crc = 0;
  Status done;
  std::string room(kPieceBytes, '\0');
  record.put_payload(room, [&](std::string_view piece) {
    crc = base::crc32c(piece, crc);
    done = current_->file->write_at(at, piece);
    at += piece.size();
    return done.ok();
  });
  if (!done) return done;
  const std::uint64_t end = current_->size + record.size();
  if (at != end) done = current_->file->write_at(at, {kZeros, static_cast<std::size_t>(end - at)});
  if (!done) return done;
  record.set_payload_crc(crc);
  record.stamp(lsn, durable_, current_->salt);
  done = current_->file->write_at(current_->size, {record.bytes(), RecordHeader::kBytes});
  if (done) current_->size = end;
  return done;
}

void LogWriter::put(LogRecord record, Lsn lsn) {
  record.stamp(lsn, durable_, current_->salt);
  put_bytes(record.view());
}

void LogWriter::put_bytes(std::string_view bytes) {
  pieces_bytes_ += bytes.size();
  if (!pieces_.empty() && pieces_.back().data() + pieces_.back().size() == bytes.data()) {
    pieces_.back() = {pieces_.back().data(), pieces_.back().size() + bytes.size()};
  } else {
    pieces_.push_back(bytes);
  }
}

// Behind the records that are about to be written.
void LogWriter::put_zeros() {
  const std::uint64_t end = current_->size + pieces_bytes_;
  if (end <= current_->zeroed || end >= options_.segment_bytes) return;
  const std::uint64_t ahead = std::min<std::uint64_t>(kZerosAhead, options_.segment_bytes - end);
  pieces_.emplace_back(kZeros, static_cast<std::size_t>(ahead));
  current_->zeroed = end + ahead;
}

Status LogWriter::flush() {
  if (pieces_.empty()) return {};
  Status done = current_->file->write_pieces_at(current_->size, pieces_);
  if (done) current_->size += pieces_bytes_;
  pieces_.clear();
  pieces_bytes_ = 0;
  return done;
}

// The old segment is synced before the new one gets its first byte. So, as soon as there is a later
// segment, a hole in an earlier one is never what a crash leaves.
Status LogWriter::change_segment() {
  if (Status done = current_->file->sync_data(); !done) return done;
  forget_written(1);
  if (!next_) {
    auto made = make_segment();
    if (!made) return made.error();
    next_ = std::move(*made);
  }
  if (rewriting_) rewritten_.push_back(std::move(current_));
  current_ = std::move(next_);
  // If this fails it is tried again when the segment is needed.
  if (auto made = make_segment()) next_ = std::move(*made);
  return {};
}

Status LogWriter::sync() {
  if (broken_) return Error{"the log has failed, and goes on in a new segment first"};
  if (durable_ == last_) return {};
  Status done = current_->file->sync_data();
  if (!done) {
    broken_ = true;
    return done;
  }
  promised();
  forget_written(kForgottenAtOnce);
  return {};
}

// The log is written and not read. If its pages stayed in the page cache, each new page would
// have to be allocated, cleared and brought into the caches. This way the same few pages are
// reused.
void LogWriter::forget_written(std::uint64_t least) {
  const std::uint64_t more = current_->size - current_->forgotten;
  if (more < least) return;
  current_->file->forget(current_->forgotten, more);
  current_->forgotten = current_->size;
}

void LogWriter::promised() {
  durable_ = last_;
  blocks_.release(kept_, durable_);
  kept_.clear();
  kept_bytes_ = 0;
}

Status LogWriter::rotate_after_failure() {
  ASSERT(broken_);
  if (current_ && is_listed(current_->number)) {
    failed_ = std::move(current_);
  } else {
    drop(std::move(current_));
  }
  // The prepared segment may have failed as well: make a new one.
  drop(std::move(next_));
  if (list_uncertain_) {
    if (Status done = write_list(listed_); !done) return done;
  }
  remove_dropped();
  if (Status done = rewrite_kept(); !done) return done;
  broken_ = false;
  if (failed_ && is_listed(failed_->number)) failed_->file->release_from(failed_->size);
  failed_.reset();
  if (next_) return {};
  if (auto prepared = make_segment()) next_ = std::move(*prepared);
  return {};
}

// Writes all kept records into new segments. They become valid once all of it is durable.
Status LogWriter::rewrite_kept() {
  auto made = make_segment();
  if (!made) return made.error();
  current_ = std::move(*made);
  if (kept_.empty()) return {};
  rewriting_ = true;
  Status done = write_rewritten();
  rewriting_ = false;
  if (done) {
    std::vector<SegmentEntry> segments = listed_;
    std::erase_if(segments, [&](const SegmentEntry& entry) { return entry.first > durable_; });
    for (const auto& segment : rewritten_) segments.push_back(entry_of(*segment));
    segments.push_back(entry_of(*current_));
    done = write_list(std::move(segments));
  }
  if (done) {
    rewritten_.clear();
    promised();
    return {};
  }
  for (auto& segment : rewritten_) drop(std::move(segment));
  rewritten_.clear();
  drop(std::move(current_));
  return done;
}

Status LogWriter::write_rewritten() {
  if (Status done = write_all(0); !done) return done;
  return current_->file->sync_data();
}

Status LogWriter::trim(Lsn from) {
  std::size_t gone = 0;
  for (; gone < listed_.size(); ++gone) {
    const bool is_last = gone + 1 == listed_.size();
    if (is_last && current_->first.value != 0) break;
    const Lsn end = is_last ? Lsn{last_.value + 1} : listed_[gone + 1].first;
    if (end > from) break;
  }
  if (gone == 0) return {};
  std::vector<SegmentEntry> segments(listed_.begin() + static_cast<std::ptrdiff_t>(gone),
                                     listed_.end());
  if (Status done = write_list(std::move(segments)); !done) return done;
  return disk_.sync_directory(options_.directory);
}

}  // namespace slotcar::storage
