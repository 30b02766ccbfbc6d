// Undurable: which keys of a shard were changed by records of the log that are not on the medium
// yet, and by which. Kept under `appendfsync always` only, where no reply may tell of a change that
// a crash could still undo: it waits for the LSN that this table gives for the keys it looked at.
//
// Keys are known by their hashes alone: two keys with one hash only make a reply wait a little
// longer than it must. What has become durable is dropped when room is needed, never searched for.
// Touched under the shard's token only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace slotcar::keyspace {

class Undurable {
 public:
  // `lsn` has changed the key. LSNs come in ascending order; `durable` is how far the log is.
  void note(std::uint64_t hash, Lsn lsn, Lsn durable);
  // `lsn` has changed all keys (a flush).
  void note_all(Lsn lsn) { last_ = all_ = lsn; }
  // The record that last changed the key, Lsn{0} if it is durable or there was none.
  Lsn of(std::uint64_t hash, Lsn durable) const;
  // The record that last changed any key.
  Lsn last() const { return last_; }

 private:
  struct Cell {
    std::uint64_t hash = 0;
    Lsn lsn{0};  // 0: nothing here
  };
  void make_room(Lsn durable);
  std::size_t place_of(std::uint64_t hash) const;

  std::vector<Cell> cells_;  // open addressing; a power of two, at most half full
  std::size_t used_ = 0;
  Lsn all_{0};
  Lsn last_{0};
};

}  // namespace slotcar::keyspace
