// KeyWatchers: the clients to notify when a key of this shard changes: WATCH
// (keyspace/watch/watches.h), and CLIENT TRACKING of the keys that a client has read. Touched under
// the shard's token only.
//
// As in Redis tracked keys have no database: a change of the name in any of them counts. A client
// that was notified must read the key again to be notified again, so a key that is written often
// costs one message per read. A client that has stopped tracking stays until the key changes.
#pragma once

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
#include "keyspace/watch/watches.h"

namespace slotcar::keyspace {

class KeyWatchers {
 public:
  bool empty() const { return watched_.empty() && tracked_.empty(); }
  // A key has changed, appeared or been removed.
  void changed(Hold& hold, DbIndex db, const Key& key) {
    if (!watched_.empty()) watched_.changed(db, key);
    if (!tracked_.empty()) notify_trackers(hold, key);
  }

  WatchTable& watched() { return watched_; }

  // The tracker is notified once, when the key changes.
  void track(Hold& hold, const Key& key, Tracker& tracker);
  // Forgets at most `max` keys while there are too many in all shards together; their trackers are
  // notified as if they had changed.
  void trim_tracked(Hold& hold, std::size_t max);
  // A flush: all trackers are then notified that everything is stale.
  void forget_tracked(Hold& hold);

 private:
  struct TrackedKey {
    std::string name;
    std::uint64_t hash;
    Slot slot;
    DbIndex db;
  };
  struct TrackedView {
    std::string_view name;
    std::uint64_t hash;
    DbIndex db;
  };
  struct Hash {
    using is_transparent = void;
    // The key's hash is already well mixed; the database only adds a small number.
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
  using Tracked = std::unordered_map<TrackedKey, Trackers, Hash, Equal>;

  void notify_trackers(Hold& hold, const Key& key);
  static void notify(Hold& hold, std::string_view key, const std::shared_ptr<Tracker>& tracker);
  void drop(Hold& hold, Tracked::iterator at);
  static std::int64_t key_bytes(const TrackedKey& key);
  static constexpr std::int64_t kItemBytes = sizeof(Trackers::value_type);

  WatchTable watched_;
  Tracked tracked_;
};

}  // namespace slotcar::keyspace
