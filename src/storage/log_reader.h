// LogReader: the records of a log directory, in order, each once. It decides what a crash has left:
//
//   * zeros, or torn bytes, at the end of the last segment: the log ends before them ("tail_cut");
//   * a hole that was once promised - a later segment exists, or a record behind the hole says so:
//     corruption, an error that names the file and the byte; nobody goes on from there by himself.
//
// Later segments win: where one begins at LSN n, what earlier ones have from n on does not count.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/log_format.h"

namespace slotcar::storage {

class LogReader {
 public:
  LogReader(runtime::Disk& disk, std::string directory)
      : disk_(disk), directory_(std::move(directory)) {}

  struct Segment {
    std::uint32_t number = 0;
    Lsn first;
  };
  struct Summary {
    Lsn first;                      // of the first record there is; 0: the log is empty
    Lsn last;                       // 0: the log is empty
    std::uint32_t next_number = 1;  // free for a new segment
    std::uint64_t records = 0;
    std::string tail_cut;  // where and why, for a warning; empty: the log ends cleanly
    std::vector<Segment> segments;
  };
  // Calls visit for each record with an LSN of at least `from`; false from it ends the reading.
  // Segments that end before `from` are not looked at.
  using Visit = std::function<bool(const RecordHeader&, std::string_view payload)>;
  Result<Summary> read(Lsn from, const Visit& visit);

 private:
  struct Open {
    std::unique_ptr<runtime::File> file;
    std::string path;
    std::uint64_t size = 0;
    std::uint32_t number = 0;
    Lsn first;
  };
  Result<std::vector<Open>> open_segments(Summary& summary);
  // Reads up to `end` (exclusive). Answers where the segment's records stop, and the next LSN.
  struct Stop {
    std::uint64_t at = 0;
    Lsn next;
    bool enough = false;  // the visitor wants no more
  };
  Result<Stop> read_segment(Open& segment, Lsn from, Lsn end, const Visit& visit, Summary& summary);
  Result<std::string_view> bytes_at(Open& segment, std::uint64_t at, std::size_t size);
  // Whether a record behind `at` says that `lsn` was once safe.
  Result<bool> was_promised(Open& segment, std::uint64_t at, Lsn lsn);

  runtime::Disk& disk_;
  std::string directory_;
  // What was read ahead, of which segment and from where.
  std::string window_;
  std::uint32_t window_of_ = 0;
  std::uint64_t window_at_ = 0;
};

}  // namespace slotcar::storage
