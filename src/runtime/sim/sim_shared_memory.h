// SimSharedMemory: memory that survives a kill of the node but not a crash of the machine. The
// simulation calls `crash`; a restart of the node keeps everything. A capacity makes `allocate`
// fail.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/shared_memory.h"

namespace slotcar::runtime {

class SimSharedMemory final : public SharedMemory {
 public:
  Result<std::unique_ptr<SharedRegion>> create(const std::string& name, std::size_t size,
                                               std::size_t alignment) override;
  bool in_use(const std::string&) override { return false; }
  Result<std::optional<std::string>> read(const std::string& name) override;
  std::string read_front(const std::string& name, std::size_t bytes) override;
  std::vector<std::string> list(const std::string& prefix) override;
  Status remove(const std::string& name) override;
  std::string path(const std::string& name) const override { return "shm/" + name; }
  std::string boot_id() override { return "boot-" + std::to_string(boots_); }
  std::uint64_t directory_id(const std::string& directory) override {
    return std::hash<std::string>()(directory);
  }
  std::string directory_path(const std::string& directory) override { return "/" + directory; }
  bool is_gone(const std::string& directory_path) override {
    return gone_.contains(directory_path);
  }

  void remove_directory(const std::string& directory_path) { gone_.insert(directory_path); }
  void set_capacity(std::size_t bytes) { capacity_ = bytes; }
  // The machine restarts: nothing is left.
  void crash() {
    files_.clear();
    ++boots_;
  }
  // The process is killed: what it still does to its regions has no effect any more.
  void kill();
  // The files of a dead process are cleaned up (a session's end, a container's).
  void clear() { files_.clear(); }
  std::size_t count() const { return files_.size(); }

 private:
  class Region;
  struct File {
    std::shared_ptr<char[]> memory;  // also the region's, which may outlive the file
    char* data = nullptr;            // aligned
    std::size_t size = 0;
    std::map<std::size_t, std::size_t> pages;  // allocated: offset, bytes
  };
  std::size_t used() const;

  std::map<std::string, std::shared_ptr<File>> files_;
  std::set<std::string> gone_;  // directories
  std::size_t capacity_ = SIZE_MAX;
  std::uint64_t boots_ = 1;
};

}  // namespace slotcar::runtime
