// ListEdit: a list opened for change (edit.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "keyspace/edit/edit.h"
#include "types/list.h"

namespace slotcar::keyspace {

class ListEdit : public Edit {
 public:
  using End = types::ListEnd;

  ListEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
      : Edit(space, hold, db, key, types::Type::list) {}
  ~ListEdit() override;  // out of line: anchors the vtable

  types::ListView list() const { return types::ListView(view()); }
  std::size_t size() const { return list().size(); }

  // Every change also notes its event, because commands with the same change have the same event.

  // One after the other. Recorded as LPUSH or RPUSH.
  void push(End end, std::span<const std::string_view> texts);
  void push(End end, std::string_view text) { push(end, {&text, 1}); }
  // Removes `count` elements (there are at least as many); `visit` sees each before it is removed.
  // Recorded as LPOP or RPOP.
  template <class Visit>
  void pop(End end, std::size_t count, const Visit& visit) {
    types::List(*this, settings()).pop(end, count, visit);
    popped(end, count);
  }
  void drop(End end, std::size_t count) {
    types::List(*this, settings()).drop(end, count);
    popped(end, count);
  }
  void set(std::size_t index, std::string_view text);  // LSET
  // Inserts beside the first element equal to `pivot`, recorded as LINSERT; false: there is none.
  enum class Side : std::uint8_t { before, after };
  bool insert(Side side, std::string_view pivot, std::string_view text);
  // Removes up to `max` elements equal to `text`, those nearest to that end; returns how many.
  // Recorded as LREM.
  std::size_t remove(std::string_view text, End from, std::size_t max);
  // Keeps only [from, from + count). Recorded as LTRIM, or as DEL if nothing is left.
  void trim(std::size_t from, std::size_t count);

 private:
  void popped(End end, std::size_t count);
  void effect_numbered(std::string_view name, std::int64_t number, std::string_view text);
};

}  // namespace slotcar::keyspace
