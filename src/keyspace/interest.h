// Interest: who wants to know when a key of this shard changes: WATCH, and CLIENT TRACKING of the
// keys that a client has read. Touched under the shard's token only.
//
// As in Redis tracked keys have no database: a change of the name in any of them is told. Whoever
// was told must read again to be told again, so a key that is written often costs one message per
// read. A client that is gone or has changed its mind stays in the table until the key changes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "keyspace/hold.h"
#include "keyspace/key.h"

namespace slotcar::keyspace {

// Marked by the keyspace when a watched key changes. Shared between the session that watches and
// the shards that it watches; lives while either knows it.
struct WatchFlag {
  std::atomic<bool> dirty{false};
};

class Interest {
 public:
  bool empty() const { return watched_.empty() && tracked_.empty(); }
  // A key has changed, appeared or gone.
  void changed(Hold& hold, DbIndex db, const Key& key) {
    if (!watched_.empty()) mark(db, key);
    if (!tracked_.empty()) tell_trackers(hold, key);
  }

  void watch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag);
  void unwatch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag);
  // Marks the watched keys of a database for which `exists(key)` says yes.
  template <class Exists>
  void mark_where(DbIndex db, Exists&& exists) const {
    for (const auto& [watched, flags] : watched_) {
      if (watched.db == db && exists(Key{watched.name, watched.hash, watched.slot})) raise(flags);
    }
  }

  // The tracker is told when the key changes, once.
  void track(Hold& hold, const Key& key, Tracker& tracker);
  // Forgets some keys, `max` at most, while there are too many in all shards together; their
  // trackers are told as if they had changed.
  void trim_tracked(Hold& hold, std::size_t max);
  // A flush, after which everybody is told that everything is stale.
  void forget_tracked(Hold& hold);

 private:
  using Flags = std::vector<std::shared_ptr<WatchFlag>>;

  struct WatchedKey {
    std::string name;
    std::uint64_t hash;
    Slot slot;
    DbIndex db;
  };
  struct WatchedView {
    std::string_view name;
    std::uint64_t hash;
    DbIndex db;
  };
  struct Hash {
    using is_transparent = void;
    // The key's hash is good already; the database is a small number on top.
    template <class K>
    std::size_t operator()(const K& key) const {
      return key.hash ^ (key.db.value * 0x9e3779b97f4a7c15ull);
    }
  };
  struct Equal {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return a.hash == b.hash && a.db == b.db && a.name == b.name;
    }
  };

  using Trackers = std::vector<std::shared_ptr<Tracker>>;  // by client, ascending
  using Tracked = std::unordered_map<WatchedKey, Trackers, Hash, Equal>;

  void mark(DbIndex db, const Key& key) const;
  static void raise(const Flags& flags);
  void tell_trackers(Hold& hold, const Key& key);
  static void tell(Hold& hold, std::string_view key, const std::shared_ptr<Tracker>& tracker);
  void drop(Hold& hold, Tracked::iterator at);

  std::unordered_map<WatchedKey, Flags, Hash, Equal> watched_;
  Tracked tracked_;
};

}  // namespace slotcar::keyspace
