// Tree: removing nodes and joining neighbours (included only by tree.h). As in tree_change.h the
// path's nodes are unshared; a neighbour may be shared with a pin, and is copied first.
#pragma once

#include "types/tree/tree.h"

namespace slotcar::types {

template <class Leaf>
void Tree<Leaf>::erase_slot(Inner& node, std::uint32_t at) {
  --node.count;
  for (std::uint32_t i = at; i < node.count; ++i) {
    node.sizes[i] = node.sizes[i + 1];
    node.seps[i] = node.seps[i + 1];
    node.children[i] = node.children[i + 1];
  }
}

// The child on the path at `step` is removed already.
template <class Leaf>
void Tree<Leaf>::remove_child(Path& path, int step) {
  if (step < 0) {
    root_ = nullptr;
    ASSERT(size_ == 0 && bytes_ == 0);
    return;
  }
  Inner* node = path.steps_[step].node;
  erase_slot(*node, path.steps_[step].at);
  if (node->count == 0) {
    count_bytes(sizeof(Inner), 0);
    delete node;
    return remove_child(path, step - 1);
  }
  if (step == 0) return collapse_root();
  if (node->count < kTreeFanout / 4) join_inner(path, step);
}

// A root with one child is replaced by it. The first such root is unshared, but one below it may be
// shared with a pin, which still needs its child.
template <class Leaf>
void Tree<Leaf>::collapse_root() {
  while (root_->level > 0 && root_->count == 1) {
    TreeNode* old = root_;
    root_ = inner(old)->children[0];
    root_->refs.fetch_add(1, std::memory_order_relaxed);
    count_bytes(sizeof(Inner), 0);
    drop(old);
  }
}

// The path's leaf joins a neighbour under the same parent, if both fit into one.
template <class Leaf>
void Tree<Leaf>::join_leaf(Path& path) {
  const int step = path.depth_ - 1;
  Inner* parent = path.steps_[step].node;
  if (parent->count < 2) return;
  const std::uint32_t at = path.steps_[step].at;
  const std::uint32_t left = at + 1 < parent->count ? at : at - 1;
  const Leaf& right = *leaf_of(parent->children[left + 1]);
  if (!Leaf::fit_together(*leaf_of(parent->children[left]), right)) return;
  make_own(parent->children[left]);
  Leaf* joined = leaf_of(parent->children[left]);
  const std::size_t before = joined->footprint() + right.footprint();
  Leaf::join(joined, right);
  parent->children[left] = joined;
  parent->sizes[left] += parent->sizes[left + 1];
  count_bytes(before, joined->footprint());
  drop(parent->children[left + 1]);
  path.steps_[step].at = left + 1;
  remove_child(path, step);
}

// The inner node at `step` joins a neighbour under the same parent.
template <class Leaf>
void Tree<Leaf>::join_inner(Path& path, int step) {
  Inner* parent = path.steps_[step - 1].node;
  if (parent->count < 2) return;
  const std::uint32_t at = path.steps_[step - 1].at;
  const std::uint32_t left = at + 1 < parent->count ? at : at - 1;
  const Inner& right = *inner(parent->children[left + 1]);
  if (inner(parent->children[left])->count + right.count > kTreeFanout * 3u / 4) return;
  make_own(parent->children[left]);
  Inner* joined = inner(parent->children[left]);
  for (std::uint32_t i = 0; i < right.count; ++i) {
    joined->sizes[joined->count] = right.sizes[i];
    joined->seps[joined->count] = i == 0 ? parent->seps[left + 1] : right.seps[i];
    joined->children[joined->count] = right.children[i];
    right.children[i]->refs.fetch_add(1, std::memory_order_relaxed);
    ++joined->count;
  }
  parent->sizes[left] += parent->sizes[left + 1];
  count_bytes(sizeof(Inner), 0);
  drop(parent->children[left + 1]);
  path.steps_[step - 1].at = left + 1;
  remove_child(path, step - 1);
}

}  // namespace slotcar::types
