// LogWriter: puts records into segment files, in order. It has no thread of its own: the log's
// thread calls it (and, in tests, the test). It keeps every record until it is durable, because of
// one rule: after a failed sync the file is never trusted again. Linux then marks the pages clean
// although they are not on the medium, and the next sync of the same file would succeed without
// writing them. So whatever was not durable goes into a new segment, which overrides the old one
// from its first LSN on.
//
// Segments are prepared one ahead: created, their space allocated, their header written, their name
// durable. So switching to the next cannot fail. A sync of allocated but unwritten space is slower
// than one of written space, because the file system has to update its metadata. So where every
// group is synced, zeros are written ahead of the records, a stretch at a time.
//
// The list of valid segments is kept elsewhere (`Options::list`; it is in the manifest). A segment
// is listed before it gets its first record. After a failure it is the other way round: what was
// not durable is written into new segments and synced, and only then are they listed, replacing
// those that they make superfluous. Until then the old ones, which have what was durable, stay
// valid. Files that are not listed are garbage: `open` removes those of earlier lives, and a failed
// attempt removes its own. A list whose writing failed may be on the medium or not, so before
// anything else is tried the last good one is written again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/clock.h"
#include "runtime/disk.h"
#include "runtime/random.h"
#include "storage/log/log_block.h"
#include "storage/log/log_format.h"

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
    runtime::Random* random = nullptr;  // for the salt (Log)
    std::uint64_t life = 0;             // of this process, for the segments' headers
    // Records durably which segments are valid. Null: there is no such list (tests).
    std::function<Status(const std::vector<SegmentEntry>&)> list = nullptr;
  };
  // The records are in `blocks`, and are released there.
  LogWriter(runtime::Disk& disk, const runtime::Clock& clock, LogBlocks& blocks, Options options)
      : disk_(disk), clock_(clock), blocks_(blocks), options_(std::move(options)) {}

  using Tail = std::vector<OldRecord>;
  // Begins after the records that are certainly durable, up to `durable`. What recovery has read
  // beyond that (`tail`) was perhaps only in the page cache, in a file whose sync had failed before
  // the process ended. Syncing it now would guarantee nothing, so it is written again into the new
  // segment. `number` is larger than that of every existing segment. Files of segments that are not
  // known (`know_older`) are removed.
  Status open(Lsn durable, std::uint32_t number, const Tail& tail = {});
  // Before `open`: a valid segment of an earlier life, in ascending order.
  void know_older(const FoundSegment& segment);

  // Takes the next records over; LSNs have no gap. They are written (to the page cache), or, after
  // an error, kept until `rotate_after_failure` succeeds.
  Status write(const std::vector<LogRecord>& records);
  // Makes everything that was written durable.
  Status sync();
  // After any error: starts a new segment with all that was not durable, and syncs it. May be tried
  // again and again.
  // tried again and again.
  Status rotate_after_failure();
  // Whether a sync follows every write.
  void set_zeros_ahead(bool on) { zeros_ahead_ = on; }

  bool broken() const { return broken_; }
  Lsn durable() const { return durable_; }                // all up to here are durable
  Lsn last() const { return last_; }                      // the last record taken over
  std::size_t kept_bytes() const { return kept_bytes_; }  // of records not durable yet
  // Removes the segments all of whose records lie before `from` (a snapshot contains them).
  Status trim(Lsn from);

 private:
  struct Segment {
    std::unique_ptr<runtime::File> file;
    std::uint32_t number = 0;
    std::uint64_t salt = 0;
    Lsn first;                    // 0: it has no record yet
    std::uint64_t size = 0;       // written so far, the header included
    std::uint64_t zeroed = 0;     // zeros are written up to here
    std::uint64_t forgotten = 0;  // dropped from the page cache up to here
  };

  Result<std::unique_ptr<Segment>> make_segment();
  Status prepare(Segment& segment);
  SegmentEntry entry_of(const Segment& segment) const;
  bool is_listed(std::uint32_t number) const;
  Status begin_segment(Lsn first);
  Status change_segment();
  Status write_list(std::vector<SegmentEntry> segments);
  void drop(std::unique_ptr<Segment> segment);
  void remove_dropped();
  Status remove_unlisted();
  void release_ends();
  Status rewrite_kept();
  Status write_rewritten();
  Status write_referring(LogRecord record, Lsn lsn);
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
  std::unique_ptr<Segment> current_;  // null: the last attempt to recover has failed
  std::unique_ptr<Segment> next_;     // prepared, not begun
  std::unique_ptr<Segment> failed_;   // listed until its records that are not durable are elsewhere
  std::vector<std::unique_ptr<Segment>> rewritten_;  // full ones, while `rewriting_`
  bool rewriting_ = false;
  std::vector<FoundSegment> older_;     // of earlier lives, until they are opened
  std::vector<SegmentEntry> listed_;    // the last list that was certainly written
  bool list_uncertain_ = false;         // ... and writing another one has failed since
  std::vector<std::uint32_t> dropped_;  // files to be removed, once the list is certain
  std::uint32_t number_ = 0;
  // Not yet handed to the file; neighbours are joined.
  std::vector<std::string_view> pieces_;
  std::uint64_t pieces_bytes_ = 0;
  std::vector<LogRecord> kept_;  // the last of them is `last_`
  std::size_t kept_bytes_ = 0;
  Lsn last_;
  Lsn durable_;
  bool broken_ = false;
};

}  // namespace slotcar::storage
