// Whatever is given as a redis append-only file: it is refused, or its commands are told, each with
// a name; a transaction is never told in parts.
#include <string>
#include <string_view>

#include "base/assert.h"
#include "memory_disk.h"
#include "storage/aof_import.h"

namespace {

namespace storage = slotcar::storage;

struct Told : storage::AofVisitor {
  std::uint64_t commands = 0;

  slotcar::Status on_keys(const storage::SnapshotReader&, const storage::SnapshotBatch&) override {
    return {};
  }
  slotcar::Status on_commands(std::span<const storage::AofCommand> told) override {
    ASSERT(!told.empty());
    for (const storage::AofCommand& command : told) ASSERT(!command.arguments.empty());
    commands += told.size();
    return {};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slotcar::fuzz::MemoryDisk disk;
  disk.files["appendonly.aof"].assign(reinterpret_cast<const char*>(data), size);
  Told told;
  const auto summary = storage::import_aof(disk, {{"d/appendonly.aof"}}, told, {});
  ASSERT(!summary || summary->commands == told.commands);
  Told strict;
  storage::AofOptions options;
  options.load_truncated = false;
  const auto strictly = storage::import_aof(disk, {{"d/appendonly.aof"}}, strict, options);
  ASSERT(strictly.ok() == (summary.ok() && summary->cut.empty()));
  return 0;
}
