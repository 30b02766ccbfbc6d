// LogRecord: a record on its way to the disk: where its bytes lie, just as the file will have them
// (but for the long values that it may refer to, which lie elsewhere).
// Whoever appends writes all but four fields; the log stamps those when it knows them: the LSN,
// what is durable, the segment's salt, and the header's checksum. The bytes belong to a LogBlock
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
  // From here on a killed process leaves it behind, if it lies in a log buffer.
  void set_lsn(Lsn lsn) { RecordHeader::set_lsn(bytes_, lsn); }
  // It does not lie there though others do: a killed process loses it until it is written.
  bool outside_buffer() const;
  // Whether its payload refers to long values. Then `view` has but a part of its bytes, and
  // `put_payload` gives all of the payload, in pieces, to `put` until that answers false.
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
