// The log's files, byte by byte (docs/formats/log.md says it in words). The writer (log_writer.h)
// asserts what the reader (log_reader.h) checks. Numbers are little-endian.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace slotcar::storage {

// A segment is a file named by its number, which grows: log-00000003. Where it begins stands in its
// header, which is written with its first record: until then the prepared file has zeros there.
std::string segment_name(std::uint32_t number);
std::optional<std::uint32_t> parse_segment_name(std::string_view name);

struct SegmentHeader {
  static constexpr std::size_t kBytes = 64;
  static constexpr std::string_view kMagic = "SLOTLOG1";

  Lsn first;                 // of the first record
  std::uint32_t number = 0;  // grows with every segment; later ones win over earlier ones
  UnixMs created = 0;

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
};

// In front of each payload. A record begins at a multiple of 8; zeros fill up to the next one.
struct RecordHeader {
  static constexpr std::size_t kBytes = 56;

  std::uint64_t payload_size = 0;  // never 0
  std::uint32_t payload_crc = 0;
  RecordAbout about;
  Lsn lsn;
  // Everything up to here was on the medium when this record was written. So a reader that finds a
  // hole and, behind it, a record which says that the hole was once safe, knows that the disk lied
  // or rotted; without such a record the hole is what a crash leaves.
  Lsn durable;

  void write(char* out) const;
  // In two steps: what the record's maker knows, then what the log gives.
  void write_unstamped(char* out) const;
  static void stamp(char* bytes, Lsn lsn, Lsn durable);
  static std::uint64_t payload_size_at(const char* bytes);
  // Nothing: no record begins here (zeros, torn bytes).
  static std::optional<RecordHeader> read(std::string_view bytes);

  std::size_t whole_size() const { return padded(kBytes + payload_size); }
  static constexpr std::size_t padded(std::size_t size) { return (size + 7) & ~std::size_t{7}; }
};

}  // namespace slotcar::storage
