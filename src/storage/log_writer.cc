#include "storage/log_writer.h"

#include <algorithm>

#include "base/assert.h"

namespace slotcar::storage {

namespace {

// How far ahead of the records zeros are written, where they are.
constexpr std::size_t kZerosAhead = 512 * 1024;
constexpr char kZeros[kZerosAhead] = {};
// How much the kernel is asked to forget at a time.
constexpr std::uint64_t kForgottenAtOnce = 1024 * 1024;

}  // namespace

std::string LogWriter::path(std::uint32_t number) const {
  return options_.directory + "/" + segment_name(number);
}

Status LogWriter::open(Lsn durable, std::uint32_t number, const Tail& tail) {
  last_ = durable_ = durable;
  number_ = number;
  auto first = make_segment();
  if (!first) return first.error();
  current_ = std::move(*first);
  current_->first = Lsn{durable.value + 1};
  if (!tail.empty()) {
    LogPen pen;
    std::vector<LogRecord> records;
    for (const OldRecord& old : tail) {
      records.push_back(pen.write(blocks_, old.about, old.payload));
    }
    if (Status done = write(records); !done) return done;
    if (Status done = sync(); !done) return done;
  }
  if (next_) return {};
  auto second = make_segment();
  if (!second) return second.error();
  next_ = std::move(*second);
  return {};
}

// A file that reads as zeros, under a durable name.
Result<std::unique_ptr<LogWriter::Segment>> LogWriter::make_segment() {
  auto segment = std::make_unique<Segment>();
  segment->number = number_;
  auto file = disk_.open(path(number_), runtime::OpenMode::create);
  if (!file) return file.error();
  ++number_;  // a half-made file keeps its number: nobody else may have it
  segment->file = std::move(*file);
  if (Status done = segment->file->preallocate(options_.segment_bytes); !done) return done.error();
  if (Status done = segment->file->sync_data(); !done) return done.error();
  if (Status done = disk_.sync_directory(options_.directory); !done) return done.error();
  return segment;
}

Status LogWriter::write(const std::vector<LogRecord>& records) {
  const std::size_t from = kept_.size();
  for (const LogRecord record : records) kept_bytes_ += record.size();
  kept_.insert(kept_.end(), records.begin(), records.end());
  last_.value += records.size();
  if (broken_) return Error{"the log waits to be mended"};
  Status done = write_all(from);
  if (!done) broken_ = true;
  return done;
}

// The kept records from that place on, into the current segment and those after it.
Status LogWriter::write_all(std::size_t from) {
  pieces_.clear();
  pieces_bytes_ = 0;
  for (std::size_t i = from; i < kept_.size(); ++i) {
    const Lsn lsn{last_.value - (kept_.size() - 1 - i)};
    const bool fresh = current_->size + pieces_bytes_ == 0;
    // A record larger than a segment has one for itself.
    if (!fresh && current_->size + pieces_bytes_ + kept_[i].size() > options_.segment_bytes) {
      if (Status done = flush(); !done) return done;
      if (Status done = change_segment(lsn); !done) return done;
    }
    put(kept_[i], lsn);
  }
  if (zeros_ahead_) put_zeros();
  return flush();
}

void LogWriter::put(LogRecord record, Lsn lsn) {
  if (current_->size + pieces_bytes_ == 0) {
    SegmentHeader header;
    header.first = current_->first;
    header.number = current_->number;
    header.created = clock_.unix_ms();
    ASSERT(header.first == lsn);
    header.write(segment_header_);
    put_bytes({segment_header_, sizeof segment_header_});
  }
  record.stamp(lsn, durable_);
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

// The old segment is promised before the new one has its first byte: so a hole in it is never what
// a crash leaves, as soon as there is a later segment.
Status LogWriter::change_segment(Lsn first) {
  if (Status done = current_->file->sync_data(); !done) return done;
  forget_written(1);
  if (!next_) {
    auto made = make_segment();
    if (!made) return made.error();
    next_ = std::move(*made);
  }
  older_.emplace_back(current_->number, current_->first);
  current_ = std::move(next_);
  current_->first = first;
  // If this fails it is tried again when the segment is needed.
  if (auto made = make_segment()) next_ = std::move(*made);
  return {};
}

Status LogWriter::sync() {
  if (broken_) return Error{"the log waits to be mended"};
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

// The log is written and not read. Were its pages to stay in the kernel's memory, each new one
// would have to be found, cleared of others' use and brought into the caches; as it is the same few
// go round.
void LogWriter::forget_written(std::uint64_t least) {
  const std::uint64_t more = current_->size - current_->forgotten;
  if (more < least) return;
  current_->file->forget(current_->forgotten, more);
  current_->forgotten = current_->size;
}

void LogWriter::promised() {
  durable_ = last_;
  blocks_.release(kept_);
  kept_.clear();
  kept_bytes_ = 0;
}

Status LogWriter::mend() {
  ASSERT(broken_);
  // The prepared segment may have failed as well: a new one.
  next_.reset();
  auto made = make_segment();
  if (!made) return made.error();
  if (current_->size > 0) older_.emplace_back(current_->number, current_->first);
  current_ = std::move(*made);
  current_->first = Lsn{durable_.value + 1};
  if (!kept_.empty()) {
    if (Status done = write_all(0); !done) return done;
    if (Status done = current_->file->sync_data(); !done) return done;
    promised();
  }
  broken_ = false;
  if (auto prepared = make_segment()) next_ = std::move(*prepared);
  return {};
}

Status LogWriter::trim(Lsn from) {
  bool removed = false;
  while (!older_.empty()) {
    const Lsn end = older_.size() > 1 ? older_[1].second : current_->first;
    if (end > from) break;
    if (Status done = disk_.remove(path(older_.front().first)); !done) return done;
    older_.pop_front();
    removed = true;
  }
  if (!removed) return {};
  return disk_.sync_directory(options_.directory);
}

}  // namespace slotcar::storage
