#include "types/cell.h"

#include <cstring>

#include "base/ids.h"
#include "base/limits.h"

namespace slotcar::types {

std::int64_t TreeObject::next_due() const {
  return kNever;
}

bool TreeObject::all_over(std::int64_t) const {
  return false;
}

bool TreeObject::free_some(std::size_t&) {
  return true;
}

bool TreeObject::fetch_ahead(Approach&) const {
  return false;
}

namespace {

// Nodes of a part that are freed at once. Most parts are pins that a change has left behind: they
// share all but a few nodes with the value, and to wake another thread would cost more.
constexpr std::size_t kFreedAtOnce = 16;

struct BigObject final : base::Garbage {
  BigObject(std::unique_ptr<TreeObject> o, bool is_value)
      : Garbage(is_value ? 1 : 0), object(std::move(o)) {}
  bool free_some() override {
    std::size_t nodes = limits::kFreedNodesPerSlice;
    return object->free_some(nodes);
  }
  std::unique_ptr<TreeObject> object;
};

}  // namespace

void let_go(std::unique_ptr<TreeObject> object, base::Reclaimer* reclaimer, bool is_value) {
  if (object == nullptr || reclaimer == nullptr) return;
  if (object->footprint() < limits::kFreeLaterBytes) return;
  if (std::size_t nodes = kFreedAtOnce; !is_value && object->free_some(nodes)) return;
  reclaimer->free_later(std::make_unique<BigObject>(std::move(object), is_value));
}

void Cell::resize_packed_front(std::size_t size) {
  const std::size_t old = size_;
  if (size > old) {
    resize_packed(size);
    if (old != 0) std::memmove(data_ + size - old, data_, old);
  } else {
    if (size != 0) std::memmove(data_, data_ + old - size, size);
    resize_packed(size);
  }
}

OwnCell& OwnCell::operator=(OwnCell&& other) noexcept {
  bytes_ = std::move(other.bytes_);
  object_ = std::move(other.object_);
  other.bytes_.clear();
  other.look();
  look();
  return *this;
}

OwnCell OwnCell::pin(const CellView& seen) {
  OwnCell cell;
  if (seen.tree != nullptr) {
    cell.object_ = seen.tree->share();
  } else {
    cell.bytes_ = seen.packed;
  }
  cell.look();
  return cell;
}

std::unique_ptr<TreeObject> OwnCell::take_tree() {
  auto tree = std::move(object_);
  look();
  return tree;
}

void OwnCell::resize_packed(std::size_t size) {
  bytes_.resize(size);
  look();
}

void OwnCell::keep_tree(std::unique_ptr<TreeObject> tree) {
  bytes_ = {};
  object_ = std::move(tree);
  look();
}

void OwnCell::drop_tree(std::size_t packed_size) {
  object_.reset();
  bytes_.resize(packed_size);
  look();
}

void OwnCell::look() {
  tree_ = object_.get();
  data_ = bytes_.data();
  size_ = bytes_.size();
}

}  // namespace slotcar::types
