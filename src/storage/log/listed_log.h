// For tests: a log whose segments are listed in a manifest, as in a node, without the node. The
// manifest is in the log directory's parent.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/disk.h"
#include "runtime/random.h"
#include "storage/log/log_reader.h"
#include "storage/log/log_writer.h"
#include "storage/manifest.h"

namespace slotcar::storage {

struct ListedLog {
  static constexpr char kDirectory[] = "log";

  static Manifest manifest(std::vector<SegmentEntry> segments) {
    return {.node_id = "n",
            .epoch = Epoch{1},
            .log = kDirectory,
            .segments = std::move(segments),
            .last = {}};
  }
  // For a writer on `disk`, which must outlive it.
  static LogWriter::Options options(runtime::Disk& disk, runtime::Random& random,
                                    std::uint64_t segment_bytes) {
    return {.directory = kDirectory,
            .segment_bytes = segment_bytes,
            .random = &random,
            .life = 7,
            .list = [&disk](const std::vector<SegmentEntry>& segments) {
              return write_manifest(disk, ".", manifest(segments));
            }};
  }
  static Result<LogReader::Summary> read(runtime::Disk& disk, Lsn from,
                                         const LogReader::Visit& visit) {
    const auto found = read_manifest(disk, ".");
    if (!found) return found.error();
    LogReader::Expected expected{.segments = std::vector<SegmentEntry>()};
    if (*found) expected = {.segments = (*found)->segments, .last = (*found)->last};
    return LogReader(disk, kDirectory, expected).read(from, visit);
  }
};

}  // namespace slotcar::storage
