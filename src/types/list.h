// List: elements in order. A small one is a listpack; a big one is a tree by position whose leaves
// are listpacks (list_leaf.h). list-max-listpack-size limits a packed list; the size of the leaves
// is our choice. As in Redis a list that has become small is packed again, at half of that size, so
// that one whose size goes up and down around it does not change its encoding each time.
//
// All elements are stored in their shortest encoding, integers as integers: so equal elements are
// equal bytes, and searches compare those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "types/cell.h"
#include "types/element.h"
#include "types/packed/listpack.h"
#include "types/packed/listpack_walk.h"
#include "types/settings.h"
#include "types/tree/list_leaf.h"
#include "types/tree/tree.h"

namespace slotcar::types {

// A listpack has a 32-bit size; Redis refuses longer elements, too.
inline constexpr std::size_t kListElementBytesMax = UINT32_MAX - 1024;

class ListTree final : public TreeObject {
 public:
  Tree<ListLeaf> leaves;

  std::unique_ptr<TreeObject> share() const override { return std::make_unique<ListTree>(*this); }
  std::size_t size() const override { return leaves.size(); }
  std::size_t footprint() const override { return sizeof(*this) + leaves.bytes(); }
  Encoding encoding() const override { return Encoding::quicklist; }
  bool same_version(const TreeObject& earlier) const override {
    return leaves.same_version(static_cast<const ListTree&>(earlier).leaves);
  }
  bool free_some(std::size_t& nodes) override { return leaves.free_some(nodes); }
};

// For reading. Elements point into the list.
class ListView {
 public:
  explicit ListView(const CellView& seen)
      : packed_(seen.packed), tree_(static_cast<const ListTree*>(seen.tree)) {}

  std::size_t size() const {
    if (tree_ != nullptr) return tree_->leaves.size();
    return packed_.empty() ? 0 : ListpackView(packed_).size();
  }
  // Counted from 0, or from -1 backwards.
  std::optional<Element> at(std::int64_t index) const;

  // Calls visit(element) for each of the elements [from, from + count); all of them exist.
  template <class Visit>
  void visit(std::size_t from, std::size_t count, const Visit& visit) const;

  // Where elements equal to `text` are, in search order.
  struct Search {
    std::string_view text;
    bool backwards = false;
    std::uint64_t skipped = 0;              // matches to skip
    std::uint64_t count_max = UINT64_MAX;   // matches wanted
    std::uint64_t looked_max = UINT64_MAX;  // elements compared
  };
  std::vector<std::size_t> positions(const Search& search) const;

 private:
  template <class Visit>
  static void visit_pack(ListpackView pack, std::size_t from, std::size_t count,
                         const Visit& visit);
  template <class VisitPack>
  void each_pack(bool backwards, const VisitPack& visit_pack) const;

  std::string_view packed_;
  const ListTree* tree_;
};

// To change.
class List {
 public:
  List(Cell& cell, const Settings& settings) : cell_(&cell), settings_(&settings) {}

  ListView view() const { return ListView(cell_->view()); }
  std::size_t size() const { return view().size(); }

  // One after the other: the last one is at the end afterwards. None is longer than
  // kListElementBytesMax.
  void push(ListEnd end, std::span<const std::string_view> texts);
  // Removes `count` elements (there are at least as many). `visit` sees each, from the end inwards,
  // before it is removed, and must not touch this list.
  template <class Visit>
  void pop(ListEnd end, std::size_t count, const Visit& visit);
  void drop(ListEnd end, std::size_t count);
  // `index` < size().
  void set(std::size_t index, std::string_view text);
  // Inserts before element `index` <= size().
  void insert(std::size_t index, std::string_view text);
  // Removes up to `max` elements equal to `text`, those nearest to that end; returns how
  // many.
  std::size_t remove(std::string_view text, ListEnd from, std::size_t max);
  // Keeps only [from, from + count). Returns the removed part if freeing it may take long.
  std::unique_ptr<TreeObject> trim(std::size_t from, std::size_t count);

 private:
  using Leaves = Tree<ListLeaf>;

  struct Bounds {
    std::size_t bytes;
    std::size_t elements;
  };
  Bounds packed_bounds() const;
  Leaves& leaves() { return static_cast<ListTree*>(cell_->tree())->leaves; }

  // The form.
  bool would_burst(std::size_t more_bytes, std::size_t more_elements) const;
  void unpack();
  void pack_if_small();

  void push_leaf(ListEnd end, const Encoded& element);
  template <class Change>
  void change_at(std::size_t index, const Change& change);
  std::size_t remove_in_leaves(const Encoded& wanted, ListEnd from, std::size_t max);
  Leaves copy_of(std::size_t from, std::size_t count);

  Cell* cell_;
  const Settings* settings_;
};

// --- templates ---------------------------------------------------------------------------------

template <class Visit>
void ListView::visit_pack(ListpackView pack, std::size_t from, std::size_t count,
                          const Visit& visit) {
  const char* at = pack.bytes().data() + pack.seek(static_cast<std::int64_t>(from));
  for (; count > 0; --count) visit(listpack_next(at));
}

template <class Visit>
void ListView::visit(std::size_t from, std::size_t count, const Visit& visit) const {
  if (count == 0) return;
  if (tree_ == nullptr) return visit_pack(ListpackView(packed_), from, count, visit);
  Tree<ListLeaf>::Path path;
  if (!tree_->leaves.at_rank(path, from)) return;
  for (;;) {
    const ListLeaf& leaf = path.leaf();
    const std::size_t here = std::min(count, leaf.items() - from);
    visit_pack(leaf.pack(), from, here, visit);
    count -= here;
    from = 0;
    if (count == 0 || !tree_->leaves.next(path)) return;
  }
}

template <class Visit>
void List::pop(ListEnd end, std::size_t count, const Visit& visit) {
  if (count == 0) return;
  // Returns the place of the last one visited.
  const auto see = [&](ListpackView pack, std::size_t elements) {
    auto at = end == ListEnd::head ? pack.first() : pack.last();
    for (;;) {
      visit(pack.at(at));
      if (--elements == 0) return at;
      at = end == ListEnd::head ? pack.next(at) : pack.prev(at);
    }
  };
  if (!cell_->is_tree()) {
    Listpack pack(*cell_);
    const auto last_seen = see(pack, count);
    pack.erase(end == ListEnd::head ? pack.first() : last_seen, count);
    return;
  }
  while (count > 0) {
    Leaves::Path path;
    end == ListEnd::head ? leaves().first(path) : leaves().last(path);
    const std::size_t here = std::min(count, path.leaf().items());
    see(path.leaf().pack(), here);
    ListLeaf* leaf = leaves().writable(path);
    leaf->drop(end, here);
    leaves().update(path, leaf);
    count -= here;
  }
  pack_if_small();
}

}  // namespace slotcar::types
