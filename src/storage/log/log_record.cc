#include "storage/log/log_record.h"

#include <cstring>

#include "base/crc32c.h"
#include "base/limits.h"
#include "storage/log/log_block.h"

namespace slotcar::storage {

LogRecord LogRecord::lay_out(char* at, const RecordAbout& about, std::string_view payload,
                             std::uint64_t salt, std::size_t more) {
  RecordHeader header;
  header.payload_size = payload.size() + more;
  header.payload_crc = base::crc32c(payload);
  header.about = about;
  header.write_unstamped(at, salt);
  std::memcpy(at + RecordHeader::kBytes, payload.data(), payload.size());
  const std::size_t end = RecordHeader::kBytes + payload.size();
  std::memset(at + end, 0, RecordHeader::padded(end) - end);
  return LogRecord(at);
}

void LogRecord::stamp(Lsn lsn, Lsn durable, std::uint64_t salt) {
  RecordHeader::stamp(bytes_, lsn, durable, salt);
}

bool LogRecord::outside_buffer() const {
  return LogBlock::of(*this)->outside_buffer;
}

// The size first: it lies in the record's own cache line, which is needed anyway.
bool LogRecord::refers() const {
  return size() >= limits::kLongBytesMin && LogBlock::of(*this)->referring != nullptr;
}

bool LogRecord::put_payload(std::string& room, const Put& put) const {
  const LogBlock::Referring& referring = *LogBlock::of(*this)->referring;
  return base::put_pieces({bytes_ + RecordHeader::kBytes, referring.own_bytes}, referring.parts,
                          room, put);
}

std::size_t LogRecord::size() const {
  return RecordHeader::padded(RecordHeader::kBytes + RecordHeader::payload_size_at(bytes_));
}

}  // namespace slotcar::storage
