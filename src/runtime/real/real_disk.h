// RealDisk: the file system. Any thread; a File is used by one at a time.
// Every error contains the path and the system's message.
#pragma once

#include "runtime/disk.h"

namespace slotcar::runtime {

class RealDisk final : public Disk {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status copy_access(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  // Succeeds if it exists already.
  Status make_directory(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  // Names only, sorted, without "." and "..".
  Result<std::vector<std::string>> list(const std::string& directory) override;
  // The lock belongs to the open file (OFD), so a second one in the same process is refused, too.
  // The file holds the number of the process that took the lock last.
  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override;
  std::optional<std::int64_t> lock_holder(const std::string& path) override;
};

}  // namespace slotcar::runtime
