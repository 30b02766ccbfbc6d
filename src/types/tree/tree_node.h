// The nodes of a Tree (tree.h). Only the tree and the leaf types use them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace slotcar::types {

inline constexpr std::uint32_t kTreeFanout = 64;
// At least 16 children in all but the rightmost nodes and the root: 16^16 leaves.
inline constexpr int kTreeDepthMax = 16;

struct TreeNode {
  std::atomic<std::uint32_t> refs{1};
  std::uint16_t level = 0;  // 0: a leaf
  std::uint16_t count = 0;  // of an inner node: its children; of a leaf: the leaf type decides

  bool is_shared() const { return refs.load(std::memory_order_acquire) > 1; }
};

template <class Separator>
struct TreeInner : TreeNode {
  std::size_t sizes[kTreeFanout];  // items under each child
  Separator seps[kTreeFanout];
  TreeNode* children[kTreeFanout];

  std::size_t items() const {
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < count; ++i) total += sizes[i];
    return total;
  }
};

// For trees that are ordered by position alone.
struct NoSeparator {};

}  // namespace slotcar::types
