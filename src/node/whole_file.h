// Small files read and replaced as a whole, through runtime::Disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/disk.h"

namespace slotcar::node {

Result<std::string> read_whole_file(runtime::Disk& disk, const std::string& path);
// Leaves the old contents or the new, never a part: a synced temporary file is renamed. The name of
// that is `path`.tmp, so callers for the same path take turns. `who` may open it afterwards;
// as_before is only_this_user for a new file.
enum class Readers : std::uint8_t { all, only_this_user, as_before };
Status replace_file(runtime::Disk& disk, const std::string& path, std::string_view contents,
                    Readers who = Readers::all);

}  // namespace slotcar::node
