// ManifestFile: the manifest of a running node, and the one place that rewrites it. The log's loop
// lists segments in it, the snapshots' loop names snapshots, and a shutdown notes the last record;
// each changes only its own part.
//
// Any thread that may wait for the disk. After an error the old one or the new one is on the
// medium; in memory it is the old one.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/manifest.h"

namespace slotcar::durability {

class ManifestFile {
 public:
  explicit ManifestFile(runtime::Disk& disk) : disk_(disk) {}

  // What recovery has found; `there`: it exists as a file.
  void start(std::string directory, storage::Manifest manifest, bool there);
  // Recovery is over: from now on the file is created when a segment is to be listed and there is
  // none. (Until then that could hide files of Redis which are still to be imported.)
  void may_be_made();
  // Another directory, which never had a log.
  void move_to(std::string directory);

  // `directory`: where the snapshot is that it names.
  Status update(const std::string& directory,
                const std::function<void(storage::Manifest&)>& change);
  // A segment that was not in it ends a `last`.
  Status list_segments(const std::vector<storage::SegmentEntry>& segments);
  // Which log buffer goes with the log from now on.
  Status note_life(std::uint64_t life, const std::string& boot_id);
  // The server stops in good order; nothing comes after this record.
  Status note_end(Lsn last);
  // Whether a segment was begun in this life.
  bool has_begun() const;

 private:
  Status write(const std::string& directory, storage::Manifest manifest);
  Status write_if_wanted(storage::Manifest manifest);

  runtime::Disk& disk_;
  mutable std::mutex mutex_;
  std::string directory_;
  storage::Manifest manifest_;
  bool there_ = false;
  bool may_be_made_ = false;
  bool has_begun_ = false;
};

}  // namespace slotcar::durability
