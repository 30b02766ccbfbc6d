// SortedSetEdit: a sorted set opened for change (edit.h). Recorded as ZADD with the element's new
// score, and as ZREM.
#pragma once

#include <cstddef>
#include <string_view>

#include "keyspace/edit/edit.h"
#include "types/sorted_set.h"

namespace slotcar::keyspace {

class SortedSetEdit : public Edit {
 public:
  SortedSetEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::sorted_set) {}
  ~SortedSetEdit() override;  // out of line: anchors the vtable

  types::SortedSetView view() const { return types::SortedSetView(Cell::view()); }
  std::size_t size() const { return view().size(); }

  // As in types::SortedSet.
  types::AddOutcome add(double& score, std::string_view member, const types::AddRules& rules);
  void expect(std::size_t elements) { set().expect(elements); }
  bool erase(std::string_view member);
  void erase_ranks(std::size_t from, std::size_t how_many);

 private:
  types::SortedSet set() { return types::SortedSet(*this, settings()); }
};

}  // namespace slotcar::keyspace
