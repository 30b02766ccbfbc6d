// LogWriter: puts records into segment files, in order. No thread of its own: the log's thread
// calls it (and, in tests, the test). It keeps every record until a sync has promised it, because
// of one rule: after a failed sync the file is never trusted again. Linux then marks the pages
// clean although they are not on the medium, and the next sync of the same file would promise what
// it did not do. So whatever was not promised goes into a new segment, which wins over the old one
// from its first LSN on.
//
// Segments are prepared one ahead: created, filled with zeros, named durably. Changing to the next
// is then no occasion to fail.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/clock.h"
#include "runtime/disk.h"
#include "storage/log_format.h"

namespace slotcar::storage {

// A record on its way to the disk. Its LSN is given by the log.
struct LogRecord {
  Lsn lsn;
  Epoch epoch;
  UnixMs time = 0;
  std::uint16_t slot = RecordHeader::kSeveralSlots;
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;  // of the payload; made by whoever made the payload
  std::string payload;
};

class LogWriter {
 public:
  struct Options {
    std::string directory;
    std::uint64_t segment_bytes = 64 * 1024 * 1024;
  };
  LogWriter(runtime::Disk& disk, const runtime::Clock& clock, Options options)
      : disk_(disk), clock_(clock), options_(std::move(options)) {}

  using Records = std::vector<std::unique_ptr<LogRecord>>;
  // Begins behind what is on the medium for certain, up to `durable`. What recovery has read beyond
  // that (`tail`) was perhaps only in the kernel's memory, of a file whose sync had failed before
  // the process ended, and syncing it now would promise nothing: it is written once more, into the
  // new segment. `number` is larger than that of every segment there.
  Status open(Lsn durable, std::uint32_t number, Records tail = {});
  // A segment of an earlier life, so that `trim` knows it.
  void know_older(std::uint32_t number, Lsn first) { older_.emplace_back(number, first); }

  // Takes the records over, in order of LSN without a gap. They are written (to the page cache),
  // or, after an error, kept until `mend` succeeds.
  Status write(Records records);
  // Promises all that was written.
  Status sync();
  // After any error: starts a new segment with all that was not promised, and syncs it. May be
  // tried again and again.
  Status mend();

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
    std::uint64_t size = 0;  // written so far, the header included
  };

  Result<std::unique_ptr<Segment>> make_segment();
  Status change_segment(Lsn first);
  void put(const LogRecord& record);
  Status flush();
  Status write_all(std::size_t from);
  void promised();
  std::string path(std::uint32_t number) const;

  runtime::Disk& disk_;
  const runtime::Clock& clock_;
  Options options_;
  std::unique_ptr<Segment> current_;
  std::deque<std::pair<std::uint32_t, Lsn>> older_;  // segments behind: number, first LSN
  std::unique_ptr<Segment> next_;                    // prepared, not begun
  std::uint32_t number_ = 0;
  std::string buffer_;  // records not yet handed to the file
  std::deque<std::unique_ptr<LogRecord>> kept_;
  std::size_t kept_bytes_ = 0;
  Lsn last_;
  Lsn durable_;
  bool broken_ = false;
};

}  // namespace slotcar::storage
