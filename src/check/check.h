// What slotcar-check does with a path: finds out what lies there - a directory of the server's, a
// log, a segment of one, a snapshot, a manifest, an append-only file of Redis - and checks all of
// it, from the first byte to the last.
#pragma once

#include <string>

#include "check/report.h"
#include "runtime/disk.h"

namespace slotcar::check {

void check_path(runtime::Disk& disk, const std::string& path, Report& report);

// One kind each; called by check_path.
void check_snapshot(runtime::Disk& disk, const std::string& path, Report& report);
void check_log(runtime::Disk& disk, const std::string& directory, Report& report);
void check_segment(runtime::Disk& disk, const std::string& path, Report& report);
void check_manifest(runtime::Disk& disk, const std::string& path, Report& report);
void check_aof(runtime::Disk& disk, const std::vector<std::string>& paths, Report& report);

}  // namespace slotcar::check
