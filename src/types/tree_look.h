// Tree: looking (included by tree.h alone).
#pragma once

#include <algorithm>

#include "types/tree.h"

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
  // Where the node's range begins and how far it goes.
  std::uint64_t begin = 0;
  std::uint64_t range = UINT64_MAX;
  while (node->level > 0) {
    Inner* in = inner(node);
    const std::uint32_t last = in->count - 1u;
    const std::uint64_t share = range / in->count + 1;
    auto at = static_cast<std::uint32_t>(std::min<std::uint64_t>((hash - begin) / share, last));
    __builtin_prefetch(&in->children[at]);
    while (at > 0 && lies_before(in->seps[at], *in->children[at])) --at;
    while (at < last && !lies_before(in->seps[at + 1], *in->children[at + 1])) ++at;
    const std::uint64_t end = at < last ? in->seps[at + 1].hash : begin + range;
    if (at > 0) begin = in->seps[at].hash;
    range = end - begin;
    path.steps_[path.depth_++] = {in, at};
    node = in->children[at];
  }
  path.leaf_ = leaf_of(node);
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
    // The last child whose separator the key does not lie before; child 0 if there is none.
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
