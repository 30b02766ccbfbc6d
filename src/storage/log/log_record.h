// LogRecord: a record on its way to the disk. It points to its bytes, laid out as in the
// file (except for long values that it may refer to, which are elsewhere). The appender
// writes all but four fields. The log stamps those when it knows them: the LSN, what is
// durable, the segment's salt, and the header's checksum. The bytes belong to a LogBlock
// (log_block.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "storage/log/log_format.h"

namespace slotcar::storage {

class LogRecord {
 public:
  LogRecord() = default;
  explicit LogRecord(char* bytes) : bytes_(bytes) {}

  // Lays a record out at `at`, where RecordHeader::padded(kBytes + payload.size()) bytes are free.
  // `more` bytes of the payload lie elsewhere.
  static LogRecord lay_out(char* at, const RecordAbout& about, std::string_view payload,
                           std::uint64_t salt, std::size_t more = 0);
  // From here on it survives a kill of the process, if it is in a log buffer.
  void set_lsn(Lsn lsn) { RecordHeader::set_lsn(bytes_, lsn); }
  // It is not in the buffer although others are: a killed process loses it until it is written.
  bool outside_buffer() const;
  // Whether its payload refers to long values. Then `view` has only part of its bytes, and
  // `put_payload` passes the whole payload in pieces to `put` until that returns false.
  bool refers() const;
  using Put = std::function<bool(std::string_view)>;
  bool put_payload(std::string& room, const Put& put) const;
  void set_payload_crc(std::uint32_t crc) { RecordHeader::set_payload_crc(bytes_, crc); }
  void stamp(Lsn lsn, Lsn durable, std::uint64_t salt);

  explicit operator bool() const { return bytes_ != nullptr; }
  char* bytes() const { return bytes_; }
  std::size_t size() const;  // in the file
  std::string_view view() const { return {bytes_, size()}; }

 private:
  char* bytes_ = nullptr;
};

}  // namespace slotcar::storage
