// Tree: the B+tree of every big collection: by position (list), by hash (set, hash), by score
// (sorted set), by id (stream). Leaves are packed and belong to the type; this class knows only how
// many items a leaf has and, where leaves are ordered by a key, a separator.
//
// Pins. A copy of a tree is O(1) and never changes, whatever happens to the original. Every node
// counts its references: parents' pointers and root pointers. A writer walks from the root and may
// change a node in place only if all counts on the way, the node's included, are one. Then no other
// tree can reach it, because a new reference to a node is made only by copying a root (which needs
// the shard's token, as writing does) or by copying its parent (which only a writer does). A node
// with more references is copied first: the copy takes over the reference of this tree, and its
// children gain one. So a writer copies exactly the nodes that a pin can see, once each. A reader
// of a pin touches no count but the root's, at the end: the last reference to a node frees it and
// drops its children, on any thread; what the live tree still uses stays. The count is decremented
// with release and read with acquire order, so a reader's last read happens before the writer's
// first change.
//
// Order. For a child i > 0: everything under child i-1 is before seps[i], and nothing under child
// i does. seps[0] is not used: what is before the first separator belongs to the first child.
// Separators are bounds and need not exist as keys any more.
//
// A leaf type has
//   using Separator;                               (copied freely)
//   static Leaf* clone(const Leaf&); static void free(Leaf*);
//   std::size_t items() const; std::size_t footprint() const;
//   bool is_full() const;                          must be split if it can be
//   bool is_sparse() const;                        should join a neighbour
//   static Leaf* split(Leaf*& leaf, bool rightmost, Separator& at);   the right part; null: cannot
//   static bool fit_together(const Leaf& left, const Leaf& right);
//   static void join(Leaf*& left, const Leaf& right);
// and where it is searched by hash
//   static std::uint64_t hash_of_separator(const Separator&);
//   kFirstLines                                    this many cache lines are always read
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/assert.h"
#include "base/memory.h"
#include "types/approach.h"
#include "types/tree/tree_node.h"

namespace slotcar::types {

template <class Leaf>
class Tree {
 public:
  using Separator = typename Leaf::Separator;
  using Inner = TreeInner<Separator>;

  // The path from the root to a leaf. Invalid after a change of the tree.
  class Path {
   public:
    const Leaf& leaf() const { return *leaf_; }
    const HashRange& range() const { return range_; }  // of the leaf; after find_hash

   private:
    friend class Tree;
    struct Step {
      Inner* node;
      std::uint32_t at;
    };
    Step steps_[kTreeDepthMax];
    int depth_ = 0;
    Leaf* leaf_ = nullptr;
    std::size_t items_before_ = 0;
    std::size_t bytes_before_ = 0;
    HashRange range_;
  };

  Tree() = default;
  Tree(const Tree& other) : root_(other.root_), size_(other.size_), bytes_(other.bytes_) {
    if (root_ != nullptr) root_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  Tree(Tree&& other) noexcept { swap(other); }
  Tree& operator=(Tree other) noexcept {
    swap(other);
    return *this;
  }
  ~Tree() {
    if (root_ != nullptr) drop(root_);
  }
  void swap(Tree& other) noexcept {
    std::swap(root_, other.root_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
  }

  std::size_t size() const { return size_; }    // items
  std::size_t bytes() const { return bytes_; }  // of all nodes that this version reaches
  bool empty() const { return root_ == nullptr; }
  bool same_version(const Tree& other) const { return root_ == other.root_; }

  // Frees at most `nodes` of the unshared nodes, from the end; true: the tree is empty. Only for a
  // tree that is being freed: nothing else may be done with it afterwards. The destructor frees the
  // rest at once.
  bool free_some(std::size_t& nodes) {
    if (root_ != nullptr && !drop_some(root_, nodes)) return false;
    root_ = nullptr;
    return true;
  }

  // --- looking. False: the tree is empty (or the rank beyond its end).
  bool first(Path& path) const;
  bool last(Path& path) const;
  // To the leaf with the item of that rank; `rank` becomes its place within the leaf.
  bool at_rank(Path& path, std::size_t& rank) const;
  // To the one leaf where a key belongs. `lies_before(separator, child)` says whether the key is
  // before that separator; `child` is the node that begins there, for separators that do not decide
  // alone (first_leaf).
  template <class LiesBefore>
  bool find(Path& path, const LiesBefore& lies_before) const;
  // Likewise where separators have an evenly spread hash (hash_of_separator): looks first where it
  // should be, and mostly reads only that cache line.
  template <class LiesBefore>
  bool find_hash(Path& path, std::uint64_t hash, const LiesBefore& lies_before) const;
  // A prefetch step towards the leaf that find_hash would find. False: there is none, or the leaf
  // is reached and its beginning was prefetched.
  template <class LiesBefore>
  bool fetch_ahead(Approach& approach, const LiesBefore& lies_before) const;
  // How many items are before the path's leaf.
  std::size_t rank_of(const Path& path) const;
  // To the neighbour leaf; false at the end (then the path stays).
  bool next(Path& path) const;
  bool prev(Path& path) const;
  // The bound between the path's leaf and its right neighbour; null if there is none.
  const Separator* next_separator(const Path& path) const;
  static const Leaf& first_leaf(const TreeNode& node);

  // --- changing The path's leaf, writable in place; `update` must follow, with the leaf or what
  // it was reallocated to. An emptied leaf is removed, a full one is split, a sparse one is
  // joined.
  Leaf* writable(Path& path);
  void update(Path& path, Leaf* leaf);
  // Takes over a new leaf at an end, which is not empty. (Also used to build a tree.)
  void append_leaf(Leaf* leaf, const Separator& separator);
  void prepend_leaf(Leaf* leaf, const Separator& separator_of_old_first);

 private:
  using Step = typename Path::Step;

  static Inner* inner(TreeNode* node) { return static_cast<Inner*>(node); }
  static Leaf* leaf_of(TreeNode* node) { return static_cast<Leaf*>(node); }
  static HashRange range_of(const Inner& node, std::uint32_t child, HashRange range);
  static void drop(TreeNode* node);
  static bool drop_some(TreeNode* node, std::size_t& nodes);
  void descend(Path& path, TreeNode* node, bool to_first) const;

  void make_own(TreeNode*& slot);
  void own_path(Path& path);
  void add_items(Path& path, std::int64_t delta);
  void split_leaf(Path& path, Leaf* leaf);
  void insert_after(Path& path, int step, TreeNode* child, const Separator& sep, std::size_t items);
  void remove_child(Path& path, int step);
  void join_leaf(Path& path);
  void join_inner(Path& path, int step);
  void erase_slot(Inner& node, std::uint32_t at);
  void collapse_root();
  void count_bytes(std::size_t before, std::size_t after) { bytes_ += after - before; }

  TreeNode* root_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace slotcar::types

#include "types/tree/tree_change.h"
#include "types/tree/tree_join.h"
#include "types/tree/tree_look.h"
