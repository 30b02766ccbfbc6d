#include "storage/log_writer.h"

#include "base/assert.h"

namespace slotcar::storage {

namespace {

// What is collected before it is handed to the file in one write.
constexpr std::size_t kWriteBytes = 1024 * 1024;

}  // namespace

std::string LogWriter::path(std::uint32_t number) const {
  return options_.directory + "/" + segment_name(number);
}

Status LogWriter::open(Lsn durable, std::uint32_t number, Records tail) {
  last_ = durable_ = durable;
  number_ = number;
  auto first = make_segment();
  if (!first) return first.error();
  current_ = std::move(*first);
  current_->first = Lsn{durable.value + 1};
  if (!tail.empty()) {
    if (Status done = write(std::move(tail)); !done) return done;
    if (Status done = sync(); !done) return done;
  }
  if (next_) return {};
  auto second = make_segment();
  if (!second) return second.error();
  next_ = std::move(*second);
  return {};
}

// A file of zeros under a durable name.
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

Status LogWriter::write(Records records) {
  const std::size_t from = kept_.size();
  for (auto& record : records) {
    ASSERT(record->lsn.value == last_.value + 1 && !record->payload.empty());
    last_ = record->lsn;
    kept_bytes_ += record->payload.size() + RecordHeader::kBytes;
    kept_.push_back(std::move(record));
  }
  if (broken_) return Error{"the log waits to be mended"};
  Status done = write_all(from);
  if (!done) broken_ = true;
  return done;
}

// The kept records from that place on, into the current segment and those after it.
Status LogWriter::write_all(std::size_t from) {
  buffer_.clear();
  for (std::size_t i = from; i < kept_.size(); ++i) {
    const LogRecord& record = *kept_[i];
    const std::size_t size = RecordHeader::padded(RecordHeader::kBytes + record.payload.size());
    const bool fresh = current_->size == 0 && buffer_.empty();
    // A record larger than a segment has one for itself.
    if (!fresh && current_->size + buffer_.size() + size > options_.segment_bytes) {
      if (Status done = flush(); !done) return done;
      if (Status done = change_segment(record.lsn); !done) return done;
    }
    put(record);
    if (buffer_.size() >= kWriteBytes) {
      if (Status done = flush(); !done) return done;
    }
  }
  return flush();
}

void LogWriter::put(const LogRecord& record) {
  if (current_->size == 0 && buffer_.empty()) {
    buffer_.resize(SegmentHeader::kBytes);
    SegmentHeader header;
    header.first = current_->first;
    header.number = current_->number;
    header.created = clock_.unix_ms();
    ASSERT(header.first == record.lsn);
    header.write(buffer_.data());
  }
  RecordHeader header;
  header.payload_size = static_cast<std::uint32_t>(record.payload.size());
  header.payload_crc = record.crc;
  header.lsn = record.lsn;
  header.epoch = record.epoch;
  header.time = record.time;
  header.durable = durable_;
  header.slot = record.slot;
  header.flags = record.flags;
  const std::size_t at = buffer_.size();
  buffer_.resize(at + header.whole_size());  // zeros at the end
  header.write(buffer_.data() + at);
  std::memcpy(buffer_.data() + at + RecordHeader::kBytes, record.payload.data(),
              record.payload.size());
}

Status LogWriter::flush() {
  if (buffer_.empty()) return {};
  Status done = current_->file->write_at(current_->size, buffer_);
  if (done) current_->size += buffer_.size();
  buffer_.clear();
  return done;
}

// The old segment is promised before the new one has its first byte: so a hole in it is never what
// a crash leaves, as soon as there is a later segment.
Status LogWriter::change_segment(Lsn first) {
  if (Status done = current_->file->sync_data(); !done) return done;
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
  return {};
}

void LogWriter::promised() {
  durable_ = last_;
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
