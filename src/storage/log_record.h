// LogRecord: a record on its way to the disk: where its bytes lie, just as the file will have them.
// Whoever appends writes all but four fields; the log stamps those when it knows them: the LSN,
// what is durable, the segment's salt, and the header's checksum. The bytes belong to a LogBlock
// (log_block.h).
#pragma once

#include <cstddef>
#include <string_view>

#include "storage/log_format.h"

namespace slotcar::storage {

class LogRecord {
 public:
  LogRecord() = default;
  explicit LogRecord(char* bytes) : bytes_(bytes) {}

  // Lays a record out at `at`, where RecordHeader::padded(kBytes + payload.size()) bytes are free.
  static LogRecord lay_out(char* at, const RecordAbout& about, std::string_view payload,
                           std::uint64_t salt);
  // From here on a killed process leaves it behind, if it lies in a log buffer.
  void set_lsn(Lsn lsn) { RecordHeader::set_lsn(bytes_, lsn); }
  // It does not lie there though others do: it is safe only when it is durable.
  bool outside_buffer() const;
  void stamp(Lsn lsn, Lsn durable, std::uint64_t salt);

  explicit operator bool() const { return bytes_ != nullptr; }
  char* bytes() const { return bytes_; }
  std::size_t size() const;  // in the file
  std::string_view view() const { return {bytes_, size()}; }

 private:
  char* bytes_ = nullptr;
};

}  // namespace slotcar::storage
