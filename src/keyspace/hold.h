// Hold: proof that the tokens of some shards are held, and the context of a change. Only the part
// of the scheduler that opens and closes holds makes one (shard/holds.h). Every function of the
// keyspace that reads data takes a Hold and asserts that its shard is among those held. It cannot
// be copied, so there is one proof for each hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/counter.h"
#include "base/ids.h"
#include "base/setting.h"
#include "base/shard_list.h"
#include "base/shared_bytes.h"
#include "keyspace/effects.h"
#include "keyspace/watch/events.h"
#include "keyspace/watch/pending_notifications.h"
#include "types/settings.h"

namespace slotcar::shard {
class Holds;
}

namespace slotcar::keyspace {

struct WaitedKey;
class Undo;

// Counted by each thread for itself, summed by INFO.
struct KeyspaceCounters {
  base::Counter memory;  // bytes held by keys, values and tables; may be negative for one thread
  base::Counter hits;
  base::Counter misses;
  base::Counter expired;
  base::Counter evicted;
  base::Counter expire_lag_ms_max;  // since the last RESETSTAT
  base::Counter watches;            // that clients have now; may be negative for one thread
};

enum class EvictionPolicy : std::uint8_t {
  noeviction,
  allkeys_lru,
  allkeys_lfu,
  allkeys_random,
  volatile_lru,
  volatile_lfu,
  volatile_random,
  volatile_ttl,
};
constexpr bool is_lfu(EvictionPolicy policy) {
  return policy == EvictionPolicy::allkeys_lfu || policy == EvictionPolicy::volatile_lfu;
}

// Settings that the keyspace reads. Changed by CONFIG SET; each field is read on its own.
struct KeyspaceSettings {
  base::Setting<EvictionPolicy> policy{EvictionPolicy::noeviction};
  base::Setting<std::uint8_t> lfu_log_factor{10};
  base::Setting<std::uint16_t> lfu_decay_minutes{1};
  types::Settings types;
  base::Setting<bool> active_expire{true};  // DEBUG SET-ACTIVE-EXPIRE
  // The end of CLIENT PAUSE. Until then readers do not see an expired key, but leave its removal,
  // which is a write, for later. Null: no pause.
  const std::atomic<UnixMs>* paused_until = nullptr;
  base::Setting<std::uint16_t> notify{0};  // the bits of an EventMask: notify-keyspace-events
  // Null in tests of the keyspace alone: no tracking.
  TrackingTotals* tracking = nullptr;
  base::Setting<std::int64_t> tracked_keys_max{1'000'000};  // tracking-table-max-keys; 0: no bound
  bool tracks_too_many() const {
    const std::int64_t max = tracked_keys_max.get();
    return max > 0 && tracking->keys.load(std::memory_order_relaxed) > max;
  }
};

struct Hold {
  Hold(Hold&&) = default;
  Hold& operator=(Hold&&) = default;
  // For a sole user of a keyspace without a scheduler: tests of the keyspace alone. The list must
  // outlive the hold.
  static Hold of_sole_owner(std::span<const ShardId> ascending) { return Hold(ascending); }

  // The shards whose tokens are held, ascending.
  std::span<const ShardId> shards() const { return shards_; }
  bool holds(ShardId shard) const { return base::contains_shard(shards_, shard); }

  UnixMs now = 0;  // one time for the whole call (a whole EXEC, too)
  Epoch epoch;
  KeyspaceCounters* counters = nullptr;
  Effects* effects = nullptr;
  const KeyspaceSettings* settings = nullptr;
  base::Reclaimer* reclaimer = nullptr;  // for values whose release takes long
  std::uint64_t random = 0;              // fresh for each call: LFU's coin
  bool touch = true;                     // false for CLIENT NO-TOUCH and for internal reads
  bool keeps_expired = false;            // an expired key is hidden, not removed
  Lsn written{0};                        // the last record of this hold, once it is appended
  bool needs_sync = false;               // ... which a kill would lose: replies wait for the disk
  // Changed keys that have waiters, in the order of the changes; served at the end of the call.
  // Null: not served (tests).
  std::vector<WaitedKey*>* signals = nullptr;
  bool applying = false;                          // recovery or replica: nothing expires on its own
  PendingNotifications* notifications = nullptr;  // needed once there is something to notify
  ClientId client;                                // whose call it is; 0: the server's own work
  EventMask notify;                               // the events that are enabled
  bool by_prefix = false;                         // a client tracks keys by prefix
  // The old values of the keys that this hold changes, for a script that may have to start again;
  // null: none are kept.
  Undo* undo = nullptr;

  // Reads which notifications are enabled. Called with the tokens held, to miss no earlier request.
  void look_who_listens() {
    notify = EventMask(settings->notify.get()).effective();
    by_prefix = settings->tracking != nullptr &&
                settings->tracking->prefix_trackers.load(std::memory_order_relaxed) != 0;
  }
  // An event for `notify-keyspace-events`; `name` is a literal.
  void note(EventClass kind, std::string_view name, DbIndex db, std::string_view key) {
    if (notify.has(kind)) [[unlikely]]
      notifications->events.push_back({name, db, std::string(key), notify});
  }

 private:
  friend class shard::Holds;
  explicit Hold(std::span<const ShardId> ascending) : shards_(ascending) {}

  std::span<const ShardId> shards_;
};

}  // namespace slotcar::keyspace
