// The frames of SUNION, SINTER and SDIFF and of their STORE forms: find the sets, estimate the
// work, do it here or on the slow lane. An operation is a type with
//
//   kWork   how many members are read
//   kReply  replies with the members of the result
//   kMake   makes the result in an empty cell
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "commands/collection.h"
#include "commands/long_store.h"
#include "commands/set/set_value.h"
#include "types/set_algebra.h"

namespace slotcar::commands {

// --- SUNION key [key ...]

template <class Operation>
void answer_pinned_algebra(Call& call) {
  Operation::kReply(call, pinned_sets(call));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

template <class Operation>
void answer_algebra(Call& call) {
  std::vector<types::CellView> sets;
  if (!find_sets(call, sets)) return;
  if (call.is_large(Operation::kWork(sets))) {
    return pin_and_answer(call, pin_all(sets), answer_pinned_algebra<Operation>);
  }
  Operation::kReply(call, sets);
}

// --- SUNIONSTORE destination key [key ...]

inline std::vector<types::CellView> seen_in(const LongStore& store) {
  std::vector<types::CellView> sets;
  sets.reserve(store.sources.size());
  for (const StoreSource& source : store.sources) sets.push_back(source.seen);
  return sets;
}

template <class Operation>
bool find_operands(Call& call, LongStore& store) {
  for (std::size_t i = 1; i < call.key_count(); ++i) {
    if (!absent_or(call, store.look_at(call, i), types::Type::set)) return false;
  }
  store.takes_long = call.is_large(Operation::kWork(seen_in(store)));
  return true;
}

template <class Operation>
void make_result(Call& call, LongStore& store) {
  Operation::kMake(call, seen_in(store), store.result);
}

inline void store_set(Call& call, LongStore& store) {
  const std::size_t size = types::SetView(store.result.view()).size();
  store_or_remove(call, 0, types::Type::set, std::move(store.result), size == 0, EventClass::set,
                  call.command().lower_name, 1, store.prepared());
  call.reply().integer(static_cast<std::int64_t>(size));
}

template <class Operation>
void store_algebra(Call& call) {
  static constexpr StoreSteps kSteps{.find = find_operands<Operation>,
                                     .work = make_result<Operation>,
                                     .store = store_set,
                                     .result = types::Type::set};
  call.state<LongStore>().run(call, kSteps);
}

}  // namespace slotcar::commands
