// Settings that handlers and the scheduler read; CONFIG SET stores into them.
#pragma once

#include <cstdint>

#include "base/limits.h"
#include "base/setting.h"
#include "keyspace/hold.h"
#include "shard/slow_calls.h"

namespace slotcar::shard {

// Bounds on calls that wait for keys.
struct BlockingSettings {
  base::Setting<std::int64_t> waiters_per_key_max{limits::kWaitersPerKeyMaxDefault};
  base::Setting<std::int64_t> waiters_max{limits::kWaitersMaxDefault};
  base::Setting<std::int64_t> keys_per_wait_max{limits::kKeysPerWaitMaxDefault};
  base::Setting<std::int64_t> wakeup_batch{limits::kWakeupBatchDefault};
};

class Rights;
class SlotCheck;

struct ExecutionSettings {
  base::Setting<std::int64_t> bulk_bytes_max{
      static_cast<std::int64_t>(limits::kBulkBytesMaxDefault)};
  base::Setting<bool> lazyfree_user_flush{false};
  base::Setting<bool> latency_tracking{true};
  keyspace::KeyspaceSettings keyspace;
  BlockingSettings blocking;
  // Calls that take this long are noted, if there is a slow log
  // (slowlog-log-slower-than).
  base::Setting<std::uint64_t> slow_call_cycles{UINT64_MAX};
  SlowCalls* slow_calls = nullptr;
  const Rights* rights = nullptr;    // asked for calls that have waited; null: everything may run
  const SlotCheck* slots = nullptr;  // asked under a call's tokens; null: there is no cluster
  // Whether DUMP packs long strings (rdbcompression, a setting of the snapshots); null: it does.
  const base::Setting<bool>* packs_dumps = nullptr;
};

}  // namespace slotcar::shard
