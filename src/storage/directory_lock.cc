#include "storage/directory_lock.h"

#include <fmt/format.h>

namespace slotcar::storage {

std::string lock_path(const std::string& directory) {
  return directory + "/" + std::string(kLockName);
}

Result<std::unique_ptr<runtime::FileLock>> lock_directory(runtime::Disk& disk,
                                                          const std::string& directory) {
  auto lock = disk.lock(lock_path(directory));
  if (lock) return lock;
  const std::string other = other_server(disk, directory);
  if (other.empty()) return lock;
  return Error{other + ": stop it first, or choose another 'dir'"};
}

std::string other_server(runtime::Disk& disk, const std::string& directory) {
  const auto holder = disk.lock_holder(lock_path(directory));
  if (!holder) return {};
  if (*holder == 0) return "another server runs in this directory";
  return fmt::format("another server runs in this directory (pid {})", *holder);
}

}  // namespace slotcar::storage
