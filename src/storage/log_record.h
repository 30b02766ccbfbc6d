// LogRecord: a record on its way to the disk: where its bytes lie, just as the file will have them.
// Whoever appends writes all but three fields; the log stamps those when it knows them: the LSN,
// what is durable, and the header's checksum. The bytes belong to a LogBlock (log_block.h).
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
  static LogRecord lay_out(char* at, const RecordAbout& about, std::string_view payload);
  void stamp(Lsn lsn, Lsn durable);

  explicit operator bool() const { return bytes_ != nullptr; }
  char* bytes() const { return bytes_; }
  std::size_t size() const;  // in the file
  std::string_view view() const { return {bytes_, size()}; }

 private:
  char* bytes_ = nullptr;
};

}  // namespace slotcar::storage
