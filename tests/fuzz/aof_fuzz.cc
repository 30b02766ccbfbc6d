// Any input as a redis append-only file is refused, or its commands are counted, each with a name;
// a transaction is never counted in parts.
#include <string>
#include <string_view>

#include "base/assert.h"
#include "memory_disk.h"
#include "storage/aof/aof_import.h"

namespace {

namespace storage = slotcar::storage;

struct CountedCommands : storage::AofVisitor {
  std::uint64_t commands = 0;

  slotcar::Status on_keys(const storage::SnapshotReader&, const storage::SnapshotBatch&) override {
    return {};
  }
  slotcar::Status on_commands(std::span<const storage::AofCommand> batch) override {
    ASSERT(!batch.empty());
    for (const storage::AofCommand& command : batch) ASSERT(!command.arguments.empty());
    commands += batch.size();
    return {};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slotcar::fuzz::MemoryDisk disk;
  disk.files["appendonly.aof"].assign(reinterpret_cast<const char*>(data), size);
  CountedCommands counted;
  const auto summary = storage::import_aof(disk, {{"d/appendonly.aof"}}, counted, {});
  ASSERT(!summary || summary->commands == counted.commands);
  CountedCommands strict;
  storage::AofOptions options;
  options.load_truncated = false;
  const auto strictly = storage::import_aof(disk, {{"d/appendonly.aof"}}, strict, options);
  ASSERT(strictly.ok() == (summary.ok() && summary->cut.empty()));
  return 0;
}
