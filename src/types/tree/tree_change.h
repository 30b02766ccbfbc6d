// Tree: changes (included only by tree.h). Everything here works on a path of unshared nodes
// (own_path).
#pragma once

#include "types/tree/tree.h"

namespace slotcar::types {

template <class Leaf>
void Tree<Leaf>::drop(TreeNode* node) {
  if (node->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (node->level == 0) {
    Leaf::free(leaf_of(node));
    return;
  }
  Inner* in = inner(node);
  for (std::uint32_t i = 0; i < in->count; ++i) drop(in->children[i]);
  delete in;
}

// As `drop`, but an unshared inner node loses its children one by one, from the last. False: it
// still exists, with the children that are left.
template <class Leaf>
bool Tree<Leaf>::drop_some(TreeNode* node, std::size_t& nodes) {
  if (nodes == 0) return false;
  // Not `drop`: the other references could be dropped after the count was read, and this one call
  // would free everything.
  std::uint32_t refs = node->refs.load(std::memory_order_acquire);
  while (refs > 1) {
    if (node->refs.compare_exchange_weak(refs, refs - 1, std::memory_order_acq_rel)) return true;
  }
  if (node->level > 0) {
    Inner* in = inner(node);
    for (; in->count > 0; --in->count) {
      if (!drop_some(in->children[in->count - 1], nodes)) return false;
    }
    if (nodes == 0) return false;
    delete in;
  } else {
    Leaf::free(leaf_of(node));
  }
  --nodes;
  return true;
}

// Replaces a node that is shared by a copy.
template <class Leaf>
void Tree<Leaf>::make_own(TreeNode*& slot) {
  if (!slot->is_shared()) return;
  TreeNode* old = slot;
  if (old->level == 0) {
    const Leaf& seen = *leaf_of(old);
    Leaf* copy = Leaf::clone(seen);
    count_bytes(seen.footprint(), copy->footprint());
    slot = copy;
  } else {
    const Inner& seen = *inner(old);
    auto* copy = new Inner();
    copy->level = seen.level;
    copy->count = seen.count;
    for (std::uint32_t i = 0; i < seen.count; ++i) {
      copy->sizes[i] = seen.sizes[i];
      copy->seps[i] = seen.seps[i];
      copy->children[i] = seen.children[i];
      copy->children[i]->refs.fetch_add(1, std::memory_order_relaxed);
    }
    slot = copy;
  }
  drop(old);
}

template <class Leaf>
void Tree<Leaf>::own_path(Path& path) {
  TreeNode** slot = &root_;
  for (int i = 0; i < path.depth_; ++i) {
    make_own(*slot);
    path.steps_[i].node = inner(*slot);
    slot = &path.steps_[i].node->children[path.steps_[i].at];
  }
  make_own(*slot);
  path.leaf_ = leaf_of(*slot);
}

template <class Leaf>
Leaf* Tree<Leaf>::writable(Path& path) {
  own_path(path);
  path.items_before_ = path.leaf_->items();
  path.bytes_before_ = path.leaf_->footprint();
  return path.leaf_;
}

template <class Leaf>
void Tree<Leaf>::add_items(Path& path, std::int64_t delta) {
  for (int i = 0; i < path.depth_; ++i) {
    path.steps_[i].node->sizes[path.steps_[i].at] += static_cast<std::size_t>(delta);
  }
  size_ += static_cast<std::size_t>(delta);
}

template <class Leaf>
void Tree<Leaf>::update(Path& path, Leaf* leaf) {
  const std::size_t items = leaf->items();
  if (path.depth_ == 0) {
    root_ = leaf;
  } else {
    const Step& step = path.steps_[path.depth_ - 1];
    step.node->children[step.at] = leaf;
  }
  path.leaf_ = leaf;
  count_bytes(path.bytes_before_, leaf->footprint());
  if (items != path.items_before_) {
    add_items(path,
              static_cast<std::int64_t>(items) - static_cast<std::int64_t>(path.items_before_));
  }
  if (items == 0) {
    count_bytes(leaf->footprint(), 0);
    drop(leaf);
    remove_child(path, path.depth_ - 1);
  } else if (leaf->is_full()) {
    split_leaf(path, leaf);
  } else if (path.depth_ > 0 && leaf->is_sparse()) {
    join_leaf(path);
  }
}

template <class Leaf>
void Tree<Leaf>::split_leaf(Path& path, Leaf* leaf) {
  bool rightmost = true;
  for (int i = 0; i < path.depth_; ++i) {
    rightmost = rightmost && path.steps_[i].at + 1u == path.steps_[i].node->count;
  }
  const std::size_t before = leaf->footprint();
  Separator sep{};
  Leaf* right = Leaf::split(leaf, rightmost, sep);
  if (path.depth_ == 0) {
    root_ = leaf;
  } else {
    const Step& step = path.steps_[path.depth_ - 1];
    step.node->children[step.at] = leaf;
  }
  count_bytes(before, leaf->footprint());
  if (right == nullptr) return;
  count_bytes(0, right->footprint());
  insert_after(path, path.depth_ - 1, right, sep, right->items());
}

// Inserts `child` after the child on the path at `step` (-1: after the root). Its items were
// counted as that child's until now.
template <class Leaf>
void Tree<Leaf>::insert_after(Path& path, int step, TreeNode* child, const Separator& sep,
                              std::size_t items) {
  if (step < 0) {
    auto* root = new Inner();
    count_bytes(0, sizeof(Inner));
    root->level = static_cast<std::uint16_t>(root_->level + 1);
    ASSERT(root->level < kTreeDepthMax);
    root->count = 2;
    root->children[0] = root_;
    root->seps[0] = Separator{};
    root->sizes[0] = size_ - items;
    root->children[1] = child;
    root->seps[1] = sep;
    root->sizes[1] = items;
    root_ = root;
    return;
  }
  Inner* node = path.steps_[step].node;
  const std::uint32_t at = path.steps_[step].at;
  node->sizes[at] -= items;
  const auto put = [&](Inner& into, std::uint32_t place) {
    for (std::uint32_t i = into.count; i > place; --i) {
      into.sizes[i] = into.sizes[i - 1];
      into.seps[i] = into.seps[i - 1];
      into.children[i] = into.children[i - 1];
    }
    into.sizes[place] = items;
    into.seps[place] = sep;
    into.children[place] = child;
    ++into.count;
  };
  if (node->count < kTreeFanout) return put(*node, at + 1);

  // At the right end the left part stays full, so that trees filled in order are dense.
  const std::uint32_t middle = at + 1 == node->count ? kTreeFanout - 1 : kTreeFanout / 2;
  auto* right = new Inner();
  count_bytes(0, sizeof(Inner));
  right->level = node->level;
  right->count = static_cast<std::uint16_t>(node->count - middle);
  for (std::uint32_t i = 0; i < right->count; ++i) {
    right->sizes[i] = node->sizes[middle + i];
    right->seps[i] = node->seps[middle + i];
    right->children[i] = node->children[middle + i];
  }
  node->count = static_cast<std::uint16_t>(middle);
  const Separator right_sep = right->seps[0];
  const bool into_right = at + 1 > middle;
  if (into_right) {
    put(*right, at + 1 - middle);
  } else {
    put(*node, at + 1);
  }
  insert_after(path, step - 1, right, right_sep, right->items());
}

template <class Leaf>
void Tree<Leaf>::append_leaf(Leaf* leaf, const Separator& separator) {
  const std::size_t items = leaf->items();
  ASSERT(items > 0);
  count_bytes(0, leaf->footprint());
  size_ += items;
  if (root_ == nullptr) {
    root_ = leaf;
    return;
  }
  Path path;
  last(path);
  own_path(path);
  // Counted as the old last leaf's first; then it moves to its own place.
  for (int i = 0; i < path.depth_; ++i) {
    path.steps_[i].node->sizes[path.steps_[i].at] += items;
  }
  insert_after(path, path.depth_ - 1, leaf, separator, items);
}

template <class Leaf>
void Tree<Leaf>::prepend_leaf(Leaf* leaf, const Separator& separator_of_old_first) {
  const std::size_t items = leaf->items();
  ASSERT(items > 0);
  count_bytes(0, leaf->footprint());
  size_ += items;
  if (root_ == nullptr) {
    root_ = leaf;
    return;
  }
  // The new leaf takes the first leaf's place, and that one follows it.
  Path path;
  first(path);
  own_path(path);
  Leaf* old = path.leaf_;
  const std::size_t old_items = old->items();
  for (int i = 0; i < path.depth_; ++i) path.steps_[i].node->sizes[0] += items;
  if (path.depth_ == 0) {
    root_ = leaf;
  } else {
    path.steps_[path.depth_ - 1].node->children[0] = leaf;
  }
  insert_after(path, path.depth_ - 1, old, separator_of_old_first, old_items);
}

}  // namespace slotcar::types
