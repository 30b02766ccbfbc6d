// UnsyncedWrites: which keys of a shard were changed by log records that are not durable
// yet, and by which. Used only under `appendfsync always`, where no reply may show a change
// that a crash could still undo: a reply waits for the LSN that this table has for the keys
// it read.
//
// Keys are identified by parts of their hashes: two keys with the same parts only make a reply
// wait a little longer than necessary. Mostly a shard has one or two keys that are not durable.
// They are in one cache line, in cells that are free again as soon as their record is durable, so
// nothing is ever searched or cleared. A key that finds all cells of its line taken goes into a
// table; there, too, durable entries are dropped only when room is needed. Touched under the
// shard's token only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace slotcar::keyspace {

class UnsyncedWrites {
 public:
  // `lsn` has changed the key. LSNs come in ascending order; `durable`: the log's position.
  void note(std::uint64_t hash, Lsn lsn, Lsn durable);
  // `lsn` has changed all keys (a flush).
  void note_all(Lsn lsn) { last_ = all_ = lsn; }
  // The record that last changed the key, Lsn{0} if it is durable or there was none.
  Lsn of(std::uint64_t hash, Lsn durable) const;
  // The record that last changed any key.
  Lsn last() const { return last_; }

 private:
  // A cell of a line: 52 bits of LSN, which last for a century of a million records a second, and
  // 12 of the hash.
  static constexpr unsigned kLsnBits = 52;
  static constexpr std::size_t kLineCells = 8;
  static constexpr std::size_t kLines = 2;
  static std::uint64_t lsn_in(std::uint64_t cell) {
    return cell & ((std::uint64_t{1} << kLsnBits) - 1);
  }

  struct Cell {
    std::uint64_t hash = 0;
    Lsn lsn{0};  // 0: empty
  };
  void note_in_table(std::uint64_t hash, Lsn lsn, Lsn durable);
  void make_room(Lsn durable);
  std::size_t place_of(std::uint64_t hash) const;

  alignas(64) std::uint64_t lines_[kLines][kLineCells] = {};
  Lsn all_{0};
  Lsn last_{0};
  Lsn last_in_table_{0};
  std::vector<Cell> table_;  // open addressing; a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace slotcar::keyspace
