#include "keyspace/expiry.h"

#include <algorithm>

#include "base/assert.h"
#include "base/memory.h"
#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {

ExpiryIndex::~ExpiryIndex() {
  for (Item* chunk : chunks_) base::free_bytes(chunk);
}

void ExpiryIndex::insert(Entry* entry, std::uint32_t table, MemoryTally& tally) {
  ASSERT(size_ < UINT32_MAX);
  if (size_ == chunks_.size() * kChunk) {
    chunks_.push_back(static_cast<Item*>(tally.allocate(kChunk * sizeof(Item))));
  }
  ++size_;
  settle(size_ - 1,
         Item{entry->due(), reinterpret_cast<std::uint64_t>(entry) | std::uint64_t{table} << 48});
}

void ExpiryIndex::remove(const Entry* entry, MemoryTally& tally) {
  const std::size_t place = EntryEditor::place(*entry);
  ASSERT(place < size_ && at(place).entry() == entry);
  --size_;
  const Item last = at(size_);
  if (place != size_) settle(place, last);
  // One chunk is kept in reserve, so that a key that is added and removed repeatedly does not
  // allocate each time; an empty index keeps none.
  const std::size_t needed = size_ == 0 ? 0 : size_ / kChunk + 2;
  while (chunks_.size() > needed) {
    tally.free(chunks_.back());
    chunks_.pop_back();
  }
}

void ExpiryIndex::update(Entry* entry) {
  moved(entry, EntryEditor::place(*entry));
}

void ExpiryIndex::moved(Entry* entry, std::uint32_t place) {
  ASSERT(place < size_);
  settle(place, Item{entry->due(), reinterpret_cast<std::uint64_t>(entry) |
                                       std::uint64_t{at(place).table()} << 48});
}

void ExpiryIndex::put(std::size_t place, const Item& item) {
  cell(place) = item;
  EntryEditor::set_place(*item.entry(), static_cast<std::uint32_t>(place));
}

void ExpiryIndex::settle(std::size_t place, const Item& item) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / kArity;
    if (at(parent).when <= item.when) break;
    put(place, at(parent));
    place = parent;
  }
  while (true) {
    const std::size_t first = place * kArity + 1;
    if (first >= size_) break;
    std::size_t least = first;
    const std::size_t end = std::min(first + kArity, size_);
    for (std::size_t child = first + 1; child < end; ++child) {
      if (at(child).when < at(least).when) least = child;
    }
    if (item.when <= at(least).when) break;
    put(place, at(least));
    place = least;
  }
  put(place, item);
}

}  // namespace slotcar::keyspace
