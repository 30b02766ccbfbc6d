// One server in a directory: the lock that it holds from before it reads the first file until its
// end. Two servers in one directory would remove each other's files and write over each other's
// records.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::storage {

// The file is empty but for the process's number, and is never removed: removing it could remove a
// file that another server has just locked.
inline constexpr std::string_view kLockName = "slotcar.lock";

std::string lock_path(const std::string& directory);

// An error says which process runs there, or why the lock cannot be taken.
Result<std::unique_ptr<runtime::FileLock>> lock_directory(runtime::Disk& disk,
                                                          const std::string& directory);

// "another server runs in this directory (pid 17)"; empty: none does.
std::string other_server(runtime::Disk& disk, const std::string& directory);

}  // namespace slotcar::storage
