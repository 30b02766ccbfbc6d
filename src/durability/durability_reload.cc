// DEBUG RELOAD and DEBUG LOADAOF: write the data to the files and load it again while the server
// runs, so that tests can compare the result with the original. Nothing else runs: the caller holds
// every token, on a thread that may wait for the disk.
#include <time.h>

#include "base/assert.h"
#include "base/limits.h"
#include "durability/durability.h"
#include "durability/encode_entry.h"

namespace slotcar::durability {

namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;
constexpr std::size_t kKeysAtOnce = 1024;

void wait_a_little() {
  constexpr timespec kMillisecond{0, 1'000'000};
  ::nanosleep(&kMillisecond, nullptr);
}

void wait_until_durable(storage::Log& log) {
  log.sync_soon();
  while (log.durable() < log.last() && !log.failing()) wait_a_little();
}

}  // namespace

Status Durability::reload(shard::Thread& thread, const Reload& wanted) {
  if (!started_) return Error{"there is no directory to keep anything in"};
  const bool logged = scheduler_.log() != nullptr;
  if (logged && !wanted.saves) return Error{"the log would not know what was loaded"};
  std::string name;
  std::uint64_t number = 0;
  {
    std::lock_guard lock(mutex_);
    name = file_name_;
    number = ++number_;
    // The log continues the snapshot of that name, so that file stays unchanged.
    if (logged) name = storage::snapshot::temporary_name(++number_);
  }
  if (wanted.saves) {
    if (Status locked = lock(); !locked) return locked;
    if (Status saved = save_held(thread, name, number); !saved) return saved;
  }
  if (wanted.empties) empty_held(thread);
  const std::string path = directory() + "/" + name;
  Appliers appliers(*world_.executor, {&thread}, /*threaded=*/false);
  const auto loaded = Load(appliers, scheduler_, *world_.disk, *world_.log, world_.clock->unix_ms())
                          .run(path, [](std::uint64_t, std::uint64_t, std::size_t) {});
  thread.effects.clear();
  if (!loaded) world_.log->warning("cannot reload: {}", loaded.error().message);
  ASSERT(loaded || !wanted.saves);  // what we have just written we can read
  if (logged) static_cast<void>(world_.disk->remove(path));
  if (loaded) set_functions(loaded->functions);
  return loaded ? Status{} : Status{loaded.error()};
}

void Durability::wait_until_at_rest() const {
  const auto busy = [this] {
    std::lock_guard lock(mutex_);
    return !running_.empty() || !waiting_.empty() || switching_.load();
  };
  while (started_ && busy()) wait_a_little();
}

Status Durability::recover_again(shard::Thread& thread) {
  if (!started_) return Error{"there is no directory to keep anything in"};
  if (storage::Log* log = scheduler_.log()) wait_until_durable(*log);
  empty_held(thread);
  Appliers appliers(*world_.executor, {&thread}, /*threaded=*/false);
  const auto recovered =
      Recovery(settings_, directory(), file_name(), appliers, scheduler_, router_, *world_.disk,
               nullptr, *world_.clock, *world_.log, progress_)
          .look_again();
  thread.effects.clear();
  if (!recovered) world_.log->warning("cannot load again: {}", recovered.error().message);
  // With a log, memory and files would differ from here on.
  ASSERT(recovered || scheduler_.log() == nullptr);
  if (recovered) set_functions(recovered->functions);
  return recovered ? Status{} : Status{recovered.error()};
}

Status Durability::save_held(shard::Thread& thread, const std::string& name, std::uint64_t number) {
  const storage::SnapshotFacts about = facts();
  auto file = storage::SnapshotFile::create(*world_.disk, directory(), name, number, about);
  if (!file) return file.error();
  std::string piece;
  storage::SnapshotEncoder encoder(piece, settings_.compress.get());
  keyspace::Hold hold = scheduler_.holds().open_applying(thread);
  const auto encode = [&](const keyspace::Entry& entry) {
    encode_entry(encoder, entry, nullptr, scheduler_.settings().keyspace, about.created);
  };
  shard::ShardSet& shards = scheduler_.shards();
  for (std::uint32_t i = 0; i < shards.shape().databases; ++i) {
    const DbIndex db{static_cast<std::uint16_t>(i)};
    if (shards.keys(db) == 0) continue;
    encoder.select(db);
    for (std::uint32_t j = 0; j < shards.count(); ++j) {
      shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>(j)}];
      if (!shard.used()) continue;
      keyspace::Keyspace& keys = shard.keys();
      for (auto slot = keys.next_slot(db, Slot{shard.id().value}); slot;) {
        std::optional<std::uint64_t> at = 0;
        while (at) at = keys.scan_slot(hold, db, *slot, *at, kKeysAtOnce, encode);
        if (piece.size() >= kPieceBytes) {
          if (Status done = (*file)->append(piece); !done) return done;
          piece.clear();
        }
        const std::uint32_t next = slot->value + shards.count();
        if (next >= limits::kSlots) break;
        slot = keys.next_slot(db, Slot{static_cast<std::uint16_t>(next)});
      }
    }
  }
  if (Status done = (*file)->append(piece); !done) return done;
  if (Status done = (*file)->seal(std::nullopt); !done) return done;
  return (*file)->publish();
}

void Durability::empty_held(shard::Thread& thread) {
  keyspace::Hold hold = scheduler_.holds().open_applying(thread);
  shard::ShardSet& shards = scheduler_.shards();
  for (std::uint32_t i = 0; i < shards.shape().databases; ++i) {
    const DbIndex db{static_cast<std::uint16_t>(i)};
    for (std::uint32_t j = 0; j < shards.count(); ++j) {
      shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>(j)}];
      if (shard.used()) static_cast<void>(shard.keys().flush(hold, db));
    }
  }
  thread.effects.clear();
}

}  // namespace slotcar::durability
