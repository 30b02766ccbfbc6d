// SortedSet: members with scores, in the order of their scores. Small ones are packed
// (packed_scores.h). Big ones are two trees that always hold the same elements:
//
//   scores    the elements in order, with ranks (score_leaf.h)
//   members   pairs (hash of the member, its score), ordered by hash
//
// A member is stored once, in the score tree. A lookup finds its score by its hash, and its place
// by the score. Several members may have the same hash, so each score found is only a candidate
// until the member itself is found at its place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "types/cell.h"
#include "types/packed/packed_scores.h"
#include "types/scored.h"
#include "types/settings.h"
#include "types/tree/pair_tree.h"
#include "types/tree/score_leaf.h"
#include "types/tree/tree.h"

namespace slotcar::types {

using ScoreTree = Tree<ScoreLeaf>;

// A big sorted set.
class SortedSetTree final : public TreeObject {
 public:
  explicit SortedSetTree(base::HashSeed seed) : seed_(seed) {}

  std::unique_ptr<TreeObject> share() const override;
  std::size_t size() const override { return scores_.size(); }
  std::size_t footprint() const override;
  Encoding encoding() const override { return Encoding::skiplist; }
  bool same_version(const TreeObject& earlier) const override;
  bool free_some(std::size_t& nodes) override {
    return scores_.free_some(nodes) && members_.free_some(nodes);
  }

  bool fetch_ahead(Approach& approach) const override;

  // The member's place, if it is there: its leaf, its index in it, its score; and its pair's.
  struct Found {
    ScoreTree::Path path;
    std::size_t at = 0;
    double score = 0;
    PairTree::Place pair;
  };
  bool find(std::string_view member, Found& found) const {
    return find(hash(member), member, found);
  }
  bool find(std::uint64_t hash, std::string_view member, Found& found) const;
  std::size_t rank_of(const Found& found) const { return scores_.rank_of(found.path) + found.at; }
  std::size_t rank_of(const ScoreCut& cut) const;
  std::size_t rank_of(const MemberCut& cut) const;
  // As SortedSetView::walk.
  template <class Visit>
  void walk(std::size_t from, std::size_t count, bool backwards, const Visit& visit) const;

  AddOutcome add(double& score, std::string_view member, const AddRules& rules);
  // The member is not there.
  void insert(double score, std::string_view member) { insert(hash(member), score, member); }
  bool erase(std::string_view member);
  void erase_ranks(std::size_t from, std::size_t how_many);

  // --- for ZSCAN, in the order of hashes, which changes of the set do not disturb
  struct Page {
    std::vector<Pair> pairs;  // by score, then by hash
    std::uint64_t next = 0;   // the hash to go on with; 0: this is the end
    std::size_t work = 0;     // how many elements must be looked at
  };
  // About `count` elements from the hash `from` on; more if many elements have equal scores,
  // because then all of these must be read to find the few.
  Page page(std::uint64_t from, std::size_t count) const;
  template <class Visit>
  void visit(const Page& page, const Visit& visit) const;

  std::uint64_t hash(std::string_view member) const { return base::hash_bytes(member, seed_); }

 private:
  void insert(std::uint64_t hash, double score, std::string_view member);
  // Finds the leaf where (score, member) belongs; false: the tree is empty.
  bool seek(ScoreTree::Path& path, double score, std::string_view member) const;
  void insert_score(double score, std::string_view member);
  void add_pair(std::uint64_t hash, double score);
  void erase_pair(std::uint64_t hash, double score);
  void change_score(Found& found, std::uint64_t hash, double score, std::string_view member);
  void look_at(std::uint64_t from, std::size_t count, Page& page) const;

  ScoreTree scores_;
  PairTree members_;
  // Members that share their pair with another one of the same hash and score. Nearly always 0.
  // While there are some, a pair is removed only with its last member.
  std::size_t twins_ = 0;
  base::HashSeed seed_;
};

// For reading a sorted set. The cell's kind is checked once, here.
class SortedSetView {
 public:
  // A missing one is empty.
  SortedSetView() = default;
  explicit SortedSetView(const CellView& seen)
      : tree_(static_cast<const SortedSetTree*>(seen.tree)), packed_(seen.packed) {}

  std::size_t size() const {
    if (tree_ != nullptr) return tree_->size();
    return packed_.empty() ? 0 : PackedScoresView(packed_).size();
  }
  const SortedSetTree* tree() const { return tree_; }

