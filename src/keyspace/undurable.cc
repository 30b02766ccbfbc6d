#include "keyspace/undurable.h"

#include <utility>

namespace slotcar::keyspace {

namespace {
constexpr std::size_t kCellsMin = 16;
}  // namespace

// The cell of that hash, or the empty one where it would stand.
std::size_t Undurable::place_of(std::uint64_t hash) const {
  const std::size_t mask = cells_.size() - 1;
  // The low bits choose the shard's table elsewhere; the middle ones are as good as any here.
  std::size_t at = (hash >> 20) & mask;
  while (cells_[at].lsn.value != 0 && cells_[at].hash != hash) at = (at + 1) & mask;
  return at;
}

void Undurable::note(std::uint64_t hash, Lsn lsn, Lsn durable) {
  last_ = lsn;
  if (used_ * 2 >= cells_.size()) make_room(durable);
  Cell& cell = cells_[place_of(hash)];
  if (cell.lsn.value == 0) ++used_;
  cell = {hash, lsn};
}

Lsn Undurable::of(std::uint64_t hash, Lsn durable) const {
  if (last_ <= durable) return Lsn{0};
  Lsn found = all_;
  if (!cells_.empty()) {
    const Cell& cell = cells_[place_of(hash)];
    if (cell.lsn > found) found = cell.lsn;
  }
  return found > durable ? found : Lsn{0};
}

void Undurable::make_room(Lsn durable) {
  std::vector<Cell> old = std::exchange(cells_, {});
  std::size_t alive = 0;
  for (const Cell& cell : old) alive += cell.lsn > durable;
  std::size_t size = kCellsMin;
  while (size < (alive + 1) * 4) size *= 2;
  cells_.resize(size);
  used_ = alive;
  for (const Cell& cell : old) {
    if (cell.lsn > durable) cells_[place_of(cell.hash)] = cell;
  }
}

}  // namespace slotcar::keyspace
