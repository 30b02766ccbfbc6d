// Settings that handlers and the scheduler read; CONFIG SET stores into them.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/limits.h"
#include "keyspace/hold.h"
#include "shard/slow_calls.h"

namespace slotcar::shard {

// Bounds on calls that wait for keys.
struct BlockingSettings {
  std::atomic<std::int64_t> waiters_per_key_max{limits::kWaitersPerKeyMaxDefault};
  std::atomic<std::int64_t> waiters_max{limits::kWaitersMaxDefault};
  std::atomic<std::int64_t> keys_per_wait_max{limits::kKeysPerWaitMaxDefault};
  std::atomic<std::int64_t> wakeup_batch{limits::kWakeupBatchDefault};
};

class Rights;

struct ExecutionSettings {
  std::atomic<std::int64_t> bulk_bytes_max{static_cast<std::int64_t>(limits::kBulkBytesMaxDefault)};
  std::atomic<bool> lazyfree_user_flush{false};
  std::atomic<bool> latency_tracking{true};
  keyspace::KeyspaceSettings keyspace;
  BlockingSettings blocking;
  // Calls that take this long are noted, if there is a slow log
  // (slowlog-log-slower-than).
  std::atomic<std::uint64_t> slow_call_cycles{UINT64_MAX};
  SlowCalls* slow_calls = nullptr;
  const Rights* rights = nullptr;  // asked for calls that have waited; null: everything may run
  // Whether DUMP packs long strings (rdbcompression, a setting of the snapshots); null: it does.
  const std::atomic<bool>* packs_dumps = nullptr;
};

}  // namespace slotcar::shard
