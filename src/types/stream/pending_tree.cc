#include "types/stream/pending_tree.h"

#include <algorithm>
#include <new>

#include "base/memory.h"

namespace slotcar::types {

namespace {

std::size_t bytes_for(std::size_t count) {
  return sizeof(PendingLeaf) + count * sizeof(Pending);
}

}  // namespace

PendingLeaf* PendingLeaf::make(std::size_t count) {
  auto* leaf = new (base::allocate_bytes(bytes_for(count))) PendingLeaf();
  leaf->count = static_cast<std::uint16_t>(count);
  return leaf;
}

PendingLeaf* PendingLeaf::clone(const PendingLeaf& leaf) {
  PendingLeaf* copy = make(leaf.count);
  std::copy_n(leaf.list(), leaf.count, copy->list());
  return copy;
}

void PendingLeaf::free(PendingLeaf* leaf) {
  base::free_bytes(leaf);
}

PendingLeaf* PendingLeaf::resized(PendingLeaf* leaf, std::size_t count) {
  leaf = static_cast<PendingLeaf*>(base::reallocate_bytes(leaf, bytes_for(count)));
  leaf->count = static_cast<std::uint16_t>(count);
  return leaf;
}

std::size_t PendingLeaf::footprint() const {
  return base::usable_bytes(this);
}

std::size_t PendingLeaf::lower_bound(const StreamId& id) const {
  const Pending* found = std::lower_bound(
      list(), list() + count, id, [](const Pending& a, const StreamId& b) { return a.id < b; });
  return static_cast<std::size_t>(found - list());
}

PendingLeaf* PendingLeaf::split(PendingLeaf*& leaf, bool rightmost, StreamId& at) {
  const std::size_t kept = rightmost ? leaf->count * 7u / 8 : leaf->count / 2u;
  PendingLeaf* right = make(leaf->count - kept);
  std::copy_n(leaf->list() + kept, right->count, right->list());
  leaf = resized(leaf, kept);
  at = right->list()[0].id;
  return right;
}

void PendingLeaf::join(PendingLeaf*& left, const PendingLeaf& right) {
  const std::size_t before = left->count;
  left = resized(left, before + right.count);
  std::copy_n(right.list(), right.count, left->list() + before);
}

std::optional<Pending> PendingTree::find(const StreamId& id) const {
  Path path;
  if (!seek(path, id)) return std::nullopt;
  const std::size_t at = path.leaf().lower_bound(id);
  if (at == path.leaf().count || path.leaf().list()[at].id != id) return std::nullopt;
  return path.leaf().list()[at];
}

std::optional<Pending> PendingTree::first() const {
  return at_or_after({});
}

std::optional<Pending> PendingTree::last() const {
  Path path;
  if (!tree_.last(path)) return std::nullopt;
  return path.leaf().list()[path.leaf().count - 1];
}

std::optional<Pending> PendingTree::at_or_after(const StreamId& from) const {
  std::optional<Pending> found;
  walk(from, [&](const Pending& pending) {
    found = pending;
    return false;
  });
  return found;
}

void PendingTree::put(const Pending& pending) {
  Path path;
  if (!seek(path, pending.id)) {
    PendingLeaf* leaf = PendingLeaf::make(1);
    leaf->list()[0] = pending;
    return tree_.append_leaf(leaf, pending.id);
  }
  const std::size_t at = path.leaf().lower_bound(pending.id);
  const std::size_t count = path.leaf().count;
  PendingLeaf* leaf = tree_.writable(path);
  if (at == count || leaf->list()[at].id != pending.id) {
    leaf = PendingLeaf::resized(leaf, count + 1);
    std::copy_backward(leaf->list() + at, leaf->list() + count, leaf->list() + count + 1);
  }
  leaf->list()[at] = pending;
  tree_.update(path, leaf);
}

bool PendingTree::erase(const StreamId& id) {
  Path path;
  if (!seek(path, id)) return false;
  const std::size_t at = path.leaf().lower_bound(id);
  const std::size_t count = path.leaf().count;
  if (at == count || path.leaf().list()[at].id != id) return false;
  PendingLeaf* leaf = tree_.writable(path);
  std::copy(leaf->list() + at + 1, leaf->list() + count, leaf->list() + at);
  tree_.update(path, PendingLeaf::resized(leaf, count - 1));
  return true;
}

}  // namespace slotcar::types
