// WaitedKeys: the keys of one shard for which somebody waits (BLPOP and relatives), and the queue
// of each, the oldest first. Touched under the shard's token only. Who waits, and for what, is not
// known here: shard/waiters.h fills the queues and serves them.
//
// The keyspace's part is the signal. Whatever changes a key says so (Keyspace::changed), and if
// somebody waits for it the key is put on the list of the hold, once. The list is worked off when
// the whole call - a command, an EXEC - has ended.
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

// One place in one queue.
struct WaitLink {
  WaitLink* next = nullptr;
  WaitLink* previous = nullptr;
  WaitedKey* at = nullptr;  // null: in no queue
  bool wants_end = false;   // is told as well when the key goes, or becomes something else
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
  bool signalled = false;       // stands on the list of the hold
  bool task_pending = false;    // an internal call is on its way to serve the queue
  // More of the queue is to be served than the hold could that came to it: see shard/waiters.h.
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
  // Forgets a key for which nobody waits any more. True: it is gone.
  bool drop_unused(WaitedKey& key);

  void signal(Hold& hold, DbIndex db, const Key& key);
  // Whole contents move: every waited-for key of the database is looked at.
  void signal_all(std::vector<WaitedKey*>& signals, DbIndex db);

  // Keys whose hand-over goes on in another hold. Nearly always none.
  const std::vector<WaitedKey*>& due() const { return due_; }
  void set_due(WaitedKey& key, bool due);

 private:
  struct View {
    std::string_view name;
    std::uint64_t hash;
    DbIndex db;
  };
  struct Hash {
    // The key's hash is good already; the database is a small number on top.
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

  // The views point into the keys, whose addresses stay.
  std::unordered_map<View, std::unique_ptr<WaitedKey>, Hash, Equal> keys_;
  std::vector<WaitedKey*> due_;
};

}  // namespace slotcar::keyspace
