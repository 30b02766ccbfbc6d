// RealSharedMemory: files of one directory, which should be a tmpfs. On another file system it
// works too, but its pages are written to the disk now and then, and a thread that writes to such a
// page waits.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/shared_memory.h"

namespace slotcar::runtime {

class RealSharedMemory final : public SharedMemory {
 public:
  explicit RealSharedMemory(std::string directory) : directory_(std::move(directory)) {}

  Result<std::unique_ptr<SharedRegion>> create(const std::string& name, std::size_t size,
                                               std::size_t alignment) override;
  bool in_use(const std::string& name) override;
  Result<std::optional<std::string>> read(const std::string& name) override;
  std::string read_front(const std::string& name, std::size_t bytes) override;
  std::vector<std::string> list(const std::string& prefix) override;
  Status remove(const std::string& name) override;
  std::string path(const std::string& name) const override { return directory_ + "/" + name; }
  std::string boot_id() override;
  std::uint64_t directory_id(const std::string& directory) override;
  std::string directory_path(const std::string& directory) override;
  bool is_gone(const std::string& directory_path) override;

 private:
  std::string directory_;
};

}  // namespace slotcar::runtime
