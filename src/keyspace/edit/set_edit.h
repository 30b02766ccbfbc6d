// SetEdit: a set opened for change (edit.h).
#pragma once

#include <cstddef>
#include <span>

#include "keyspace/edit/edit.h"
#include "types/set.h"

namespace slotcar::keyspace {

class SetEdit : public Edit {
 public:
  SetEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::set) {}
  ~SetEdit() override;  // out of line: anchors the vtable

  std::size_t size() { return set().size(); }
  types::SetView view_set() const { return types::SetView(view()); }

  // Announces that `count` members will be added, `first` before the others.
  void expect(const types::Element& first, std::size_t count) { set().expect(first, count); }
  bool add(const types::Element& member);     // recorded as SADD; false: it was there already
  bool remove(const types::Element& member);  // recorded as SREM; false: it was not there
  // The member of that rank (SetView::at_rank), recorded as SREM.
  void remove_at(std::size_t rank);
  // Replaces this set by one from which the members of these ranks were removed elsewhere; recorded
  // as SREM of each. It is not empty. The time to live is kept.
  void exchange_after_removal(types::OwnCell&& rest, std::span<const std::size_t> ranks);

 private:
  types::Set set() { return {*this, settings()}; }
  void record_removal(const types::Element& member);
};

}  // namespace slotcar::keyspace
