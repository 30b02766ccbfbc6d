// Undo: what keys were before a script changed them, so that it can begin anew as if it had never
// run. A script that was seen to stay with its declared keys runs with their tokens alone. If it
// then wants another key after it has written, or turns out to be long on a worker, what it wrote
// is taken back, and it starts again with what it needs (eval/script_run.h).
//
// Why nobody can see that it ran
//   * Values. Every change of a key goes through Keyspace::changed or Keyspace::will_change before
//     it happens; a snapshot's cut rests on the same (keyspace/cut.h). The first change of a key
//     saves what it had, or that it was absent; putting these back leaves every key as it was, time
//     to live included. A key whose time was over and that went on the way comes back as well, and
//     goes again with the next call that looks. What changes whole databases (FLUSHALL, SWAPDB)
//     needs every token and is never run by a script that has an undo.
//   * Others. All tokens of what it touched were held from its first look until all was put back.
//   * The log and those who listen. Effects and events of a hold leave when it is closed; the undo
//     empties both first. Invalidations of client caches stay: the reader's entry in the table of
//     readers is gone, so the reader must hear of it. So do marks on WATCHed keys. Both may come
//     for a key that did not change in the end, which a client cannot tell from a change that was
//     taken back by another one.
//   * Waiters. They are served when the whole call has ended, and look at the keys again then.
//   * Snapshots. A cut that was begun before keeps what it saved, which is what is put back.
//
// O(1) for each key: big values are shared with the key (a pin), as in COPY.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "base/shared_bytes.h"
#include "keyspace/entry.h"
#include "keyspace/hold.h"
#include "keyspace/key.h"

namespace slotcar::keyspace {

class Keyspace;

class Undo {
 public:
  explicit Undo(base::Reclaimer* reclaimer) : reclaimer_(reclaimer) {}
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() { forget(); }

  // Before a change of the key; `now` is what it has, null: nothing.
  void save(Keyspace& space, DbIndex db, const Key& key, const Entry* now);
  bool empty() const { return saved_.empty(); }
  // Puts everything back and empties what the hold was going to record and tell.
  void take_back(Hold& hold);
  void forget();

 private:
  struct Saved {
    Keyspace* space;
    DbIndex db;
    std::string name;
    std::uint64_t hash;
    Slot slot;
    Entry* entry;  // null: it was absent
  };
  bool has(const Keyspace& space, DbIndex db, const Key& key) const;

  base::Reclaimer* reclaimer_;
  std::vector<Saved> saved_;
  std::unordered_set<std::uint64_t> hashes_;  // of those saved, once they are many
};

}  // namespace slotcar::keyspace
