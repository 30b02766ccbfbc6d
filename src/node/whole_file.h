// Small files read and replaced as a whole, through the door to the disk.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::node {

Result<std::string> read_whole_file(runtime::Disk& disk, const std::string& path);
// The old contents or the new, never a part: a temporary file beside it, synced, takes its name.
Status replace_file(runtime::Disk& disk, const std::string& path, std::string_view contents);

}  // namespace slotcar::node
