// Interest: who wants to know when a key of this shard changes. Today that is WATCH; tracking and
// waiters will stand here too. Touched under the shard's token only.
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
#include "keyspace/key.h"

namespace slotcar::keyspace {

// Marked by the keyspace when a watched key changes. Shared between the session that watches and
// the shards that it watches; lives while either knows it.
struct WatchFlag {
  std::atomic<bool> dirty{false};
};

class Interest {
 public:
  bool empty() const { return watched_.empty(); }

  void watch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag);
  void unwatch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag);
  void mark(DbIndex db, const Key& key) const;
  // Marks the watched keys of a database for which `exists(key)` says yes.
  template <class Exists>
  void mark_where(DbIndex db, Exists&& exists) const {
    for (const auto& [watched, flags] : watched_) {
      if (watched.db == db && exists(Key{watched.name, watched.hash, watched.slot})) raise(flags);
    }
  }

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

  static void raise(const Flags& flags);

  std::unordered_map<WatchedKey, Flags, Hash, Equal> watched_;
};

}  // namespace slotcar::keyspace
