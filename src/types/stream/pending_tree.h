// PendingTree: the entries that a consumer group has delivered and that are not acknowledged yet,
// by id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "types/stream/stream_id.h"
#include "types/tree/tree.h"

namespace slotcar::types {

struct Pending {
  StreamId id;
  std::int64_t delivered_at = 0;  // unix ms, the last time
  std::uint64_t deliveries = 0;
  std::uint32_t consumer = 0;  // its number in the group
};

// `count` of them, in order, behind the header.
struct PendingLeaf : TreeNode {
  using Separator = StreamId;
  static constexpr std::size_t kPendingMax = 64;

  static PendingLeaf* make(std::size_t count);
  static PendingLeaf* clone(const PendingLeaf& leaf);
  static void free(PendingLeaf* leaf);
  static PendingLeaf* resized(PendingLeaf* leaf, std::size_t count);

  Pending* list() { return reinterpret_cast<Pending*>(this + 1); }
  const Pending* list() const { return reinterpret_cast<const Pending*>(this + 1); }
  std::size_t lower_bound(const StreamId& id) const;  // the first not before it

  std::size_t items() const { return count; }
  std::size_t footprint() const;
  bool is_full() const { return count > kPendingMax; }
  bool is_sparse() const { return count < kPendingMax / 4; }
  static PendingLeaf* split(PendingLeaf*& leaf, bool rightmost, StreamId& at);
  static bool fit_together(const PendingLeaf& left, const PendingLeaf& right) {
    return left.count + right.count <= static_cast<int>(kPendingMax * 3 / 4);
  }
  static void join(PendingLeaf*& left, const PendingLeaf& right);
};

class PendingTree {
 public:
  std::optional<Pending> find(const StreamId& id) const;
  std::optional<Pending> first() const;
  std::optional<Pending> last() const;
  // The first one not before `from`.
  std::optional<Pending> at_or_after(const StreamId& from) const;
  // Calls visit(pending) from `from` on, in order, until it returns false.
  template <class Visit>
  void walk(const StreamId& from, const Visit& visit) const;

  void put(const Pending& pending);  // replaces the one with the same id, if there is one
  bool erase(const StreamId& id);    // false: there was none

  std::size_t size() const { return tree_.size(); }
  std::size_t bytes() const { return tree_.bytes(); }
  bool free_some(std::size_t& nodes) { return tree_.free_some(nodes); }

 private:
  using Path = Tree<PendingLeaf>::Path;
  bool seek(Path& path, const StreamId& id) const {
    return tree_.find(path, [&](const StreamId& sep, const TreeNode&) { return id < sep; });
  }
  Tree<PendingLeaf> tree_;
};

template <class Visit>
void PendingTree::walk(const StreamId& from, const Visit& visit) const {
  Path path;
  if (!seek(path, from)) return;
  std::size_t at = path.leaf().lower_bound(from);
  for (;; at = 0) {
    const PendingLeaf& leaf = path.leaf();
    for (; at < leaf.count; ++at) {
      if (!visit(leaf.list()[at])) return;
    }
    if (!tree_.next(path)) return;
  }
}

}  // namespace slotcar::types
