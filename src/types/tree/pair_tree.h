// PairTree: a sorted set of pairs of numbers, ordered by key and then by value. A sorted set finds
// its members' scores in one (hash -> score), a hash its fields' times (due -> hash). The search
// assumes evenly spread keys, as hashes are; with others it is only slower.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "types/tree/tree.h"

namespace slotcar::types {

struct Pair {
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// count pairs, in order, behind the header.
struct PairLeaf : TreeNode {
  using Separator = Pair;
  static constexpr std::size_t kPairsMax = 64;

  static PairLeaf* make(std::size_t count);
  static PairLeaf* clone(const PairLeaf& leaf);
  static void free(PairLeaf* leaf);
  static PairLeaf* resized(PairLeaf* leaf, std::size_t count);

  Pair* pairs() { return reinterpret_cast<Pair*>(this + 1); }
  const Pair* pairs() const { return reinterpret_cast<const Pair*>(this + 1); }
  // The first not before it. `range`: the range of this leaf's keys, if they are spread evenly.
  std::size_t lower_bound(const Pair& pair, const HashRange& range) const;
  static constexpr std::size_t kFirstLines = 1;
  static std::uint64_t hash_of_separator(const Pair& separator) { return separator.key; }

  std::size_t items() const { return count; }
  std::size_t footprint() const;
  bool is_full() const { return count > kPairsMax; }
  bool is_sparse() const { return count < kPairsMax / 4; }
  static PairLeaf* split(PairLeaf*& leaf, bool rightmost, Pair& at);
  static bool fit_together(const PairLeaf& left, const PairLeaf& right) {
    return left.count + right.count <= static_cast<int>(kPairsMax * 3 / 4);
  }
  static void join(PairLeaf*& left, const PairLeaf& right);
};

class PairTree {
 public:
  bool insert(const Pair& pair);  // false: it was there already
  bool erase(const Pair& pair);   // false: it was not there
  // Where a pair is. Invalid after a change of the tree.
  struct Place {
    Tree<PairLeaf>::Path path;
    std::size_t at = 0;
  };
  // The pair at `place` becomes `fresh`, which has the same key; false: that one exists already.
  bool replace(Place& place, const Pair& fresh);
  std::optional<Pair> first() const;
  // The first pair not before `from`.
  std::optional<Pair> at_or_after(const Pair& from) const;
  // How many pairs are before this one.
  std::size_t count_before(const Pair& pair) const;
  // Calls visit(value) for each value of the key, in order, until it returns true; whether it did.
  template <class Visit>
  bool any_of(std::uint64_t key, const Visit& visit) const {
    Place place;
    return any_of(key, visit, place);
  }
  // The same, and where the pair is for which it returned true.
  template <class Visit>
  bool any_of(std::uint64_t key, const Visit& visit, Place& place) const;
  // Calls visit(pair) for each pair not before `from`, in order, until it returns true.
  template <class Visit>
  void visit_from(const Pair& from, const Visit& visit) const;

  bool fetch_ahead(Approach& approach) const;  // a prefetch step towards approach.hash

  std::size_t size() const { return tree_.size(); }
  std::size_t bytes() const { return tree_.bytes(); }
  bool free_some(std::size_t& nodes) { return tree_.free_some(nodes); }

 private:
  bool seek(Tree<PairLeaf>::Path& path, const Pair& pair) const {
    return tree_.find_hash(path, pair.key,
                           [&](const Pair& sep, const TreeNode&) { return pair < sep; });
  }
  Tree<PairLeaf> tree_;
};

template <class Visit>
bool PairTree::any_of(std::uint64_t key, const Visit& visit, Place& place) const {
  const Pair lowest{key, 0};
  if (!seek(place.path, lowest)) return false;
  place.at = place.path.leaf().lower_bound(lowest, place.path.range());
  for (;; place.at = 0) {
    const PairLeaf& leaf = place.path.leaf();
    for (; place.at < leaf.count; ++place.at) {
      if (leaf.pairs()[place.at].key != key) return false;
      if (visit(leaf.pairs()[place.at].value)) return true;
    }
    if (!tree_.next(place.path)) return false;
  }
}

template <class Visit>
void PairTree::visit_from(const Pair& from, const Visit& visit) const {
  Tree<PairLeaf>::Path path;
  if (!seek(path, from)) return;
  std::size_t at = path.leaf().lower_bound(from, path.range());
  for (;; at = 0) {
    const PairLeaf& leaf = path.leaf();
    for (; at < leaf.count; ++at) {
      if (visit(leaf.pairs()[at])) return;
    }
    if (!tree_.next(path)) return;
  }
}

}  // namespace slotcar::types
