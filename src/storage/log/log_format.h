// The log's files, byte by byte (docs/formats/log.md says it in words). The writer (log_writer.h)
// asserts what the reader (log_reader.h) checks. Numbers are little-endian.
//
// Version 2 is written. Version 1, of earlier servers, is only read: its records have no salt, and
// its segments say where they begin, which the manifest says now.
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
  // Random, and repeated by each record. So what looks like a record and is part of a value is
  // none: whoever wrote the value did not know the salt.
  std::uint64_t salt = 0;

  std::size_t record_header_bytes() const { return version == 1 ? 56 : 64; }
};

// A segment that counts, as the manifest lists it. It has exactly the records from `first` up to
// where the next one begins; the last one ends where the log does.
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
  // Where its records end, if it was read to there and nothing behind counts; else 0.
  std::uint64_t end = 0;
};

// Written when the file is prepared, and synced before the segment is listed: what stands there is
// never what a crash has left half written.
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
  // Nothing: these are no header's bytes.
  static std::optional<SegmentHeader> read(std::string_view bytes);
};

// What is known of a record besides its payload and its place in the log.
struct RecordAbout {
  Epoch epoch;
  UnixMs time = 0;
  std::uint16_t slot = kSeveralSlots;
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kSeveralSlots = 0xffff;
  // Stands for a number that a killed process had given and not used: its payload means nothing.
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
  // Everything up to here was on the medium when this record was written. So a reader that finds a
  // hole and, behind it, a record which says that the hole was once safe, knows that the disk lied
  // or rotted; without such a record the hole is what a crash leaves.
  Lsn durable;

  void write(char* out, std::uint64_t salt) const;
  // In two steps: what the record's maker knows, then what the log gives.
  void write_unstamped(char* out, std::uint64_t salt) const;
  // Between the two: the number, so that whoever finds the record in memory knows its place.
  static void set_lsn(char* bytes, Lsn lsn);
  static void stamp(char* bytes, Lsn lsn, Lsn durable, std::uint64_t salt);
  static std::uint64_t payload_size_at(const char* bytes);
  // Where the payload is not all there when the header is written (log_block.h).
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
