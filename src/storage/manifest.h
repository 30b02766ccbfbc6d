// The manifest: which snapshot the log continues, and which segments the log has. A small text
// file (docs/formats/manifest.md), replaced as a whole: a reader sees the old one or the new
// one.
//
// A segment is listed before a record in it is durable, and a file is deleted only after its line
// is gone. So every file that the manifest names must exist, and others are not needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/log/log_format.h"

namespace slotcar::storage {

struct Manifest {
  static constexpr std::string_view kName = "slotcar.manifest";

  struct Snapshot {
    std::string file;  // beside the manifest
    std::uint64_t size = 0;
    std::uint64_t crc = 0;  // as its last 8 bytes say; 0: written without
    Epoch epoch;            // it contains exactly the effects of epochs below
    Lsn begin;              // the log's end just before the epoch was raised
    Lsn settled;            // the log's end when no call of an older epoch ran any more
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
  };

  std::string node_id;  // letters, digits and -
  Epoch epoch;          // the last one that was raised
  std::string log;      // the log's directory, beside the manifest; empty: there is none
  std::optional<Snapshot> snapshot = {};  // none yet: the log has everything
  // In ascending order of number and of first LSN. Nothing: version 1 does not list them.
  std::optional<std::vector<SegmentEntry>> segments = std::vector<SegmentEntry>();
  // The server was shut down cleanly, and this was the log's last record. A later record requires a
  // new segment in the list, which clears this.
  std::optional<Lsn> last = {};
  // The log buffer that has what the segments lack if the process was killed (log_buffer.h); 0:
  // none.
  std::uint64_t life = 0;
  std::string boot_id = {};  // of the machine when that buffer was made; empty: not known

  friend bool operator==(const Manifest&, const Manifest&) = default;

  std::string text() const;
  // The error names the line: "PATH: line 3: ...".
  static Result<Manifest> parse(std::string_view text, const std::string& path);
};

// How a snapshot file beside the manifest relates to it.
struct FoundSnapshot {
  std::uint64_t size = 0;
  std::uint64_t crc = 0;
  std::string node_id;
  Epoch epoch;
  std::optional<Lsn> begin;
  std::optional<Lsn> settled;
};
enum class SnapshotMatch : std::uint8_t {
  known,   // the one that the manifest names
  newer,   // a later one of the same node, whose manifest was not written because of a crash
  foreign  // neither: it must not be mixed with the log
};
SnapshotMatch match_snapshot(const Manifest& manifest, const FoundSnapshot& found);

// Whether a snapshot may be called so: a name in this directory that fits into a line.
bool is_file_name(std::string_view name);

// Under a temporary name, synced, renamed, the directory synced.
Status write_manifest(runtime::Disk& disk, const std::string& directory, const Manifest& manifest);
// Nothing: there is none.
Result<std::optional<Manifest>> read_manifest(runtime::Disk& disk, const std::string& directory);

}  // namespace slotcar::storage
