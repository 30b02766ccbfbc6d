// Ownership of the directory: the lock of the running server, and the files of a Redis that ran
// there before.
#include <fmt/format.h>

#include <utility>

#include "durability/durability.h"
#include "storage/directory_lock.h"

namespace slotcar::durability {

Status Durability::lock() {
  std::lock_guard lock(mutex_);
  if (lock_ || settings_.directory.empty()) return {};
  auto locked = lock_of(directory_.empty() ? settings_.directory : directory_);
  if (!locked) return locked.error();
  lock_ = std::move(*locked);
  return {};
}

// Under the mutex. A lock that is held already is shared: CONFIG SET dir may name the same
// directory in another way, or come back to it while a snapshot is still written there.
Result<std::shared_ptr<runtime::FileLock>> Durability::lock_of(const std::string& directory) const {
  for (const auto& held : {lock_, snapshot_lock_}) {
    if (held && held->is_on(storage::lock_path(directory))) return held;
  }
  auto locked = storage::lock_directory(*world_.disk, directory);
  if (!locked) return locked.error();
  return std::shared_ptr<runtime::FileLock>(std::move(*locked));
}

std::vector<std::string> Durability::functions() const {
  std::lock_guard lock(mutex_);
  return functions_.texts();
}

void Durability::set_functions(const storage::FunctionLibraries& functions) {
  std::lock_guard lock(mutex_);
  functions_ = functions;
}

// Imported files are renamed and kept. A Redis that starts here again must not find them:
// with appendonly yes it would load the old data and ignore the snapshot. Called when the snapshot
// of the data is durable and before the manifest is, while no client has been served: so after a
// crash at any point the next start finds everything.
Status Durability::rename_imported(const std::string& directory) {
  std::vector<std::string> names;
  {
    std::lock_guard lock(mutex_);
    names = imported_;
  }
  if (names.empty()) return {};
  const std::string suffix = fmt::format(".imported-{}", world_.clock->unix_ms());
  for (const std::string& name : names) {
    const std::string from = directory + "/" + name;
    if (Status renamed = world_.disk->rename(from, from + suffix); !renamed) return renamed;
    // Each rename is made durable before the next: see Recovery::import_all.
    if (Status synced = world_.disk->sync_directory(directory); !synced) return synced;
    world_.log->notice(
        "{} is imported and is called {}{} from now on, so that a Redis that starts here does not "
        "load the old data. To go back: SAVE, start Redis with appendonly no, then CONFIG SET "
        "appendonly yes",
        name, name, suffix);
    std::lock_guard lock(mutex_);
    std::erase(imported_, name);
  }
  return {};
}

}  // namespace slotcar::durability
