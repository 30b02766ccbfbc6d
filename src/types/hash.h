// Hash: fields and their values. A small one is a frontpack of field, value, field, value...;
// beyond the thresholds, or with the first field that has a time to live, it is a HashTree, and
// stays one.
//
// No clock here: an expired field stays until it is removed. Readers pass the time and do not see
// such fields; functions that change a field return the due time of the old one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "types/cell.h"
#include "types/packed/listpack_walk.h"
#include "types/settings.h"
#include "types/tree/hash_tree.h"

namespace slotcar::types {

// For reading a hash at a point in time. Valid until the next change; elements point into the hash.
class HashView {
 public:
  // For readers that want to see everything stored, expired or not.
  static constexpr UnixMs kBeforeAll = INT64_MIN;

  HashView(const CellView& seen, UnixMs now)
      : packed_(seen.packed),
        tree_(static_cast<const HashTree*>(seen.tree)),
        now_(now),
        over_(tree_ != nullptr && tree_->next_due() <= now) {}

  // The number of fields (with expired ones: `stored`, which is never less).
  std::size_t size() const;
  std::size_t stored() const { return tree_ != nullptr ? tree_->size() : packed_size(); }
  // The same as size, counted one by one if needed: for replies that begin with their length.
  std::size_t count() const;

  std::optional<Field> find(std::string_view name) const;
  // The field's value only, which most readers need.
  bool find_value(std::string_view name, Element& value) const;

  // The stored field with that index; nothing if it has expired.
  std::optional<Field> at(std::size_t number) const;
  // Calls visit(const Field&) for each field.
  template <class Visit>
  void for_each(const Visit& visit) const;
  // One step of a walk from a cursor (0: the start); returns the next one, 0 at the end. A step
  // covers some fields of a tree (MemberTree::scan), or the whole of a packed hash.
  template <class Visit>
  std::uint64_t scan(std::uint64_t cursor, const Visit& visit) const;

 private:
  bool is_over(const Field& field) const { return field.due <= now_; }
  std::size_t packed_size() const;

  std::string_view packed_;
  const HashTree* tree_;
  UnixMs now_;
  bool over_;  // whether any field has expired
};

// For changing one. The cell contains a hash, or nothing yet.
class Hash {
 public:
  Hash(Cell& cell, const Settings& settings) : cell_(&cell), settings_(&settings) {}

  std::size_t stored() const { return HashView(cell_->view(), HashView::kBeforeAll).stored(); }
  bool is_empty() const;  // nothing is stored

  // Sets a field's value and due time, whether or not it exists. Returns the due time of the old
  // field, or nothing. Name and value must not point into this hash.
  std::optional<UnixMs> put(std::string_view name, std::string_view value, UnixMs due = kNever);
  // Sets a field's due time; returns the old one, nothing if there is no such field.
  std::optional<UnixMs> set_due(std::string_view name, UnixMs due);
  // Likewise: returns the due time of the removed field.
  std::optional<UnixMs> erase(std::string_view name);

 private:
  HashTree& tree() { return *static_cast<HashTree*>(cell_->tree()); }
  bool outgrows(std::string_view name, std::string_view value) const;
  void become_tree();

  Cell* cell_;
  const Settings* settings_;
};

template <class Visit>
void HashView::for_each(const Visit& visit) const {
  if (tree_ != nullptr) {
    tree_->fields().for_each([&](const Field& field) {
      if (!over_ || !is_over(field)) visit(field);
      return true;
    });
    return;
  }
  if (packed_.empty()) return;
  const char* at = frontpack_begin(packed_);
  const char* const end = pack_end(packed_);
  while (at < end) {
    Field field;
    field.name = frontpack_next(at);
    field.value = frontpack_next(at);
    visit(field);
  }
}

template <class Visit>
std::uint64_t HashView::scan(std::uint64_t cursor, const Visit& visit) const {
  if (tree_ == nullptr) {
    for_each(visit);
    return 0;
  }
  return tree_->fields().scan(cursor, [&](const Field& field) {
    if (!over_ || !is_over(field)) visit(field);
  });
}

}  // namespace slotcar::types