  bool find(std::string_view member, double& score) const;
  std::optional<std::size_t> rank_of(std::string_view member, double& score) const;
  // How many elements are before the cut. A MemberCut requires that all scores are equal.
  template <class Cut>
  std::size_t rank_of(const Cut& cut) const {
    if (tree_ != nullptr) return tree_->rank_of(cut);
    return packed_.empty() ? 0 : PackedScoresView(packed_).rank_of(cut);
  }

  // Calls visit(Scored) for `count` existing elements from rank `from` on, forwards or backwards.
  template <class Visit>
  void walk(std::size_t from, std::size_t count, bool backwards, const Visit& visit) const;
  template <class Visit>
  void walk(const Visit& visit) const {
    walk(0, size(), false, visit);
  }
  // From the first on, until visit returns false.
  template <class Visit>
  void walk_while(const Visit& visit) const;

 private:
  const SortedSetTree* tree_ = nullptr;
  std::string_view packed_;
};

// For changing a sorted set.
class SortedSet {
 public:
  SortedSet(Cell& cell, const Settings& settings) : cell_(cell), settings_(settings) {}

  SortedSetView view() const { return SortedSetView(cell_.view()); }
  std::size_t size() const { return view().size(); }

  // `score` becomes the member's new score (if it has one).
  AddOutcome add(double& score, std::string_view member, const AddRules& rules);
  // Without rules: sets the score.
  AddOutcome add(double score, std::string_view member) { return add(score, member, AddRules{}); }
  // Announces that `elements` will be added (perhaps existing ones), with the size of the longest:
  // it becomes a tree at once if they would make it one.
  void expect(std::size_t elements, std::size_t longest = 0);
  // A new member after all others, for callers that build a set in order.
  void append(double score, std::string_view member);
  bool erase(std::string_view member);
  void erase_ranks(std::size_t from, std::size_t how_many);

 private:
  SortedSetTree* tree() { return static_cast<SortedSetTree*>(cell_.tree()); }
  AddOutcome add_packed(double& score, std::string_view member, const AddRules& rules);
  bool fits_packed(double score, std::string_view member) const;
  SortedSetTree& become_tree();

  Cell& cell_;
  const Settings& settings_;
};

template <class Visit>
void SortedSetTree::visit(const Page& page, const Visit& visit) const {
  for (std::size_t i = 0; i < page.pairs.size();) {
    const std::uint64_t bits = page.pairs[i].value;
    const auto score = std::bit_cast<double>(bits);
    const auto begin = page.pairs.begin() + static_cast<std::ptrdiff_t>(i);
    while (i < page.pairs.size() && page.pairs[i].value == bits) ++i;
    const auto end = page.pairs.begin() + static_cast<std::ptrdiff_t>(i);
    const std::size_t from = rank_of(ScoreCut{score, false});
    const std::size_t to = rank_of(ScoreCut{score, true});
    walk(from, to - from, false, [&](const Scored& element) {
      if (std::bit_cast<std::uint64_t>(element.score) != bits) return;  // 0 and -0 stand together
      // One value, so the order by hash is that of pairs.
      if (std::binary_search(begin, end, Pair{hash(element.member.text), bits})) visit(element);
    });
  }
}

template <class Visit>
void SortedSetTree::walk(std::size_t from, std::size_t count, bool backwards,
                         const Visit& visit) const {
  if (count == 0) return;
  ScoreTree::Path path;
  std::size_t at = from;
  bool there = scores_.at_rank(path, at);
  while (there) {
    const ScoreLeaf& leaf = path.leaf();
    for (;;) {
      visit(Scored{leaf.score(at), Element::bytes(leaf.member(at))});
      if (--count == 0) return;
      if (backwards ? at == 0 : at + 1 == leaf.items()) break;
      backwards ? --at : ++at;
    }
    there = backwards ? scores_.prev(path) : scores_.next(path);
    if (there) at = backwards ? path.leaf().items() - 1 : 0;
  }
}

template <class Visit>
void SortedSetView::walk_while(const Visit& visit) const {
  // A stretch at a time, so that little is read beyond the end of the range.
  constexpr std::size_t kStretch = 64;
  bool go_on = true;
  for (std::size_t at = 0, count = size(); go_on && at < count; at += kStretch) {
    walk(at, std::min(kStretch, count - at), false,
         [&](const Scored& element) { go_on = go_on && visit(element); });
  }
}

template <class Visit>
void SortedSetView::walk(std::size_t from, std::size_t count, bool backwards,
                         const Visit& visit) const {
  if (count == 0) return;
  if (tree_ != nullptr) return tree_->walk(from, count, backwards, visit);
  const PackedScoresView pack(packed_);
  return backwards ? pack.walk_back(from, count, visit) : pack.walk(from, count, visit);
}

}  // namespace slotcar::types
