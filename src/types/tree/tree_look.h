// Tree: lookups (included only by tree.h).
#pragma once

#include <algorithm>

#include "types/tree/tree.h"

namespace slotcar::types {

template <class Leaf>
void Tree<Leaf>::descend(Path& path, TreeNode* node, bool to_first) const {
  while (node->level > 0) {
    Inner* in = inner(node);
    const std::uint32_t at = to_first ? 0 : in->count - 1u;
    path.steps_[path.depth_++] = {in, at};
    node = in->children[at];
  }
  path.leaf_ = leaf_of(node);
}

template <class Leaf>
bool Tree<Leaf>::first(Path& path) const {
  path.depth_ = 0;
  if (root_ == nullptr) return false;
  descend(path, root_, true);
  return true;
}

template <class Leaf>
bool Tree<Leaf>::last(Path& path) const {
  path.depth_ = 0;
  if (root_ == nullptr) return false;
  descend(path, root_, false);
  return true;
}

template <class Leaf>
bool Tree<Leaf>::at_rank(Path& path, std::size_t& rank) const {
  path.depth_ = 0;
  if (rank >= size_) return false;
  TreeNode* node = root_;
  while (node->level > 0) {
    Inner* in = inner(node);
    std::uint32_t at = 0;
    while (rank >= in->sizes[at]) rank -= in->sizes[at++];
    path.steps_[path.depth_++] = {in, at};
    node = in->children[at];
  }
  path.leaf_ = leaf_of(node);
  return true;
}

template <class Leaf>
template <class LiesBefore>
bool Tree<Leaf>::find_hash(Path& path, std::uint64_t hash, const LiesBefore& lies_before) const {
  path.depth_ = 0;
  if (root_ == nullptr) return false;
  TreeNode* node = root_;
  HashRange range;
  while (node->level > 0) {
    Inner* in = inner(node);
    const std::uint32_t guess = range.guess(hash, in->count);
    __builtin_prefetch(&in->children[guess]);
    const std::uint32_t at = find_near(guess, in->count - 1u, [&](std::uint32_t child) {
      return lies_before(in->seps[child], *in->children[child]);
    });
    range = range_of(*in, at, range);
    path.steps_[path.depth_++] = {in, at};
    node = in->children[at];
  }
  path.leaf_ = leaf_of(node);
  path.range_ = range;
  return true;
}

// The range of a child, from that of its parent.
template <class Leaf>
HashRange Tree<Leaf>::range_of(const Inner& node, std::uint32_t child, HashRange range) {
  if (child + 1u < node.count) range.last = Leaf::hash_of_separator(node.seps[child + 1]);
  if (child > 0) range.begin = Leaf::hash_of_separator(node.seps[child]);
  return range;
}

template <class Leaf>
template <class LiesBefore>
bool Tree<Leaf>::fetch_ahead(Approach& approach, const LiesBefore& lies_before) const {
  const TreeNode*& node = approach.node;
  if (node == nullptr) {
    if (root_ == nullptr) return false;
    node = root_;
    fetch_lines(node, 1);
    return true;
  }
  if (node->level == 0) return false;
  const Inner& in = *static_cast<const Inner*>(node);
  if (!approach.has_guess) {
    approach.guess = approach.range.guess(approach.hash, in.count);
    approach.has_guess = true;
    fetch_lines(&in.seps[approach.guess], 2);
    fetch_lines(&in.children[approach.guess], 1);
    fetch_lines(&in.sizes[approach.guess], 1);
    return true;
  }
  const std::uint32_t at = find_near(approach.guess, in.count - 1u, [&](std::uint32_t child) {
    return lies_before(in.seps[child], *in.children[child]);
  });
  approach.range = range_of(in, at, approach.range);
  approach.has_guess = false;
  node = in.children[at];
  fetch_lines(node, in.level > 1 ? 1 : Leaf::kFirstLines);
  return true;
}

template <class Leaf>
template <class LiesBefore>
bool Tree<Leaf>::find(Path& path, const LiesBefore& lies_before) const {
  path.depth_ = 0;
  if (root_ == nullptr) return false;
  TreeNode* node = root_;
  while (node->level > 0) {
    Inner* in = inner(node);
    // All at once: which of them are read depends on the contents of the others.
    fetch_lines(in->seps, (in->count * sizeof(Separator) + 63) / 64);
    // The last child whose separator is not after the key; child 0 if there is none.
    std::uint32_t low = 0;
    std::uint32_t high = in->count - 1u;
    while (low < high) {
      const std::uint32_t middle = (low + high + 1) / 2;
      if (lies_before(in->seps[middle], *in->children[middle])) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    path.steps_[path.depth_++] = {in, low};
    node = in->children[low];
  }
  path.leaf_ = leaf_of(node);
  return true;
}

template <class Leaf>
std::size_t Tree<Leaf>::rank_of(const Path& path) const {
  std::size_t rank = 0;
  for (int i = 0; i < path.depth_; ++i) {
    const Step& step = path.steps_[i];
    for (std::uint32_t child = 0; child < step.at; ++child) rank += step.node->sizes[child];
  }
  return rank;
}

template <class Leaf>
bool Tree<Leaf>::next(Path& path) const {
  for (int i = path.depth_ - 1; i >= 0; --i) {
    Step& step = path.steps_[i];
    if (step.at + 1u == step.node->count) continue;
    ++step.at;
    path.depth_ = i + 1;
    descend(path, step.node->children[step.at], true);
    return true;
  }
  return false;
}

template <class Leaf>
bool Tree<Leaf>::prev(Path& path) const {
  for (int i = path.depth_ - 1; i >= 0; --i) {
    Step& step = path.steps_[i];
    if (step.at == 0) continue;
    --step.at;
    path.depth_ = i + 1;
    descend(path, step.node->children[step.at], false);
    return true;
  }
  return false;
}

template <class Leaf>
const typename Tree<Leaf>::Separator* Tree<Leaf>::next_separator(const Path& path) const {
  for (int i = path.depth_ - 1; i >= 0; --i) {
    const Step& step = path.steps_[i];
    if (step.at + 1u < step.node->count) return &step.node->seps[step.at + 1];
  }
  return nullptr;
}

template <class Leaf>
const Leaf& Tree<Leaf>::first_leaf(const TreeNode& node) {
  const TreeNode* at = &node;
  while (at->level > 0) at = static_cast<const Inner*>(at)->children[0];
  return *static_cast<const Leaf*>(at);
}

}  // namespace slotcar::types
