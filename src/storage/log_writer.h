// LogWriter: puts records into segment files, in order. No thread of its own: the log's thread
// calls it (and, in tests, the test). It keeps every record until a sync has promised it, because
// of one rule: after a failed sync the file is never trusted again. Linux then marks the pages
// clean although they are not on the medium, and the next sync of the same file would promise what
// it did not do. So whatever was not promised goes into a new segment, which wins over the old one
// from its first LSN on.
//
// Segments are prepared one ahead: created, their space taken, named durably. Changing to the next
// is then no occasion to fail. Space that was only taken costs a sync more than space that was
// written before, because the file system has to note down what is now in use; so where every group
// is synced, zeros are written ahead of the records, a stretch at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/clock.h"
#include "runtime/disk.h"
#include "storage/log_block.h"
#include "storage/log_format.h"

namespace slotcar::storage {

// A record of an earlier life.
struct OldRecord {
  RecordAbout about;
  std::string payload;
};

class LogWriter {
 public:
  struct Options {
    std::string directory;
    std::uint64_t segment_bytes = 64 * 1024 * 1024;
  };
  // What is written lies in `blocks`, and goes back there.
  LogWriter(runtime::Disk& disk, const runtime::Clock& clock, LogBlocks& blocks, Options options)
      : disk_(disk), clock_(clock), blocks_(blocks), options_(std::move(options)) {}

  using Tail = std::vector<OldRecord>;
  // Begins behind what is on the medium for certain, up to `durable`. What recovery has read beyond
  // that (`tail`) was perhaps only in the kernel's memory, of a file whose sync had failed before
  // the process ended, and syncing it now would promise nothing: it is written once more, into the
  // new segment. `number` is larger than that of every segment there.
  Status open(Lsn durable, std::uint32_t number, const Tail& tail = {});
  // A segment of an earlier life, so that `trim` knows it.
  void know_older(std::uint32_t number, Lsn first) { older_.emplace_back(number, first); }

  // Takes the next records over; LSNs have no gap. They are written (to the page cache), or, after
  // an error, kept until `mend` succeeds.
  Status write(const std::vector<LogRecord>& records);
  // Promises all that was written.
  Status sync();
  // After any error: starts a new segment with all that was not promised, and syncs it. May be
  // tried again and again.
  Status mend();
  // Whether a sync follows every write.
  void set_zeros_ahead(bool on) { zeros_ahead_ = on; }

  bool broken() const { return broken_; }
  Lsn durable() const { return durable_; }                // all up to here are promised
  Lsn last() const { return last_; }                      // the last record taken over
  std::size_t kept_bytes() const { return kept_bytes_; }  // of records not promised yet
  // Removes the segments all of whose records lie before `from` (a snapshot has them).
  Status trim(Lsn from);

 private:
  struct Segment {
    std::unique_ptr<runtime::File> file;
    std::uint32_t number = 0;
    Lsn first;
    std::uint64_t size = 0;       // written so far, the header included
    std::uint64_t zeroed = 0;     // zeros are written up to here
    std::uint64_t forgotten = 0;  // the kernel may have forgotten what it had written up to here
  };

  Result<std::unique_ptr<Segment>> make_segment();
  Status change_segment(Lsn first);
  void put(LogRecord record, Lsn lsn);
  void put_bytes(std::string_view bytes);
  void put_zeros();
  Status flush();
  Status write_all(std::size_t from);
  void promised();
  void forget_written(std::uint64_t least);
  std::string path(std::uint32_t number) const;

  runtime::Disk& disk_;
  const runtime::Clock& clock_;
  LogBlocks& blocks_;
  Options options_;
  bool zeros_ahead_ = false;
  std::unique_ptr<Segment> current_;
  std::deque<std::pair<std::uint32_t, Lsn>> older_;  // segments behind: number, first LSN
  std::unique_ptr<Segment> next_;                    // prepared, not begun
  std::uint32_t number_ = 0;
  // Not yet handed to the file: where it lies, neighbours joined.
  std::vector<std::string_view> pieces_;
  std::uint64_t pieces_bytes_ = 0;
  char segment_header_[SegmentHeader::kBytes] = {};
  std::vector<LogRecord> kept_;  // the last of them is `last_`
  std::size_t kept_bytes_ = 0;
  Lsn last_;
  Lsn durable_;
  bool broken_ = false;
};

}  // namespace slotcar::storage
