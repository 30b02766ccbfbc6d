#include "types/tree/list_leaf.h"

#include <algorithm>
#include <new>

#include "base/assert.h"
#include "base/memory.h"

namespace slotcar::types {

namespace {

constexpr std::size_t kHeader = ListpackView::kHeaderBytes;
constexpr std::size_t kEmpty = ListpackView::kEmptyBytes;
constexpr char kEnd = '\xff';
// A new leaf at an end starts this small and doubles: a list just above the packed limit should not
// pay for a whole block.
constexpr std::size_t kFirstBlockBytes = 512;

}  // namespace

// --- memory ------------------------------------------------------------------------------------

ListLeaf* ListLeaf::allocate(std::size_t room) {
  void* memory = base::allocate_bytes(kOwnBytes + room);
  auto* leaf = new (memory) ListLeaf();
  const std::size_t usable = base::usable_bytes(memory) - kOwnBytes;
  leaf->room_ = static_cast<std::uint32_t>(std::min<std::size_t>(usable, UINT32_MAX));
  return leaf;
}

void ListLeaf::free(ListLeaf* leaf) {
  leaf->~ListLeaf();
  base::free_bytes(leaf);
}

ListLeaf* ListLeaf::clone(const ListLeaf& leaf) {
  ListLeaf* copy = allocate(leaf.room_);
  copy->begin_ = leaf.begin_;
  std::memcpy(copy->pack_data(), leaf.pack_data(), leaf.pack_bytes());
  return copy;
}

// Puts the listpack into a block with that much room, at that place. The leaf is not shared.
void ListLeaf::move_to(ListLeaf*& leaf, std::size_t room, std::size_t begin) {
  ListLeaf* fresh = allocate(room);
  fresh->begin_ = static_cast<std::uint32_t>(begin);
  std::memcpy(fresh->pack_data(), leaf->pack_data(), leaf->pack_bytes());
  free(leaf);
  leaf = fresh;
}

// Room for `more` bytes at an end. Every case makes room for many pushes, so that each costs little
// on average.
void ListLeaf::make_room(ListLeaf*& leaf, ListEnd end, std::size_t more) {
  const std::size_t size = leaf->pack_bytes();
  const std::size_t unused = leaf->room_ - size;
  const std::size_t here = end == ListEnd::head ? leaf->begin_ : unused - leaf->begin_;
  if (here >= more) return;

  // The other end has a lot: the listpack moves over. A part is left there, in case both ends are
  // pushed to.
  if (unused - unused / 4 >= more + size / 2) {
    const std::size_t begin = end == ListEnd::head ? unused - unused / 4 : unused / 4;
    std::memmove(leaf->room() + begin, leaf->pack_data(), size);
    leaf->begin_ = static_cast<std::uint32_t>(begin);
    return;
  }
  const std::size_t wanted = size + more;
  move_to(leaf, std::max(wanted, std::min(2 * wanted, kPackBytesMax)), 0);
  if (end == ListEnd::tail) return;
  const std::size_t begin = leaf->room_ - size;
  std::memmove(leaf->room() + begin, leaf->pack_data(), size);
  leaf->begin_ = static_cast<std::uint32_t>(begin);
}

void ListLeaf::fit(ListLeaf*& leaf) {
  const std::size_t size = leaf->pack_bytes();
  if (leaf->room_ > 2 * size + kFirstBlockBytes) move_to(leaf, size, 0);
}

// --- the listpack ------------------------------------------------------------------------------

void ListLeaf::set_header(std::size_t pack_bytes, std::size_t elements) {
  ASSERT(elements < UINT16_MAX);
  const auto bytes = static_cast<std::uint32_t>(pack_bytes);
  const auto told = static_cast<std::uint16_t>(elements);
  std::memcpy(pack_data(), &bytes, sizeof bytes);
  std::memcpy(pack_data() + kCountOffset, &told, sizeof told);
}

ListLeaf* ListLeaf::make(std::string_view elements, std::size_t number) {
  const std::size_t size = elements.size() + kEmpty;
  ListLeaf* leaf = allocate(size);
  std::memcpy(leaf->pack_data() + kHeader, elements.data(), elements.size());
  leaf->pack_data()[size - 1] = kEnd;
  leaf->set_header(size, number);
  return leaf;
}

ListLeaf* ListLeaf::make(const Encoded& element, ListEnd grows_at, bool whole_block) {
  const std::size_t size = Listpack::stored_size(element) + kEmpty;
  const std::size_t block = whole_block ? kBlockBytes : kFirstBlockBytes;
  ListLeaf* leaf = allocate(std::max(size, block - kOwnBytes));
  if (grows_at == ListEnd::head) leaf->begin_ = static_cast<std::uint32_t>(leaf->room_ - size);
  *Listpack::store(leaf->pack_data() + kHeader, element) = kEnd;
  leaf->set_header(size, 1);
  return leaf;
}

void ListLeaf::push(ListLeaf*& leaf, ListEnd end, const Encoded& element) {
  const std::size_t more = Listpack::stored_size(element);
  make_room(leaf, end, more);
  const std::size_t size = leaf->pack_bytes() + more;
  const std::size_t number = leaf->items() + 1;
  if (end == ListEnd::head) {
    leaf->begin_ -= static_cast<std::uint32_t>(more);
    Listpack::store(leaf->pack_data() + kHeader, element);
  } else {
    *Listpack::store(leaf->pack_data() + size - more - 1, element) = kEnd;
  }
  leaf->set_header(size, number);
}

void ListLeaf::drop(ListEnd end, std::size_t gone) {
  const ListpackView seen = pack();
  const std::size_t left = items() - gone;
  if (left == 0) {
    pack_data()[kHeader] = kEnd;
    return set_header(kEmpty, 0);
  }
  if (end == ListEnd::head) {
    ListpackView::Place at = seen.first();
    for (; gone > 0; --gone) at = seen.next(at);
    const std::size_t gone_bytes = at - kHeader;
    begin_ += static_cast<std::uint32_t>(gone_bytes);
    return set_header(seen.bytes().size() - gone_bytes, left);
  }
  ListpackView::Place at = seen.last();
  for (; gone > 1; --gone) at = seen.prev(at);
  pack_data()[at] = kEnd;
  set_header(at + 1, left);
}

// --- the tree's side ---------------------------------------------------------------------------

// Splits in half by bytes. But an element that fills a leaf gets one of its own: the leaf is split
// before it, and next time after it.
ListLeaf* ListLeaf::split(ListLeaf*& leaf, bool, Separator&) {
  const ListpackView seen = leaf->pack();
  const std::size_t size = seen.bytes().size();
  std::size_t before = 0;  // elements that stay
  ListpackView::Place at = seen.first();
  while (at != ListpackView::kNone) {
    const ListpackView::Place after = seen.next(at);
    const std::size_t end = after == ListpackView::kNone ? size - 1 : after;
    const bool big = end - at > kPackBytesMax / 2;
    if (before != 0 && (big || at >= size / 2)) break;
    ++before;
    at = after;
    if (big) break;
  }
  if (at == ListpackView::kNone) return nullptr;
  const std::size_t moved = leaf->items() - before;
  ListLeaf* right = make(seen.bytes().substr(at, size - 1 - at), moved);
  leaf->drop(ListEnd::tail, moved);
  fit(leaf);
  return right;
}

bool ListLeaf::fit_together(const ListLeaf& left, const ListLeaf& right) {
  return left.pack_bytes() + right.pack_bytes() <= kPackBytesMax - kPackBytesMax / 4;
}

void ListLeaf::join(ListLeaf*& left, const ListLeaf& right) {
  const std::string_view more = right.elements();
  make_room(left, ListEnd::tail, more.size());
  const std::size_t size = left->pack_bytes();
  char* out = left->pack_data() + size - 1;
  std::memcpy(out, more.data(), more.size());
  out[more.size()] = kEnd;
  left->set_header(size + more.size(), left->items() + right.items());
}

// --- as a cell ---------------------------------------------------------------------------------

// The listpack's header still has the old size; Listpack rewrites it afterwards.
void LeafCell::resize_packed(std::size_t size) {
  if (size > size_) ListLeaf::make_room(leaf_, ListEnd::tail, size - size_);
  look(size);
}

void LeafCell::keep_tree(std::unique_ptr<TreeObject>) {
  UNREACHABLE();
}

void LeafCell::drop_tree(std::size_t) {
  UNREACHABLE();
}

}  // namespace slotcar::types
