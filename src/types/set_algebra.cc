#include "types/set_algebra.h"

#include <cstdint>
#include <utility>

namespace slotcar::types {

namespace {

std::size_t size_of(const CellView& seen) {
  return SetView(seen).size();
}

// Saturates, because a request may name a big set very often.
std::size_t times(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

std::size_t packed_max(const Settings& settings) {
  return static_cast<std::size_t>(
      std::max(settings.set_max_intset_entries.get(), settings.set_max_listpack_entries.get()));
}

void add_all(const CellView& from, Set& to) {
  SetView(from).for_each([&](const Element& member) {
    to.add(member);
    return true;
  });
}

}  // namespace

std::size_t union_work(SetCells sets) {
  std::size_t total = 0;
  for (const CellView& seen : sets) total += size_of(seen);
  return total;
}

std::size_t intersection_work(SetCells sets) {
  std::size_t least = SIZE_MAX;
  for (const CellView& seen : sets) least = std::min(least, size_of(seen));
  return times(least, sets.size());
}

std::size_t difference_work(SetCells sets) {
  return subtracts_by_removing(sets) ? union_work(sets) : times(size_of(sets[0]), sets.size());
}

// --- looking -----------------------------------------------------------------------------------

SetProbe::SetProbe(SetCells others) {
  others_.reserve(others.size());
  for (const CellView& seen : others) {
    others_.emplace_back(seen);
    if (tree_ == nullptr) tree_ = others_.back().tree();
  }
}

bool SetProbe::in_all(const Element& member) const {
  const std::uint64_t hash = hash_of(member);
  for (const SetView& other : others_) {
    if (!other.contains(member, hash)) return false;
  }
  return true;
}

bool SetProbe::in_any(const Element& member) const {
  const std::uint64_t hash = hash_of(member);
  for (const SetView& other : others_) {
    if (other.contains(member, hash)) return true;
  }
  return false;
}

std::vector<CellView> by_size(SetCells sets) {
  std::vector<CellView> sorted(sets.begin(), sets.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const CellView& a, const CellView& b) { return size_of(a) < size_of(b); });
  return sorted;
}

// A lookup is half the work of a removal, because it often ends before the last set.
bool subtracts_by_removing(SetCells sets) {
  if (sets[0].tree == nullptr || sets.size() == 1) return false;
  const std::size_t first = size_of(sets[0]);
  return times(first, sets.size() - 1) / 2 > union_work(sets.subspan(1));
}

OwnCell first_without_others(SetCells sets, const Settings& settings) {
  OwnCell rest = OwnCell::pin(sets[0]);
  Set set(rest, settings);
  for (const CellView& other : sets.subspan(1)) {
    SetView(other).for_each([&](const Element& member) {
      set.remove(member);
      return set.size() > 0;
    });
  }
  return rest;
}

// --- making ------------------------------------------------------------------------------------

void unite(SetCells sets, const Settings& settings, Cell& result) {
  std::size_t biggest = 0;
  for (std::size_t i = 1; i < sets.size(); ++i) {
    if (size_of(sets[i]) > size_of(sets[biggest])) biggest = i;
  }
  Set set(result, settings);
  // A smaller one may have been a tree for reasons that no longer apply: it is rebuilt.
  const bool as_copy =
      sets[biggest].tree != nullptr && size_of(sets[biggest]) > packed_max(settings);
  if (as_copy) result.become_tree(sets[biggest].tree->share());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!as_copy || i != biggest) add_all(sets[i], set);
  }
}

// Redis gives the result the encoding of the smallest set, and converts it to an intset at the end
// if possible.
void intersect(SetCells sets, const Settings& settings, Cell& result) {
  const std::vector<CellView> sorted = by_size(sets);
  const bool as_tree = sorted[0].tree != nullptr;
  Set set(result, settings);
  for_each_in_all(sorted, [&](const Element& member) {
    if (as_tree) set.expect(member, SIZE_MAX);
    set.add(member);
    return true;
  });
  if (as_tree) set.settle(/*keep_tree=*/true);
}

void subtract(SetCells sets, const Settings& settings, OwnCell& result) {
  if (subtracts_by_removing(sets)) {
    result = first_without_others(sets, settings);
    Set(result, settings).settle();
    return;
  }
  Set set(result, settings);
  for_each_in_first_only(sets, settings, [&](const Element& member) {
    set.add(member);
    return true;
  });
}

}  // namespace slotcar::types
