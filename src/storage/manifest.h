// The manifest: which snapshot the log continues, and which segments the log has. A small text file
// (docs/formats/manifest.md), replaced as a whole; whoever reads it sees the old one or the new
// one.
//
// A segment is listed before a record in it is promised, and a file goes only after its line has
// gone. So whatever the manifest names must be there, and what it does not name was never needed.
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
    Epoch epoch;            // it has exactly the effects of epochs below
    Lsn begin;              // the log's end just before the epoch was raised
    Lsn settled;            // the log's end when no call of an older epoch ran any more
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
  };

  std::string node_id;  // letters, digits and -
  Epoch epoch;          // the last one that was raised
  std::string log;      // the log's directory, beside the manifest; empty: there is none
  std::optional<Snapshot> snapshot = {};  // none yet: the log has everything
  // In ascending order of number and of first LSN. Nothing: it is of version 1, which does not say.
  std::optional<std::vector<SegmentEntry>> segments = std::vector<SegmentEntry>();
  // The server was stopped in good order, and this was the log's last record. Any record begins
  // with a new segment in the list, and ends this.
  std::optional<Lsn> last = {};
  // Which log buffer has what the segments do not have if the process is killed (log_buffer.h); 0:
  // none.
  std::uint64_t life = 0;
  std::string boot_id = {};  // of the machine when that buffer was made; empty: not known

  friend bool operator==(const Manifest&, const Manifest&) = default;

  std::string text() const;
  // The error names the line: "PATH: line 3: ...".
  static Result<Manifest> parse(std::string_view text, const std::string& path);
};

// What a file beside the manifest is to it.
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
  newer,   // a later one of the same node, whose manifest a crash has prevented
  foreign  // neither: it must not be mixed with the log
};
SnapshotMatch match_snapshot(const Manifest& manifest, const FoundSnapshot& found);

// Under a temporary name, synced, renamed, the directory synced.
Status write_manifest(runtime::Disk& disk, const std::string& directory, const Manifest& manifest);
// Nothing: there is none.
Result<std::optional<Manifest>> read_manifest(runtime::Disk& disk, const std::string& directory);

}  // namespace slotcar::storage
