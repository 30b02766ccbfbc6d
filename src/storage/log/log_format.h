// The log's files, byte by byte (docs/formats/log.md describes them). The writer (log_writer.h)
// asserts what the reader (log_reader.h) checks. Numbers are little-endian.
//
// Version 2 is written. Version 1, of earlier servers, is only read: its records have no salt, and
// its segments contain their first LSN, which is now in the manifest.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace slotcar::storage {

// A segment is a file named by its number, which grows: log-00000003.
std::string segment_name(std::uint32_t number);
std::optional<std::uint32_t> parse_segment_name(std::string_view name);

// How the records of a segment look.
struct SegmentFormat {
  std::uint32_t version = 2;
  // Random, and repeated by each record. So bytes of a value that look like a record are not taken
  // for one: the client that wrote the value did not know the salt.
  std::uint64_t salt = 0;

  std::size_t record_header_bytes() const { return version == 1 ? 56 : 64; }
};

// A valid segment, as the manifest lists it. It has exactly the records from `first` up to the next
// segment's first; the last one ends where the log ends.
struct SegmentEntry {
  std::uint32_t number = 0;
  Lsn first;
  std::uint64_t salt = 0;   // 0: it is of version 1
  std::uint64_t bytes = 0;  // the file is at least this long

  friend bool operator==(const SegmentEntry&, const SegmentEntry&) = default;
};

// ... and as it was found by reading.
struct FoundSegment {
  SegmentEntry entry;
  // Where its records end, if it was read that far and nothing after it is valid; else 0.
  std::uint64_t end = 0;
};

// Written when the file is prepared, and synced before the segment is listed: so it is never half
// written after a crash.
struct SegmentHeader {
  static constexpr std::size_t kBytes = 64;
  static constexpr std::string_view kMagic = "SLOTLOG2";
  static constexpr std::string_view kMagicV1 = "SLOTLOG1";
  static constexpr std::string_view kMagicOfAll = "SLOTLOG";

  SegmentFormat format;
  std::uint32_t number = 0;  // as in the file's name
  UnixMs created = 0;
  std::uint64_t life = 0;   // of the process that made it, random
  std::uint64_t bytes = 0;  // of the file, as prepared; 0: of version 1, which does not say it
  Lsn first = {};           // of version 1 only: of its first record

  void write(char* out) const;
  // Nothing: these bytes are not a header.
  static std::optional<SegmentHeader> read(std::string_view bytes);
};

// The properties of a record besides its payload and its LSN.
struct RecordAbout {
  Epoch epoch;
  UnixMs time = 0;
  std::uint16_t slot = kSeveralSlots;
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kSeveralSlots = 0xffff;
  // Replaces an LSN that a killed process had reserved and not used: its payload means nothing.
  static constexpr std::uint16_t kGapFlag = 1;
  bool is_gap() const { return (flags & kGapFlag) != 0; }
};

// In front of each payload. A record begins at a multiple of 8; zeros fill up to the next one.
struct RecordHeader {
  static constexpr std::size_t kBytes = 64;            // as it is written
  static constexpr std::uint16_t kPayloadVersion = 1;  // effects as RESP commands

  std::uint64_t payload_size = 0;  // never 0
  std::uint32_t payload_crc = 0;
  std::uint16_t payload_version = kPayloadVersion;
  std::size_t header_bytes = kBytes;  // 56 in version 1
  RecordAbout about;
  Lsn lsn;
  // Everything up to here was on the medium when this record was written. A reader that finds a
  // hole and, behind it, a record that says that the hole was durable knows that the disk failed or
  // lost data. Without such a record the hole is what a crash leaves.
  Lsn durable;

  void write(char* out, std::uint64_t salt) const;
  // In two steps: first what the appender knows, then what the log adds.
  void write_unstamped(char* out, std::uint64_t salt) const;
  // Between the two: the LSN, so that a reader of the buffer knows the record's place.
  static void set_lsn(char* bytes, Lsn lsn);
  static void stamp(char* bytes, Lsn lsn, Lsn durable, std::uint64_t salt);
  static std::uint64_t payload_size_at(const char* bytes);
  // For a payload that is not complete when the header is written (log_block.h).
  static void set_payload_crc(char* bytes, std::uint32_t crc);
  // Nothing: no record of such a segment begins here (zeros, torn bytes, a part of a value).
  static std::optional<RecordHeader> read(std::string_view bytes, const SegmentFormat& format);
  // The same in a log buffer, where a record may not be stamped yet; it has its LSN.
  static std::optional<RecordHeader> read_in_buffer(std::string_view bytes, std::uint64_t salt);

  std::size_t whole_size() const { return padded(header_bytes + payload_size); }
  static constexpr std::size_t size_with(std::size_t payload) { return padded(kBytes + payload); }
  static constexpr std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t{7}; }
};

}  // namespace slotcar::storage
