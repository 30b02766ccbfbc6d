// The manifest: which snapshot the log continues. A small text file (docs/formats/manifest.md),
// replaced as a whole; whoever reads it sees the old one or the new one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"

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

  friend bool operator==(const Manifest&, const Manifest&) = default;

  std::string text() const;
  // The error names the line: "PATH: line 3: ...".
  static Result<Manifest> parse(std::string_view text, const std::string& path);
};

// Under a temporary name, synced, renamed, the directory synced.
Status write_manifest(runtime::Disk& disk, const std::string& directory, const Manifest& manifest);
// Nothing: there is none.
Result<std::optional<Manifest>> read_manifest(runtime::Disk& disk, const std::string& directory);

}  // namespace slotcar::storage
