// ListLeaf: a leaf of the tree of a big list. It is one listpack with room around it:
//
//   header | room before | listpack (6 bytes, elements, 0xff) | room behind
//
// so that pushing and popping at either end moves no element: the listpack's small header is
// rewritten where the elements now begin. An element too big for a leaf is alone in one of its own
// size. Changes in the middle go through Listpack (LeafCell).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "types/cell.h"
#include "types/packed/listpack.h"
#include "types/tree/tree_node.h"

namespace slotcar::types {

enum class ListEnd : std::uint8_t { head, tail };

class ListLeaf : public TreeNode {
 public:
  using Separator = NoSeparator;

  // A full leaf is one block of this size: small enough that a writer copies little if there is a
  // pin and finds a place in it quickly, big enough that the overhead of a leaf does not matter.
  static constexpr std::size_t kBlockBytes = 8 * 1024;
  static constexpr std::size_t kOwnBytes = 16;                           // before the room
  static constexpr std::size_t kPackBytesMax = kBlockBytes - kOwnBytes;  // of a listpack in a block

  // What a tree requires of its leaves (tree.h).
  static ListLeaf* clone(const ListLeaf& leaf);
  static void free(ListLeaf* leaf);
  // A leaf has far fewer elements than a listpack can count: at least two bytes each.
  std::size_t items() const { return load<std::uint16_t>(kCountOffset); }
  std::size_t footprint() const { return kOwnBytes + room_; }
  bool is_full() const { return pack_bytes() > kPackBytesMax && items() > 1; }
  bool is_sparse() const { return pack_bytes() < kPackBytesMax / 4; }
  static ListLeaf* split(ListLeaf*& leaf, bool rightmost, Separator& at);
  static bool fit_together(const ListLeaf& left, const ListLeaf& right);
  static void join(ListLeaf*& left, const ListLeaf& right);

  // A leaf of this many elements, copied from a listpack.
  static ListLeaf* make(std::string_view elements, std::size_t number);
  // A leaf of one element, with room for more at that end: a little, doubled when needed, or a
  // whole block at once.
  static ListLeaf* make(const Encoded& element, ListEnd grows_at, bool whole_block);

  ListpackView pack() const { return ListpackView({pack_data(), pack_bytes()}); }
  std::size_t pack_bytes() const { return load<std::uint32_t>(0); }
  // The elements alone.
  std::string_view elements() const {
    return {pack_data() + ListpackView::kHeaderBytes, pack_bytes() - ListpackView::kEmptyBytes};
  }

  // At the ends. `takes`: whether one more element may be pushed.
  bool takes(const Encoded& element) const {
    return pack_bytes() + Listpack::stored_size(element) <= kPackBytesMax;
  }
  static void push(ListLeaf*& leaf, ListEnd end, const Encoded& element);
  void drop(ListEnd end, std::size_t gone);  // not more than there are
  // Frees memory if much of the block is no longer used.
  static void fit(ListLeaf*& leaf);

 private:
  friend class LeafCell;
  static constexpr std::size_t kCountOffset = 4;  // in a listpack

  static ListLeaf* allocate(std::size_t room);
  static void make_room(ListLeaf*& leaf, ListEnd end, std::size_t more);
  static void move_to(ListLeaf*& leaf, std::size_t room, std::size_t begin);
  template <class T>
  T load(std::size_t offset) const {
    T value;
    std::memcpy(&value, pack_data() + offset, sizeof value);
    return value;
  }
  char* room() { return reinterpret_cast<char*>(this + 1); }
  char* pack_data() { return room() + begin_; }
  const char* pack_data() const { return reinterpret_cast<const char*>(this + 1) + begin_; }
  void set_header(std::size_t pack_bytes, std::size_t elements);

  std::uint32_t room_ = 0;   // bytes behind this object
  std::uint32_t begin_ = 0;  // where the listpack lies in them
};

static_assert(sizeof(ListLeaf) == ListLeaf::kOwnBytes);

// A leaf's listpack as a cell, for changes by Listpack. The leaf may move.
class LeafCell final : public Cell {
 public:
  explicit LeafCell(ListLeaf*& leaf) : leaf_(leaf) { look(leaf->pack_bytes()); }

 private:
  void resize_packed(std::size_t size) override;
  void keep_tree(std::unique_ptr<TreeObject> tree) override;
  void drop_tree(std::size_t packed_size) override;
  void look(std::size_t size) {
    data_ = leaf_->pack_data();
    size_ = size;
  }

  ListLeaf*& leaf_;
};

}  // namespace slotcar::types
