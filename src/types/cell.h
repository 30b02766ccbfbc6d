// Cell: the storage of a collection. Small ones are packed bytes, big ones an object of trees; the
// cell owns either. Types (Hash, List, ...) work on a cell and do not know what implements it: an
// entry of the keyspace (keyspace/edit/edit.h) or plain memory (OwnCell: results of STORE commands,
// RESTORE, tests).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/reclaimer.h"
#include "types/type.h"

namespace slotcar::types {

struct Approach;

// A big collection. Copying one (`share`) is O(1): both then read the same nodes, and a writer
// copies what it changes (tree.h). So a share is a pin.
class TreeObject {
 public:
  virtual ~TreeObject() = default;
  virtual std::unique_ptr<TreeObject> share() const = 0;
  virtual std::size_t size() const = 0;       // elements
  virtual std::size_t footprint() const = 0;  // bytes; O(1)
  virtual Encoding encoding() const = 0;
  // The earliest expiry time of a part (fields of a hash), kNever if there is none.
  virtual std::int64_t next_due() const;
  // Whether every part has expired at `now` (Unix milliseconds): the key then counts as deleted.
  virtual bool all_over(std::int64_t now) const;
  // Whether nothing has changed since `earlier` was shared from this very object.
  virtual bool same_version(const TreeObject& earlier) const = 0;
  // Frees at most so many nodes, as Tree::free_some: for an object that is being freed. True: none
  // is left (or it has too few to count).
  virtual bool free_some(std::size_t& nodes);
  // One step of an approach (approach.h) to one of its elements; false: that was the last one. Only
  // for collections whose elements are looked up by name.
  virtual bool fetch_ahead(Approach& approach) const;
};

// Frees an object: at once if it is small or there is no reclaimer, otherwise there, in slices.
// `is_value`: it was a key's whole value, and is counted as such.
void let_go(std::unique_ptr<TreeObject> object, base::Reclaimer* reclaimer, bool is_value = false);

// For reading. Valid until the next change.
struct CellView {
  std::string_view packed = {};  // meaningless if tree is set
  const TreeObject* tree = nullptr;
};

class Cell {
 public:
  virtual ~Cell() = default;

  bool is_tree() const { return tree_ != nullptr; }
  bool is_empty() const { return tree_ == nullptr && size_ == 0; }  // nothing was ever stored
  // Packed bytes, writable in place.
  char* data() { return data_; }
  std::size_t size() const { return size_; }
  std::string_view packed() const { return {data_, size_}; }
  TreeObject* tree() { return tree_; }
  CellView view() const { return {{data_, size_}, tree_}; }

  // Makes the packed bytes `size` long and returns where they are now. The first min(old, new)
  // bytes are kept, new ones are garbage.
  char* resize(std::size_t size) {
    resize_packed(size);
    return data_;
  }
  // As `resize`, but the last bytes are kept: space is added or removed at the front.
  char* resize_front(std::size_t size) {
    resize_packed_front(size);
    return data_;
  }
  // Frees the packed bytes (and with them everything read from them) and stores the object instead.
  void become_tree(std::unique_ptr<TreeObject> tree) { keep_tree(std::move(tree)); }
  // Frees the object and stores packed bytes of that size (still garbage) instead.
  char* become_packed(std::size_t size) {
    drop_tree(size);
    return data_;
  }

 protected:
  // Each sets data_, size_ and tree_.
  virtual void resize_packed(std::size_t size) = 0;
  virtual void resize_packed_front(std::size_t size);
  virtual void keep_tree(std::unique_ptr<TreeObject> tree) = 0;
  virtual void drop_tree(std::size_t packed_size) = 0;

  char* data_ = nullptr;
  std::size_t size_ = 0;
  TreeObject* tree_ = nullptr;
};

// A cell in plain memory.
class OwnCell final : public Cell {
 public:
  OwnCell() = default;
  OwnCell(const OwnCell&) = delete;
  OwnCell& operator=(const OwnCell&) = delete;
  OwnCell(OwnCell&& other) noexcept { *this = std::move(other); }
  OwnCell& operator=(OwnCell&& other) noexcept;

  // A copy: packed bytes are copied (they are few), a tree is shared in O(1).
  static OwnCell pin(const CellView& seen);
  std::unique_ptr<TreeObject> take_tree();

 private:
  void resize_packed(std::size_t size) override;
  void keep_tree(std::unique_ptr<TreeObject> tree) override;
  void drop_tree(std::size_t packed_size) override;
  void look();

  std::string bytes_;
  std::unique_ptr<TreeObject> object_;
};

}  // namespace slotcar::types
