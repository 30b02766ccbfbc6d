// Hold: proof that the tokens of some shards are held, and what a change needs to know of its
// surroundings. Only the scheduler's part that opens and closes holds makes one (shard/holds.h).
// Every function of the keyspace that looks at data takes a Hold and asserts that its shard is
// among those held. It cannot be copied, so there is one proof for each hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/counter.h"
#include "base/ids.h"
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
  std::atomic<EvictionPolicy> policy{EvictionPolicy::noeviction};
  std::atomic<std::uint8_t> lfu_log_factor{10};
  std::atomic<std::uint16_t> lfu_decay_minutes{1};
  types::Settings types;
  std::atomic<bool> active_expire{true};  // DEBUG SET-ACTIVE-EXPIRE
  // Until when CLIENT PAUSE holds: readers then do not see a key whose time is over, but leave its
  // removal, which is a write, for later. Null: nobody pauses.
  const std::atomic<UnixMs>* paused_until = nullptr;
  std::atomic<std::uint16_t> notify{0};  // the bits of an EventMask: notify-keyspace-events
  // Null in tests of the keyspace alone: nobody tracks.
  TrackingTotals* tracking = nullptr;
  std::atomic<std::int64_t> tracked_keys_max{1'000'000};  // tracking-table-max-keys; 0: no bound
  bool tracks_too_many() const {
    const std::int64_t max = tracked_keys_max.load(std::memory_order_relaxed);
    return max > 0 && tracking->keys.load(std::memory_order_relaxed) > max;
  }
};

struct Hold {
  Hold(Hold&&) = default;
  Hold& operator=(Hold&&) = default;
  // For those who are the only users of a keyspace and have no scheduler: tests of the keyspace
  // alone. The list must outlive the hold.
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
  bool touch = true;                     // false for CLIENT NO-TOUCH and for internal looks
  bool keeps_expired = false;            // a key whose time is over is hidden, not removed
  Lsn written{0};                        // the last record of this hold, once it is appended
  bool needs_sync = false;               // ... which only the disk would keep: replies wait for it
  // Keys that changed and for which somebody waits, in the order in which they did; served at the
  // end of the call. Null: nobody serves (tests).
  std::vector<WaitedKey*>* signals = nullptr;
  bool applying = false;                          // recovery or replica: nothing expires by itself
  PendingNotifications* notifications = nullptr;  // needed once somebody is to be told
  ClientId client;                                // whose call it is; 0: the server's own work
  EventMask notify;                               // the events that somebody wants to hear of
  bool by_prefix = false;                         // somebody tracks keys by their prefix
  // What the keys were that this hold changes, for a script that may have to begin anew; null:
  // nothing is kept.
  Undo* undo = nullptr;

  // Reads what is wanted now; after the tokens are held, so that nobody who asked before is missed.
  void look_who_listens() {
    notify = EventMask(settings->notify.load(std::memory_order_relaxed)).effective();
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
