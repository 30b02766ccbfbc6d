#include "types/list.h"

#include <cstring>
#include <string>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"

namespace slotcar::types {

namespace {

constexpr ListpackView::Place kNone = ListpackView::kNone;

// Where the element at `at` and its back length end.
std::size_t end_of(const ListpackView& pack, ListpackView::Place at) {
  const ListpackView::Place after = pack.next(at);
  return after == kNone ? pack.bytes().size() - 1 : after;
}

std::size_t count_equal(const ListpackView& pack, const Encoded& wanted) {
  std::size_t count = 0;
  for (auto at = pack.find(wanted, pack.first()); at != kNone;) {
    ++count;
    at = pack.find(wanted, pack.next(at));
  }
  return count;
}

// Removes matches from one listpack: the `max` nearest to that end.
std::size_t take_out(Cell& cell, const Encoded& wanted, ListEnd from, std::size_t max) {
  Listpack pack(cell);
  std::size_t skip = 0;
  if (from == ListEnd::tail) {
    const std::size_t equal = count_equal(pack, wanted);
    if (equal > max) skip = equal - max;
  }
  return pack.erase_equal(wanted, skip, max);
}

}  // namespace

// --- looking -----------------------------------------------------------------------------------

std::optional<Element> ListView::at(std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(size());
  if (index < 0) index += count;
  if (index < 0 || index >= count) return std::nullopt;
  if (tree_ == nullptr) {
    const ListpackView pack(packed_);
    return pack.at(pack.seek(index));
  }
  Tree<ListLeaf>::Path path;
  auto place = static_cast<std::size_t>(index);
  ASSERT(tree_->leaves.at_rank(path, place));
  const ListpackView pack = path.leaf().pack();
  return pack.at(pack.seek(static_cast<std::int64_t>(place)));
}

// Calls visit_pack(pack, index of its first element) for each listpack until that returns false.
template <class VisitPack>
void ListView::each_pack(bool backwards, const VisitPack& visit_pack) const {
  if (tree_ == nullptr) {
    if (!packed_.empty()) visit_pack(ListpackView(packed_), 0);
    return;
  }
  const Tree<ListLeaf>& leaves = tree_->leaves;
  Tree<ListLeaf>::Path path;
  if (backwards ? !leaves.last(path) : !leaves.first(path)) return;
  std::size_t first = backwards ? leaves.size() - path.leaf().items() : 0;
  for (;;) {
    if (!visit_pack(path.leaf().pack(), first)) return;
    if (!backwards) first += path.leaf().items();
    if (backwards ? !leaves.prev(path) : !leaves.next(path)) return;
    if (backwards) first -= path.leaf().items();
  }
}

std::vector<std::size_t> ListView::positions(const Search& search) const {
  std::vector<std::size_t> found;
  if (search.text.size() > kListElementBytesMax) return found;
  const Encoded wanted(search.text);
  std::uint64_t skip = search.skipped;
  std::uint64_t look = search.looked_max;
  each_pack(search.backwards, [&](const ListpackView& pack, std::size_t first) {
    const std::string_view bytes = pack.bytes();
    auto at = search.backwards ? pack.last() : pack.first();
    std::size_t index = search.backwards ? first + pack.size() - 1 : first;
    while (at != kNone) {
      if (look-- == 0) return false;
      if (wanted.matches(bytes.data() + at, bytes.size() - 1 - at)) {
        if (skip > 0) {
          --skip;
        } else {
          found.push_back(index);
          if (found.size() == search.count_max) return false;
        }
      }
      at = search.backwards ? pack.prev(at) : pack.next(at);
      search.backwards ? --index : ++index;
    }
    return true;
  });
  return found;
}

// --- the form ----------------------------------------------------------------------------------

List::Bounds List::packed_bounds() const {
  constexpr std::size_t kCountedBytesMax = 8 * 1024;  // Redis's, where elements are counted
  constexpr std::int64_t kSizeClasses = 5;            // 4, 8, 16, 32, 64 KiB
  const std::int64_t setting = settings_->list_max_listpack_size.get();
  if (setting >= 0) {
    return {kCountedBytesMax, std::max<std::size_t>(static_cast<std::size_t>(setting), 1)};
  }
  const auto size_class = setting < -kSizeClasses ? kSizeClasses : -setting;
  const std::size_t bytes = std::size_t{4096} << (size_class - 1);
  return {std::min(bytes, limits::kPackedBytesMax), SIZE_MAX};
}

// As in Redis: by the text of the new element, not by its encoding. (That may make a listpack of
// many short elements somewhat longer than the bound.)
bool List::would_burst(std::size_t more_bytes, std::size_t more_elements) const {
  const Bounds bounds = packed_bounds();
  const std::size_t bytes = std::max(cell_->size(), ListpackView::kEmptyBytes) + more_bytes;
  if (bytes > bounds.bytes || more_elements * 3 > limits::kPackedBytesMax) return true;
  return bounds.elements != SIZE_MAX && size() + more_elements > bounds.elements;
}

void List::unpack() {
  auto tree = std::make_unique<ListTree>();
  if (!cell_->is_empty()) {
    const ListpackView pack(cell_->packed());
    ListpackView::Place at = pack.first();
    while (at != kNone) {
      const std::size_t begin = at;
      std::size_t end = at;
      std::size_t count = 0;
      while (at != kNone) {
        const std::size_t next_end = end_of(pack, at);
        const std::size_t bytes = next_end - begin + ListpackView::kEmptyBytes;
        if (count > 0 && bytes > ListLeaf::kPackBytesMax) break;
        end = next_end;
        ++count;
        at = pack.next(at);
      }
      tree->leaves.append_leaf(ListLeaf::make(pack.bytes().substr(begin, end - begin), count), {});
    }
  }
  cell_->become_tree(std::move(tree));
}

void List::pack_if_small() {
  if (!cell_->is_tree() || leaves().empty()) return;
  const Bounds bounds = packed_bounds();
  const std::size_t bytes_max = bounds.bytes / 2;
  if (leaves().size() > bounds.elements / 2) return;
  // A quick no for lists that are far from the limit: their leaves are not that much bigger than
  // needed.
  if (leaves().bytes() > 4 * (bounds.bytes + ListLeaf::kBlockBytes)) return;
  Leaves::Path path;
  leaves().first(path);
  std::size_t bytes = ListpackView::kEmptyBytes;
  do {
    bytes += path.leaf().elements().size();
    if (bytes > bytes_max) return;
  } while (leaves().next(path));

  std::string packed(ListpackView::kHeaderBytes, '\0');
  packed.reserve(bytes);
  leaves().first(path);
  do {
    packed += path.leaf().elements();
  } while (leaves().next(path));
  packed += '\xff';
  const auto total = static_cast<std::uint32_t>(packed.size());
  // At least two bytes per element: far fewer than a listpack can count.
  const auto count = static_cast<std::uint16_t>(leaves().size());
  std::memcpy(packed.data(), &total, sizeof total);
  std::memcpy(packed.data() + sizeof total, &count, sizeof count);
  std::memcpy(cell_->become_packed(packed.size()), packed.data(), packed.size());
}

// --- the ends ----------------------------------------------------------------------------------

void List::push(ListEnd end, std::span<const std::string_view> texts) {
  if (!cell_->is_tree()) {
    std::size_t bytes = 0;
    for (const std::string_view text : texts) bytes += text.size();
    if (!would_burst(bytes, texts.size())) {
      Listpack pack(*cell_);
      for (const std::string_view text : texts) {
        const Element element = Element::of(text);
        end == ListEnd::head ? pack.prepend(element) : pack.append(element);
      }
      return;
    }
    unpack();
  }
  for (const std::string_view text : texts) push_leaf(end, Encoded(text));
}

void List::push_leaf(ListEnd end, const Encoded& element) {
  Leaves& tree = leaves();
  Leaves::Path path;
  const bool any = end == ListEnd::head ? tree.first(path) : tree.last(path);
  if (any && path.leaf().takes(element)) [[likely]] {
    ListLeaf* leaf = tree.writable(path);
    ListLeaf::push(leaf, end, element);
    return tree.update(path, leaf);
  }
  const bool many_leaves = tree.bytes() >= 16 * ListLeaf::kBlockBytes;
  ListLeaf* leaf = ListLeaf::make(element, end, many_leaves);
  end == ListEnd::head ? tree.prepend_leaf(leaf, {}) : tree.append_leaf(leaf, {});
}

void List::drop(ListEnd end, std::size_t count) {
  if (count == 0) return;
  if (!cell_->is_tree()) {
    Listpack pack(*cell_);
    const auto first = end == ListEnd::head ? 0 : -static_cast<std::int64_t>(count);
    pack.erase(pack.seek(first), count);
    return;
  }
  while (count > 0) {
    Leaves::Path path;
    end == ListEnd::head ? leaves().first(path) : leaves().last(path);
    const std::size_t here = std::min(count, path.leaf().items());
    ListLeaf* leaf = leaves().writable(path);
    leaf->drop(end, here);
    leaves().update(path, leaf);
    count -= here;
  }
  pack_if_small();
}

// --- the middle --------------------------------------------------------------------------------

// Calls change(pack, place of element `index`) on that element's leaf.
template <class Change>
void List::change_at(std::size_t index, const Change& change) {
  Leaves::Path path;
  std::size_t place = index;
  ASSERT(leaves().at_rank(path, place));
  ListLeaf* leaf = leaves().writable(path);
  {
    LeafCell cell(leaf);
    Listpack pack(cell);
    change(pack, pack.seek(static_cast<std::int64_t>(place)));
  }
  leaves().update(path, leaf);
  // An update splits once. A big element is to be cut off on both sides.
  for (int i = 0; i < 2; ++i) {
    place = index;
    ASSERT(leaves().at_rank(path, place));
    if (!path.leaf().is_full()) return;
    leaf = leaves().writable(path);
    leaves().update(path, leaf);
  }
}

void List::set(std::size_t index, std::string_view text) {
  const Element element = Element::of(text);
  // Redis counts one element more here, too.
  if (!cell_->is_tree() && would_burst(text.size(), 1)) unpack();
  if (!cell_->is_tree()) {
    Listpack pack(*cell_);
    pack.replace(pack.seek(static_cast<std::int64_t>(index)), element);
    return;
  }
  change_at(index, [&](Listpack& pack, ListpackView::Place at) { pack.replace(at, element); });
  pack_if_small();
}

void List::insert(std::size_t index, std::string_view text) {
  const std::size_t count = size();
  if (index == 0) return push(ListEnd::head, {&text, 1});
  if (index == count) return push(ListEnd::tail, {&text, 1});
  const Element element = Element::of(text);
  if (!cell_->is_tree() && would_burst(text.size(), 1)) unpack();
  if (!cell_->is_tree()) {
    Listpack pack(*cell_);
    pack.insert(pack.seek(static_cast<std::int64_t>(index)), {element});
    return;
  }
  change_at(index, [&](Listpack& pack, ListpackView::Place at) { pack.insert(at, {element}); });
}

std::size_t List::remove(std::string_view text, ListEnd from, std::size_t max) {
  if (cell_->is_empty() || max == 0 || text.size() > kListElementBytesMax) return 0;
  const Encoded wanted(text);
  if (!cell_->is_tree()) return take_out(*cell_, wanted, from, max);
  const std::size_t removed = remove_in_leaves(wanted, from, max);
  if (removed > 0) pack_if_small();
  return removed;
}

// Leaf by leaf. A leaf is made writable only if there is a match in it. Ranks stay valid when a
// change joins leaves; paths do not.
std::size_t List::remove_in_leaves(const Encoded& wanted, ListEnd from, std::size_t max) {
  const bool forward = from == ListEnd::head;
  std::size_t removed = 0;
  Leaves::Path path;
  if (forward ? !leaves().first(path) : !leaves().last(path)) return 0;
  for (;;) {
    const ListpackView seen = path.leaf().pack();
    if (seen.find(wanted, seen.first()) == kNone) {
      if (forward ? !leaves().next(path) : !leaves().prev(path)) return removed;
      continue;
    }
    const std::size_t before = leaves().rank_of(path);
    ListLeaf* leaf = leaves().writable(path);
    {
      LeafCell cell(leaf);
      removed += take_out(cell, wanted, from, max - removed);
    }
    ListLeaf::fit(leaf);
    const std::size_t left = leaf->items();
    leaves().update(path, leaf);
    if (removed == max) return removed;
    if (!forward && before == 0) return removed;
    std::size_t rank = forward ? before + left : before - 1;
    if (!leaves().at_rank(path, rank)) return removed;
  }
}

List::Leaves List::copy_of(std::size_t from, std::size_t count) {
  Leaves copy;
  Leaves::Path path;
  if (count == 0 || !leaves().at_rank(path, from)) return copy;
  for (;;) {
    const ListpackView pack = path.leaf().pack();
    const std::size_t here = std::min(count, path.leaf().items() - from);
    const auto begin = pack.seek(static_cast<std::int64_t>(from));
    const std::size_t end = end_of(pack, pack.seek(static_cast<std::int64_t>(from + here - 1)));
    copy.append_leaf(ListLeaf::make(pack.bytes().substr(begin, end - begin), here), {});
    count -= here;
    from = 0;
    if (count == 0) return copy;
    ASSERT(leaves().next(path));
  }
}

std::unique_ptr<TreeObject> List::trim(std::size_t from, std::size_t count) {
  const std::size_t total = size();
  const std::size_t behind = total - from - count;
  if (!cell_->is_tree() || count >= from + behind) {
    drop(ListEnd::tail, behind);
    drop(ListEnd::head, from);
    return nullptr;
  }
  // Less is kept than removed: the kept part is copied, and the rest is freed as one object.
  auto rest = std::make_unique<ListTree>();
  rest->leaves = copy_of(from, count);
  leaves().swap(rest->leaves);
  pack_if_small();
  return rest;
}

}  // namespace slotcar::types
