#include "keyspace/database.h"

#include <bit>

#include "keyspace/edit/entry_editor.h"

namespace slotcar::keyspace {

Contents::Contents(std::uint32_t tables)
    : tables_(std::make_unique<Table[]>(tables)),
      table_count_(tables),
      occupied_((tables + 63) / 64) {}

Contents::~Contents() {
  free_some(SIZE_MAX, nullptr);
}

bool Contents::free_some(std::size_t keys, base::Reclaimer* reclaimer) {
  base::Counter nobody;  // the counts were subtracted when the contents were detached
  MemoryTally tally(nobody, bytes);
  std::size_t freed = 0;
  const auto release = [&](Entry* entry) {
    EntryEditor::release(entry, reclaimer, /*is_value=*/false);
    ++freed;
  };
  for (auto table = next_occupied(0); table; table = next_occupied(*table)) {
    if (freed >= keys) return false;
    next_segment_ = tables_[*table].clear_segment(next_segment_, release, tally);
    if (next_segment_ == 0) set_occupied(*table, false);
  }
  return true;
}

void Contents::set_occupied(std::uint32_t table, bool yes) {
  const std::uint64_t bit = std::uint64_t{1} << (table % 64);
  if (yes) {
    occupied_[table / 64] |= bit;
  } else {
    occupied_[table / 64] &= ~bit;
  }
}

std::optional<std::uint32_t> Contents::next_occupied(std::uint32_t from) const {
  if (from >= table_count_) return std::nullopt;
  std::size_t word = from / 64;
  std::uint64_t bits = occupied_[word] & (~std::uint64_t{0} << (from % 64));
  while (bits == 0) {
    if (++word == occupied_.size()) return std::nullopt;
    bits = occupied_[word];
  }
  return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace slotcar::keyspace
