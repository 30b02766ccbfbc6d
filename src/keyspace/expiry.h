// ExpiryIndex: which key of a database expires next. A 4-ary min-heap of times. Each entry with a
// time knows its place in the heap, so that removing or changing one is exact, and an entry that
// moves in memory can update its cell.
//
// The heap is in chunks of 64 items that never move: growing to ten million keys copies only the
// list of chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "keyspace/entry.h"
#include "keyspace/memory_tally.h"

namespace slotcar::keyspace {

class ExpiryIndex {
 public:
  struct Item {
    UnixMs when = kNever;
    std::uint64_t word = 0;  // the entry's address, and in the top 16 bits its table

    Entry* entry() const { return reinterpret_cast<Entry*>(word & ((std::uint64_t{1} << 48) - 1)); }
    std::uint32_t table() const { return static_cast<std::uint32_t>(word >> 48); }
  };

  ExpiryIndex() = default;
  ~ExpiryIndex();
  ExpiryIndex(const ExpiryIndex&) = delete;
  ExpiryIndex& operator=(const ExpiryIndex&) = delete;

  std::size_t size() const { return size_; }
  // The earliest time, kNever if there is none.
  UnixMs next() const { return size_ ? at(0).when : kNever; }
  const Item& at(std::size_t place) const { return chunks_[place / kChunk][place % kChunk]; }

  // The entry is timed; `table` is where its database keeps it.
  void insert(Entry* entry, std::uint32_t table, MemoryTally& tally);
  void remove(const Entry* entry, MemoryTally& tally);
  // The entry's due time was changed.
  void update(Entry* entry);
  // `entry` has replaced the one at that place, with the same expiry or another.
  void moved(Entry* entry, std::uint32_t place);

 private:
  static constexpr std::size_t kChunk = 64;
  static constexpr std::size_t kArity = 4;

  Item& cell(std::size_t place) { return chunks_[place / kChunk][place % kChunk]; }
  void put(std::size_t place, const Item& item);
  void settle(std::size_t place, const Item& item);  // up or down, wherever it belongs

  std::vector<Item*> chunks_;
  std::size_t size_ = 0;
};

}  // namespace slotcar::keyspace
