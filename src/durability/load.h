// Load: puts the keys of a snapshot's file - ours, or Redis's - into the shards.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "durability/appliers.h"
#include "durability/missing_databases.h"
#include "runtime/disk.h"
#include "runtime/log.h"
#include "shard/scheduler.h"
#include "storage/function_libraries.h"
#include "storage/snapshot/snapshot_reader.h"

namespace slotcar::durability {

struct Loaded {
  std::uint64_t keys = 0;
  std::uint64_t keys_expired = 0;  // of those: already expired when they were read
  std::uint64_t size = 0;
  std::uint64_t crc = 0;
  std::uint16_t version = 0;
  // What the file says about its origin; empty: it is not ours.
  std::string node_id;
  Epoch epoch;
  std::optional<Lsn> begin;
  std::optional<Lsn> settled;
  storage::FunctionLibraries functions;
};

class Load final : public storage::SnapshotVisitor {
 public:
  // `now`: the time by which keys count as expired.
  Load(Appliers& appliers, shard::Scheduler& scheduler, runtime::Disk& disk, runtime::Logger& log,
       UnixMs now)
      : appliers_(appliers),
        scheduler_(scheduler),
        disk_(disk),
        log_(log),
        now_(now),
        missing_(scheduler.shards().shape().databases) {}

  // Called now and then: `done` of `size` bytes are read, with this many keys since the last
  // call.
  using Tell = std::function<void(std::uint64_t done, std::uint64_t size, std::size_t keys)>;
  Result<Loaded> run(const std::string& path, const Tell& tell);
  // Keys of an import that come from elsewhere (the RDB part of a Redis log).
  Status deal(const std::shared_ptr<const storage::SnapshotBatch>& batch);
  const Loaded& so_far() const { return loaded_; }

  void on_aux(std::string_view name, std::string_view value) override;
  void on_function(std::string_view library) override;
  void on_skipped(const std::string& what) override;

 private:
  class Keys;

  void deal_or_scan(const std::shared_ptr<const storage::SnapshotBatch>& batch);

  Appliers& appliers_;
  shard::Scheduler& scheduler_;
  runtime::Disk& disk_;
  runtime::Logger& log_;
  const UnixMs now_;
  Loaded loaded_;
  MissingDatabases missing_;
};

}  // namespace slotcar::durability
