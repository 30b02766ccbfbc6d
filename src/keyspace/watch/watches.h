// What clients watch (WATCH). A client has a WatchSet, a shard a WatchTable, and a Watch is one key
// in both: it belongs to the set and is linked to the key in the table of the shard.
//
// Who may touch what. The set belongs to its session, or to the session's running call. A watch and
// its group are linked and unlinked under the token of their shard. The flag is raised by a thread
// that changes a watched key, under that key's token, and read by any thread. A set is freed when
// none of its watches is linked any more (shard/watch_removals.h), so a table never points to a
// freed set.
//
// Everything takes constant time per watch: a key is found by its hash, in tables that grow by one
// bucket at a time; whether the set is broken is one flag and one time. A change raises the flag of
// each watcher once: their watches of that key are unlinked with it, so the next change of the key
// costs nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/ids.h"
#include "base/linear_table.h"
#include "keyspace/entry.h"
#include "keyspace/hold.h"
#include "keyspace/key.h"

namespace slotcar::keyspace {

class WatchSet;
class WatchTable;
struct WatchedKey;

// One key that one client watches.
struct Watch {
  // In the table of its set.
  Watch* table_next = nullptr;
  std::uint64_t table_hash = 0;
  // In its group.
  Watch* group_next = nullptr;
  WatchSet* set = nullptr;
  DbIndex db;
  Slot slot;
  std::uint64_t hash = 0;
  std::string name;
  Key key() const { return {name, hash, slot}; }
  // At its key, under the shard's token. Null: unlinked, the key has changed.
  WatchedKey* at = nullptr;
  Watch* next = nullptr;
  Watch* previous = nullptr;
};

// The watches of one set in one database of one shard.
struct WatchGroup {
  WatchSet* set = nullptr;
  ShardId shard;
  DbIndex db;
  Watch* first = nullptr;
  std::size_t present = 0;  // of their keys, when they were watched
  // In the list of the shard.
  WatchGroup* next = nullptr;
  WatchGroup* previous = nullptr;
};

// A key with watchers, in the table of its shard.
struct WatchedKey {
  WatchedKey* table_next = nullptr;
  std::uint64_t table_hash = 0;
  DbIndex db;
  std::string name;
  Watch* first = nullptr;
};

// The watched keys of one shard. Touched under the shard's token only.
class WatchTable {
 public:
  ~WatchTable();
  bool empty() const { return keys_.empty() && groups_ == nullptr; }

  // A key has changed, appeared or been removed.
  void changed(DbIndex db, const Key& key);
  // A database loses all its keys.
  void emptied(DbIndex db);
  // Keys of a database are swapped for others: `exists(watch)` says whether the key exists on
  // either side.
  template <class Exists>
  void exchanged(DbIndex db, Exists&& exists);

 private:
  friend class WatchSet;
  void link(Watch& watch, const Key& key);
  void unlink(Watch& watch);
  void add(WatchGroup& group);
  void remove(WatchGroup& group);
  WatchedKey* find(DbIndex db, std::string_view name, std::uint64_t table_hash) const;

  base::LinearTable<WatchedKey> keys_;
  WatchGroup* groups_ = nullptr;
};

// Everything that one client watches.
class WatchSet {
 public:
  WatchSet() = default;
  WatchSet(const WatchSet&) = delete;
  WatchSet& operator=(const WatchSet&) = delete;
  ~WatchSet();

  // Under the shard's token. `entry`: the key's present entry, null if there is none. False: the
  // key is watched already.
  bool add(WatchTable& table, Hold& hold, ShardId shard, DbIndex db, const Key& key,
           const Entry* entry);
  // Under the shard's token: unlinks and frees watches of that shard, `max` at most. True: none is
  // left there. Nothing is added to a set after this.
  bool remove_some(WatchTable& table, KeyspaceCounters& counters, ShardId shard, std::size_t max);

  // Whether a watched key has changed or expired. Valid until the tokens of all watched keys are
  // released.
  bool is_broken(UnixMs now) const {
    return dirty_.load(std::memory_order_acquire) || ends_at_ <= now;
  }
  std::size_t size() const { return size_; }
  // Their approximate memory, in the shards too.
  std::size_t bytes() const { return bytes_; }
  // The shards with watches, ascending.
  template <class F>
  void for_each_shard(F&& visit) const {
    for (const auto& [at, group] : groups_) visit(group.shard);
  }
  ShardId first_shard() const { return groups_.begin()->second.shard; }

 private:
  friend class WatchTable;
  void raise() { dirty_.store(true, std::memory_order_release); }
  bool is_dirty() const { return dirty_.load(std::memory_order_relaxed); }
  WatchGroup& group_at(WatchTable& table, ShardId shard, DbIndex db);

  std::atomic<bool> dirty_{false};
  // The earliest expiry of the watched keys. A key's time does not change without a change of the
  // key, so none needs to be checked again.
  UnixMs ends_at_ = kNever;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  base::LinearTable<Watch> watches_;
  std::map<std::uint32_t, WatchGroup> groups_;  // by shard and database
  WatchGroup* last_group_ = nullptr;            // WATCH comes shard by shard
};

template <class Exists>
void WatchTable::exchanged(DbIndex db, Exists&& exists) {
  for (WatchGroup* group = groups_; group != nullptr; group = group->next) {
    if (group->db != db || group->set->is_dirty()) continue;
    if (group->present > 0) {
      group->set->raise();
      continue;
    }
    for (const Watch* watch = group->first; watch != nullptr; watch = watch->group_next) {
      if (!exists(*watch)) continue;
      group->set->raise();
      break;
    }
  }
}

}  // namespace slotcar::keyspace
