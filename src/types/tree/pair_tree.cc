#include "types/tree/pair_tree.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/assert.h"
#include "base/memory.h"

namespace slotcar::types {

PairLeaf* PairLeaf::make(std::size_t count) {
  void* memory = base::allocate_bytes(sizeof(PairLeaf) + count * sizeof(Pair));
  auto* leaf = new (memory) PairLeaf();
  leaf->count = static_cast<std::uint16_t>(count);
  return leaf;
}

PairLeaf* PairLeaf::clone(const PairLeaf& leaf) {
  PairLeaf* copy = make(leaf.count);
  std::memcpy(copy->pairs(), leaf.pairs(), leaf.count * sizeof(Pair));
  return copy;
}

void PairLeaf::free(PairLeaf* leaf) {
  base::free_bytes(leaf);
}

PairLeaf* PairLeaf::resized(PairLeaf* leaf, std::size_t count) {
  leaf =
      static_cast<PairLeaf*>(base::reallocate_bytes(leaf, sizeof(PairLeaf) + count * sizeof(Pair)));
  leaf->count = static_cast<std::uint16_t>(count);
  return leaf;
}

std::size_t PairLeaf::footprint() const {
  return base::usable_bytes(this);
}

std::size_t PairLeaf::lower_bound(const Pair& pair, const HashRange& range) const {
  const std::uint32_t guess = range.guess(pair.key, count + 1u);
  return find_near(guess, count, [&](std::uint32_t at) { return !(pairs()[at - 1] < pair); });
}

PairLeaf* PairLeaf::split(PairLeaf*& leaf, bool rightmost, Pair& at) {
  const std::size_t kept = rightmost ? leaf->count * 7u / 8 : leaf->count / 2u;
  PairLeaf* right = make(leaf->count - kept);
  std::memcpy(right->pairs(), leaf->pairs() + kept, right->count * sizeof(Pair));
  leaf = resized(leaf, kept);
  at = right->pairs()[0];
  return right;
}

void PairLeaf::join(PairLeaf*& left, const PairLeaf& right) {
  const std::size_t before = left->count;
  left = resized(left, before + right.count);
  std::memcpy(left->pairs() + before, right.pairs(), right.count * sizeof(Pair));
}

bool PairTree::insert(const Pair& pair) {
  Tree<PairLeaf>::Path path;
  if (!seek(path, pair)) {
    PairLeaf* leaf = PairLeaf::make(1);
    leaf->pairs()[0] = pair;
    tree_.append_leaf(leaf, pair);
    return true;
  }
  const std::size_t at = path.leaf().lower_bound(pair, path.range());
  const std::size_t count = path.leaf().count;
  if (at < count && path.leaf().pairs()[at] == pair) return false;
  PairLeaf* leaf = PairLeaf::resized(tree_.writable(path), count + 1);
  std::memmove(leaf->pairs() + at + 1, leaf->pairs() + at, (count - at) * sizeof(Pair));
  leaf->pairs()[at] = pair;
  tree_.update(path, leaf);
  return true;
}

bool PairTree::fetch_ahead(Approach& approach) const {
  // Where the key begins a leaf, that leaf is more likely to have what is wanted than the one
  // before.
  const auto lies_before = [&](const Pair& sep, const TreeNode&) {
    return approach.hash < sep.key;
  };
  if (tree_.fetch_ahead(approach, lies_before)) return true;
  if (approach.node != nullptr) {
    const auto* leaf = static_cast<const PairLeaf*>(approach.node);
    const std::uint32_t guess = approach.range.guess(approach.hash, leaf->count + 1u);
    fetch_lines(leaf->pairs() + (guess > 2 ? guess - 2 : 0), 2);
  }
  return false;
}

bool PairTree::erase(const Pair& pair) {
  Tree<PairLeaf>::Path path;
  if (!seek(path, pair)) return false;
  const std::size_t at = path.leaf().lower_bound(pair, path.range());
  const std::size_t count = path.leaf().count;
  if (at == count || path.leaf().pairs()[at] != pair) return false;
  PairLeaf* leaf = tree_.writable(path);
  std::memmove(leaf->pairs() + at, leaf->pairs() + at + 1, (count - at - 1) * sizeof(Pair));
  leaf = PairLeaf::resized(leaf, count - 1);
  tree_.update(path, leaf);
  return true;
}

bool PairTree::replace(Place& place, const Pair& fresh) {
  const PairLeaf& seen = place.path.leaf();
  const std::size_t at = place.at;
  const Pair old = seen.pairs()[at];
  ASSERT(fresh.key == old.key);
  // In place, unless that could leave the leaf's bounds or another pair has the same key.
  if (at > 0 && at + 1u < seen.count && seen.pairs()[at - 1].key != old.key &&
      seen.pairs()[at + 1].key != old.key) {
    PairLeaf* leaf = tree_.writable(place.path);
    leaf->pairs()[at] = fresh;
    tree_.update(place.path, leaf);
    return true;
  }
  erase(old);
  return insert(fresh);
}

std::optional<Pair> PairTree::first() const {
  Tree<PairLeaf>::Path path;
  if (!tree_.first(path)) return std::nullopt;
  return path.leaf().pairs()[0];
}

std::size_t PairTree::count_before(const Pair& pair) const {
  Tree<PairLeaf>::Path path;
  if (!seek(path, pair)) return 0;
  return tree_.rank_of(path) + path.leaf().lower_bound(pair, path.range());
}

std::optional<Pair> PairTree::at_or_after(const Pair& from) const {
  Tree<PairLeaf>::Path path;
  if (!seek(path, from)) return std::nullopt;
  const std::size_t at = path.leaf().lower_bound(from, path.range());
  if (at < path.leaf().count) return path.leaf().pairs()[at];
  if (!tree_.next(path)) return std::nullopt;
  return path.leaf().pairs()[0];
}

}  // namespace slotcar::types
