// Union, intersection and difference of sets in any encoding. Missing keys are empty cells.
//
// Big sets are trees in order of hash, all with the same seed, so a walk through one of them makes
// its lookups in the others in that order, too, close to each other. Because a copy of a tree is
// O(1), a union begins as a copy of the biggest set, and a difference, where that is less work, as
// a copy of the first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "types/cell.h"
#include "types/set.h"
#include "types/settings.h"

namespace slotcar::types {

using SetCells = std::span<const CellView>;

// About how many members each operation looks at.
std::size_t union_work(SetCells sets);
std::size_t intersection_work(SetCells sets);
std::size_t difference_work(SetCells sets);

// Each builds a set in `result`, which must be empty, with the encoding that Redis gives it.
void unite(SetCells sets, const Settings& settings, Cell& result);
void intersect(SetCells sets, const Settings& settings, Cell& result);
void subtract(SetCells sets, const Settings& settings, OwnCell& result);

// Looks for members in several sets.
class SetProbe {
 public:
  explicit SetProbe(SetCells others);

  bool in_all(const Element& member) const;
  bool in_any(const Element& member) const;

 private:
  std::uint64_t hash_of(const Element& member) const {
    return tree_ != nullptr ? tree_->hash(member) : 0;
  }
  std::vector<SetView> others_;
  const MemberTree* tree_ = nullptr;  // any of them: all hash alike
};

// Calls visit(const Element&) for each member of the intersection, until it returns false.
template <class Visit>
void for_each_in_all(SetCells sets, const Visit& visit);
// The same for members of the first set that are in no other.
template <class Visit>
void for_each_in_first_only(SetCells sets, const Settings& settings, const Visit& visit);

// --- how ---------------------------------------------------------------------------------------

// Whether a difference is less work as a copy of the first set from which the others are removed.
bool subtracts_by_removing(SetCells sets);
// The result of that.
OwnCell first_without_others(SetCells sets, const Settings& settings);
// Sorted by size, the smallest first.
std::vector<CellView> by_size(SetCells sets);

template <class Visit>
void for_each_in_all(SetCells sets, const Visit& visit) {
  const std::vector<CellView> sorted = by_size(sets);
  const SetProbe others(SetCells(sorted).subspan(1));
  SetView(sorted[0]).for_each(
      [&](const Element& member) { return others.in_all(member) ? visit(member) : true; });
}

template <class Visit>
void for_each_in_first_only(SetCells sets, const Settings& settings, const Visit& visit) {
  if (subtracts_by_removing(sets)) {
    const OwnCell rest = first_without_others(sets, settings);
    SetView(rest.view()).for_each(visit);
    return;
  }
  const SetProbe others(sets.subspan(1));
  SetView(sets[0]).for_each(
      [&](const Element& member) { return others.in_any(member) ? true : visit(member); });
}

}  // namespace slotcar::types
