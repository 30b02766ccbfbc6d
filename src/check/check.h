// What slotcar-check does with a path: finds out what it is (a directory of the server, a log, a
// segment of one, a snapshot, a manifest, an append-only file of Redis) and checks all of it, from
// the first byte to the last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/report.h"
#include "runtime/disk.h"
#include "storage/aof/aof_import.h"
#include "storage/log/log_reader.h"
#include "storage/manifest.h"

namespace slotcar::check {

void check_path(runtime::Disk& disk, const std::string& path, Report& report);

// One kind each; called by check_path.
// What the file says about itself; nothing: it is bad.
std::optional<storage::FoundSnapshot> check_snapshot(runtime::Disk& disk, const std::string& path,
                                                     Report& report);
// `expected` and `from`: what a start would expect, and from which record on; 0: unknown.
void check_log(runtime::Disk& disk, const std::string& directory,
               const storage::LogReader::Expected& expected, Lsn from, Report& report);
void check_segment(runtime::Disk& disk, const std::string& path, Report& report);
void check_manifest(runtime::Disk& disk, const std::string& path, Report& report);
void check_aof(runtime::Disk& disk, const storage::AofFiles& files, Report& report);
// Reports what happens to function libraries, if there are any.
void tell_functions(const std::string& path, std::size_t libraries, Report& report);

}  // namespace slotcar::check
