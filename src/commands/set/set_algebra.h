// The frames of SUNION, SINTER and SDIFF and of their STORE forms: find the sets, estimate the
// work, do it here or on the slow lane. An operation is a type with
//
//   kWork   how many members are read
//   kReply  replies with the members of the result
//   kMake   makes the result in an empty cell
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "commands/collection.h"
#include "commands/element_work.h"
#include "commands/long_store.h"
#include "commands/many_keys.h"
#include "commands/set/set_value.h"
#include "types/set_algebra.h"

namespace slotcar::commands {

// Where members are read, those of the longest may be.
template <class Operation>
std::size_t algebra_work(const std::vector<types::CellView>& sets) {
  const std::size_t members = Operation::kWork(sets);
  std::size_t work = members;
  for (const types::CellView& seen : sets) work = std::max(work, work_of(seen, members));
  return work;
}

// --- SUNION key [key ...]

// The sets of a call, pinned under its tokens; those of very many keys shard by shard, as of one
// moment.
class PinnedSets final : public KeyReads {
 public:
  std::vector<types::OwnCell> cells;  // by key; empty for missing ones

  void begin() { cells.resize(key_count()); }
  bool wrong_type() const { return wrong_type_.load(std::memory_order_relaxed); }
  std::vector<types::CellView> views() const {
    std::vector<types::CellView> sets;
    sets.reserve(cells.size());
    for (const types::OwnCell& cell : cells) sets.push_back(cell.view());
    return sets;
  }
  void let_go(base::Reclaimer* reclaimer) override {
    for (types::OwnCell& cell : cells) types::let_go(cell.take_tree(), reclaimer);
  }

 private:
  void visit(const shard::ReadPart&, std::size_t i, const Entry* entry) override {
    if (entry == nullptr) return;
    if (entry->type() == types::Type::set) {
      cells[i] = types::OwnCell::pin(entry->cell());
    } else {
      wrong_type_.store(true, std::memory_order_relaxed);  // by several threads
    }
  }

  std::atomic<bool> wrong_type_ = false;
};

template <class Operation>
void answer_pinned_algebra(Call& call) {
  auto& pinned = call.state<PinnedSets>();
  if (pinned.wrong_type()) return call.reply().error(schema::kWrongType);
  Operation::kReply(call, pinned.views());
  pinned.cells.clear();  // freed here, on the slow lane
}

template <class Operation>
void answer_algebra(Call& call) {
  if (has_planned_reads(call)) return read_in_parts(call, answer_pinned_algebra<Operation>);
  std::vector<types::CellView> sets;
  if (!find_sets(call, sets)) return;
  if (!call.is_large(algebra_work<Operation>(sets))) return Operation::kReply(call, sets);
  call.state<PinnedSets>().cells = pin_all(sets);
  call.finish_without_tokens(answer_pinned_algebra<Operation>);
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
  store.takes_long = call.is_large(algebra_work<Operation>(seen_in(store)));
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
