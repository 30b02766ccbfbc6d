// SnapshotFile: writes the file of a snapshot. Its pieces come from SnapshotEncoders, each with
// whole keys. They are concatenated, checksummed and written under a temporary name. Only `publish`
// gives the file its name, after everything is on the medium: a file with that name is complete,
// whenever the power fails.
//
//   create -> append, append, ... -> seal -> publish          or, at any time, abandon
//
// After an error only `abandon` (or the destructor, which does the same) may be called. One thread
// at a time.
//
// The kernel is asked to write back while the file grows, and we wait for the request before the
// last one. So the final sync never has more than a few megabytes to write, and the log's syncs, on
// the same disk, do not queue behind gigabytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::storage {

// What is known when it is begun.
struct SnapshotFacts {
  std::string server_version;  // as INFO's redis_version
  UnixMs created = 0;
  std::uint64_t used_memory = 0;
  std::string node_id = {};  // empty: omitted
  Epoch epoch = {};          // the snapshot has the effects of all epochs below; 0: omitted
  bool checksum = true;      // rdbchecksum
  std::vector<std::string> functions = {};  // the texts of libraries, see function_libraries.h
};

// What is known only at its end: see Manifest::Snapshot.
struct SnapshotPlace {
  Lsn begin;
  Lsn settled;
};

class SnapshotFile {
 public:
  // The file's name is temp-NUMBER.rdb until `publish`, then `directory`/`name`.
  static Result<std::unique_ptr<SnapshotFile>> create(runtime::Disk& disk, std::string directory,
                                                      std::string name, std::uint64_t number,
                                                      const SnapshotFacts& facts);
  ~SnapshotFile();
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;

  Status append(std::string_view piece);
  // Writes the end and the checksum, then syncs everything under the temporary name.
  Status seal(const std::optional<SnapshotPlace>& place);
  // The file gets its name, durably, replacing an earlier file.
  Status publish();
  void abandon();

  // The bytes appended so far; once sealed, of the whole file.
  std::uint64_t size() const { return offset_ + buffer_.size(); }
  std::uint64_t crc() const { return crc_; }

 private:
  enum class State : std::uint8_t { writing, sealed, over };

  SnapshotFile(runtime::Disk& disk, std::string directory, std::string name,
               std::string temporary_name, std::unique_ptr<runtime::File> file, bool checksum);
  Status flush();
  Status write_back();

  runtime::Disk& disk_;
  std::string directory_;
  std::string path_;
  std::string temporary_path_;
  std::unique_ptr<runtime::File> file_;
  bool checksum_;
  State state_ = State::writing;
  std::string buffer_;                 // not yet written to the file
  std::uint64_t offset_ = 0;           // bytes written to the file
  std::uint64_t write_back_from_ = 0;  // the kernel was asked to write everything before
  std::uint64_t forgotten_ = 0;        // dropped from the page cache up to here
  std::uint64_t crc_ = 0;
};

}  // namespace slotcar::storage
