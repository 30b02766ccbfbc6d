// Reads the files of a Redis with appendonly yes (docs/formats/aof-import.md): a directory with a
// manifest, a base and its increments, or the one file of Redis before 7.0. Nothing is changed in
// it.
//
// A transaction is delivered as a whole, without MULTI and EXEC, and only once its EXEC was read.
// Each command has its database; SELECT is not delivered.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/snapshot/snapshot_reader.h"

namespace slotcar::storage {

struct AofCommand {
  DbIndex db;
  std::span<const std::string_view> arguments;  // the command's name first
};

// Called in order. An error ends the import and is its result.
class AofVisitor : public SnapshotVisitor {
 public:
  // Keys of a part in the snapshot's format.
  virtual Status on_keys(const SnapshotReader& reader, const SnapshotBatch& batch) = 0;
  // One command, or all of a transaction. They are valid only during the call.
  virtual Status on_commands(std::span<const AofCommand> commands) = 0;
};

struct AofFiles {
  std::vector<std::string> paths;  // in the order in which they are read; empty: there are none
  std::string name = {};           // of the directory that holds them, or of the one file
};
// `directory_name` and `file_name`: Redis's settings appenddirname and appendfilename.
Result<AofFiles> find_aof(runtime::Disk& disk, const std::string& directory,
                          const std::string& directory_name, const std::string& file_name);

struct AofOptions {
  // aof-load-truncated: a command, or a transaction, that is not whole at the end of the last file
  // is dropped; otherwise it is an error.
  bool load_truncated = true;
  SnapshotReader::Options snapshot = {};
};
struct AofSummary {
  std::uint64_t keys = 0;      // of parts in the snapshot's format
  std::uint64_t commands = 0;  // those of transactions, too
  std::string cut = {};        // what was dropped at the end, for a warning; empty: nothing
};
Result<AofSummary> import_aof(runtime::Disk& disk, const AofFiles& files, AofVisitor& visitor,
                              const AofOptions& options);

}  // namespace slotcar::storage
