// Set: unique members. Three encodings, chosen as in Redis 7.2:
//
//   intset    integers only, up to set-max-intset-entries
//   listpack  up to set-max-listpack-entries members of up to set-max-listpack-value bytes
//   tree      everything else: a MemberTree, reported as "hashtable"
//
// A set only ever moves down this list, whatever is removed from it. An empty cell is an empty
// set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "types/cell.h"
#include "types/element.h"
#include "types/packed/intset.h"
#include "types/packed/listpack.h"
#include "types/settings.h"
#include "types/tree/member_tree.h"

namespace slotcar::types {

class SetTree final : public TreeObject {
 public:
  explicit SetTree(base::HashSeed seed) : members(false, seed) {}

  std::unique_ptr<TreeObject> share() const override { return std::make_unique<SetTree>(*this); }
  std::size_t size() const override { return members.size(); }
  std::size_t footprint() const override { return sizeof(*this) + members.bytes(); }
  Encoding encoding() const override { return Encoding::hashtable; }
  bool same_version(const TreeObject& earlier) const override {
    return members.same_version(static_cast<const SetTree&>(earlier).members);
  }
  bool free_some(std::size_t& nodes) override { return members.free_some(nodes); }
  bool fetch_ahead(Approach& approach) const override { return members.fetch_ahead(approach); }

  MemberTree members;
};

enum class SetForm : std::uint8_t { empty, intset, listpack, tree };

// For reading one. Valid until the next change.
class SetView {
 public:
  explicit SetView(const CellView& seen);

  SetForm form() const { return form_; }
  std::size_t size() const;
  bool contains(const Element& member) const;
  // As `contains`, for callers that look for the same member in several sets: `hash` is its hash.
  bool contains(const Element& member, std::uint64_t hash) const;
  // The member of that rank, in an order that is stable until the next change.
  Element at_rank(std::size_t rank) const;

  // Calls visit(const Element&) for all, until it returns false. Trees are walked in order of hash,
  // leaf by leaf, so that consecutive lookups in another set are close to each other.
  template <class Visit>
  void for_each(const Visit& visit) const;
  // One step of a walk, from a cursor on (0: from the start): calls visit(const Element&) for some
  // members, and returns the next cursor, 0 at the end. A member that exists during a whole walk is
  // visited at least once. A packed set is one step.
  template <class Visit>
  std::uint64_t scan(std::uint64_t cursor, const Visit& visit) const;

  const MemberTree* tree() const { return tree_; }  // null for the other encodings

 private:
  SetForm form_;
  std::string_view packed_;
  const MemberTree* tree_ = nullptr;
};

// For changing one. Elements passed in must not point into the set itself.
class Set {
 public:
  Set(Cell& cell, const Settings& settings) : cell_(&cell), settings_(&settings) {}

  SetView view() const { return SetView(cell_->view()); }
  std::size_t size() const { return view().size(); }

  // Announces `count` new members, `first` before the others, and chooses the encoding for them, as
  // SADD does. (Not needed for an empty set, which begins with the encoding that fits `first`.)
  void expect(const Element& first, std::size_t count);
  bool add(const Element& member);     // false: it was there already
  bool remove(const Element& member);  // false: it was not there
  void remove_at(std::size_t rank);

  // Called at the end of STORE commands: a tree that fits a packed encoding is converted.
  // `keep_tree`: it stays a tree unless it can be an intset.
  void settle(bool keep_tree = false);

 private:
  bool add_to_intset(const Element& member);
  bool add_to_listpack(const Element& member);
  bool fits_listpack(std::size_t members, std::size_t longest, std::size_t bytes) const;
  void become_listpack();
  MemberTree& become_tree();
  MemberTree& tree() { return static_cast<SetTree*>(cell_->tree())->members; }

  Cell* cell_;
  const Settings* settings_;
};

// --- walking -----------------------------------------------------------------------------------

template <class Visit>
void SetView::for_each(const Visit& visit) const {
  switch (form_) {
    case SetForm::empty:
      return;
    case SetForm::intset: {
      const IntsetView numbers(packed_);
      const std::size_t count = numbers.size();
      for (std::size_t i = 0; i < count; ++i) {
        if (!visit(Element::of(numbers.at(i)))) return;
      }
      return;
    }
    case SetForm::listpack: {
      const FrontpackView members(packed_);
      for (auto at = members.first(); at != FrontpackView::kNone; at = members.next(at)) {
        if (!visit(members.at(at))) return;
      }
      return;
    }
    case SetForm::tree:
      tree_->for_each([&](const Member& member) { return visit(member.name); });
  }
}

template <class Visit>
std::uint64_t SetView::scan(std::uint64_t cursor, const Visit& visit) const {
  if (form_ == SetForm::tree) {
    return tree_->scan(cursor, [&](const Member& member) { visit(member.name); });
  }
  for_each([&](const Element& member) {
    visit(member);
    return true;
  });
  return 0;
}

}  // namespace slotcar::types
