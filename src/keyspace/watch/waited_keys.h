// WaitedKeys: the keys of one shard that have blocked clients (BLPOP and relatives), and the queue
// of each, the oldest first. Touched under the shard's token only. Who waits, and for what, is not
// known here: shard/waiters.h fills the queues and serves them.
//
// The keyspace's part is the signal. Every change of a key reports itself (Keyspace::changed), and
// if the key has waiters it is put on the list of the hold, once. The list is processed when the
// whole call (a command, an EXEC) has ended.
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

namespace slotcar::keyspace {

// One entry in one queue.
struct WaitLink {
  WaitLink* next = nullptr;
  WaitLink* previous = nullptr;
  WaitedKey* at = nullptr;  // null: in no queue
  bool wants_end = false;   // is also notified when the key is removed, or changes its type
};

struct WaitedKey {
  std::string name;
  std::uint64_t hash = 0;
  Slot slot;
  DbIndex db;
  WaitLink* first = nullptr;
  WaitLink* last = nullptr;
  std::size_t count = 0;
  std::size_t wanting_end = 0;  // of `count`
  bool signalled = false;       // is on the list of the hold
  bool task_pending = false;    // an internal call is on its way to serve the queue
  // The hold could not serve the whole queue: see shard/waiters.h.
  bool due = false;

  Key key() const { return {name, hash, slot}; }
  void append(WaitLink& link);
  void take_out(WaitLink& link);
};

class WaitedKeys {
 public:
  bool empty() const { return keys_.empty(); }
  std::size_t size() const { return keys_.size(); }

  WaitedKey* find(DbIndex db, const Key& key);
  WaitedKey& make(DbIndex db, const Key& key);
  // Forgets a key that has no waiters any more. True: it was removed.
  bool drop_unused(WaitedKey& key);

  void signal(Hold& hold, DbIndex db, const Key& key);
  // Whole contents are swapped: every key of the database with waiters is signalled.
  void signal_all(std::vector<WaitedKey*>& signals, DbIndex db);

  // Keys whose waiters are served further in another hold. Nearly always none.
  const std::vector<WaitedKey*>& due() const { return due_; }
  void set_due(WaitedKey& key, bool due);

 private:
  struct View {
    std::string_view name;
    std::uint64_t hash;
    DbIndex db;
  };
  struct Hash {
    // The key's hash is already well mixed; the database only adds a small number.
    std::size_t operator()(const View& view) const {
      return view.hash ^ (view.db.value * 0x9e3779b97f4a7c15ull);
    }
  };
  struct Equal {
    bool operator()(const View& a, const View& b) const {
      return a.hash == b.hash && a.db == b.db && a.name == b.name;
    }
  };
  static void signal(std::vector<WaitedKey*>& signals, WaitedKey& key);

  // The views point into the keys, whose addresses do not change.
  std::unordered_map<View, std::unique_ptr<WaitedKey>, Hash, Equal> keys_;
  std::vector<WaitedKey*> due_;
};

}  // namespace slotcar::keyspace
