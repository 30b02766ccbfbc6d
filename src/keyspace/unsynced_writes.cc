#include "keyspace/unsynced_writes.h"

#include <algorithm>
#include <utility>

namespace slotcar::keyspace {

namespace {

constexpr std::size_t kCellsMin = 32;

// The low bits of a hash are used by the shard's table of keys; other bits are used here.
std::size_t line_of(std::uint64_t hash) {
  return (hash >> 20) & 1;
}
std::uint64_t part_of(std::uint64_t hash) {
  return (hash >> 21) & 0xfff;
}

}  // namespace

void UnsyncedWrites::note(std::uint64_t hash, Lsn lsn, Lsn durable) {
  last_ = lsn;
  const std::uint64_t part = part_of(hash);
  for (std::uint64_t& cell : lines_[line_of(hash)]) {
    // The same part may also be in a later cell, with an older LSN: a lookup takes the newest.
    if (lsn_in(cell) > durable.value && cell >> kLsnBits != part) continue;
    cell = part << kLsnBits | lsn.value;
    return;
  }
  note_in_table(hash, lsn, durable);
}

Lsn UnsyncedWrites::of(std::uint64_t hash, Lsn durable) const {
  if (last_ <= durable) return Lsn{0};
  Lsn found = all_;
  const std::uint64_t part = part_of(hash);
  for (const std::uint64_t cell : lines_[line_of(hash)]) {
    if (cell >> kLsnBits == part) found = std::max(found, Lsn{lsn_in(cell)});
  }
  if (last_in_table_ > durable) found = std::max(found, table_[place_of(hash)].lsn);
  return found > durable ? found : Lsn{0};
}

// --- the table ---------------------------------------------------------------------------------

// The cell of that hash, or the empty one where it would be.
std::size_t UnsyncedWrites::place_of(std::uint64_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = (hash >> 20) & mask;
  while (table_[at].lsn.value != 0 && table_[at].hash != hash) at = (at + 1) & mask;
  return at;
}

void UnsyncedWrites::note_in_table(std::uint64_t hash, Lsn lsn, Lsn durable) {
  last_in_table_ = lsn;
  if (used_ * 2 >= table_.size()) make_room(durable);
  Cell& cell = table_[place_of(hash)];
  if (cell.lsn.value == 0) ++used_;
  cell = {hash, lsn};
}

void UnsyncedWrites::make_room(Lsn durable) {
  std::vector<Cell> old = std::exchange(table_, {});
  std::size_t alive = 0;
  for (const Cell& cell : old) alive += cell.lsn > durable;
  std::size_t size = kCellsMin;
  while (size < (alive + 1) * 4) size *= 2;
  table_.resize(size);
  used_ = alive;
  for (const Cell& cell : old) {
    if (cell.lsn > durable) table_[place_of(cell.hash)] = cell;
  }
}

}  // namespace slotcar::keyspace
