// LogReader: the records of a log directory, in order, each once. It decides what a crash left:
//
//   * zeros, or torn bytes, at the end of the last segment: the log ends before them ("tail_cut");
//   * a hole that was once durable: an error that names the file and the byte. The next segment
//     says so, or a record behind the hole, or the snapshot that the log continues, or the manifest
//     of a server that was shut down cleanly.
//
// A caller with a manifest says what must exist (`Expected`). Then it is also an error if a listed
// segment is missing, shorter than it was made, or not the one that was listed; other files are
// ignored. Without a manifest (a log directory by itself, and logs of version 1) the segments' own
// headers say which exist. Later segments win: where one begins at LSN n, records of earlier ones
// from n on are ignored.
//
// Segments that end before the wanted LSN are not read, and need not exist: a snapshot has them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/log/log_format.h"

namespace slotcar::storage {

class LogReader {
 public:
  struct Expected {
    std::optional<std::vector<SegmentEntry>> segments = {};  // as Manifest::segments
    Lsn settled{0};                // all up to here were durable when the snapshot was published
    std::optional<Lsn> last = {};  // the log ended with this record, after a clean shutdown
    Lsn until{UINT64_MAX};         // records after this are not wanted, and may be damaged
  };
  LogReader(runtime::Disk& disk, std::string directory)
      : disk_(disk), directory_(std::move(directory)) {}
  LogReader(runtime::Disk& disk, std::string directory, Expected expected)
      : disk_(disk), directory_(std::move(directory)), expected_(std::move(expected)) {}

  struct Summary {
    Lsn first;                      // of the first record there is; 0: none was read
    Lsn last;                       // 0: none was read
    Lsn durable;                    // all up to here are certainly durable
    std::uint32_t next_number = 1;  // free for a new segment
    std::uint64_t records = 0;
    bool has_more = false;  // there are records after `until`, which were not read
    std::string tail_cut;   // where and why, for a warning; empty: the log ends cleanly
    std::vector<FoundSegment> segments;
  };
  // Calls visit for each record with an LSN of at least `from`; false from it ends the reading.
  using Visit = std::function<bool(const RecordHeader&, std::string_view payload)>;
  Result<Summary> read(Lsn from, const Visit& visit);
  // After an error: the first record that cannot be read.
  Lsn damaged() const { return damaged_; }

 private:
  struct Open {
    std::unique_ptr<runtime::File> file;
    std::string path;
    std::uint64_t size = 0;
    std::uint32_t number = 0;
    SegmentFormat format;
    Lsn first;
  };
  // Where the segment's records stop, and the next LSN.
  struct Stop {
    std::uint64_t at = 0;
    Lsn next;
    bool enough = false;  // the visitor stopped
    bool torn = false;    // something other than zeros follows
  };

  std::string path(std::uint32_t number) const;
  Result<std::vector<std::uint32_t>> numbers_there() const;
  Result<std::vector<SegmentEntry>> find_segments(const std::vector<std::uint32_t>& numbers);
  Result<std::optional<SegmentEntry>> look_into(std::uint32_t number);
  Result<Open> open_file(std::uint32_t number) const;
  Result<Open> open_listed(const SegmentEntry& entry) const;
  Status read_all(Lsn from, const Visit& visit, Summary& summary);
  Result<Stop> read_segment(Open& segment, Lsn from, Lsn end, const Visit& visit, Summary& summary);
  Result<std::string_view> bytes_at(Open& segment, std::uint64_t at, std::size_t size);
  // Why a log that ends at `stop` must have had more; empty: nothing says so.
  Result<std::string> why_more(Open& segment, const Stop& stop, Lsn end, Summary& summary);
  // Whether a record after `at` says that `lsn` was once durable.
  Result<bool> was_promised(Open& segment, std::uint64_t at, Lsn lsn);
  Lsn least_end() const;

  runtime::Disk& disk_;
  std::string directory_;
  Expected expected_;
  Lsn damaged_;
  // What was read ahead, of which segment and from where.
  std::string window_;
  std::uint32_t window_of_ = 0;
  std::uint64_t window_at_ = 0;
};

}  // namespace slotcar::storage
