// RealDisk: the file system. Any thread; a File is used by one at a time.
// Every error names the path and says the system's words for it.
#pragma once

#include "runtime/disk.h"

namespace slotcar::runtime {

class RealDisk final : public Disk {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  // Fine if it is there already.
  Status make_directory(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  // Names only, sorted, without "." and "..".
  Result<std::vector<std::string>> list(const std::string& directory) override;
};

}  // namespace slotcar::runtime
