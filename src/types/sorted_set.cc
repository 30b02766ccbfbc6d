#include "types/sorted_set.h"

#include <cmath>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"

namespace slotcar::types {

namespace {

std::uint64_t bits_of(double score) {
  return std::bit_cast<std::uint64_t>(score);
}

// What the rules say about an existing member with the score `current`.
AddOutcome judge(const AddRules& rules, double current, double& score) {
  if (rules.only_new) return AddOutcome::refused;
  if (rules.increment) {
    score += current;
    if (std::isnan(score)) return AddOutcome::not_a_number;
  }
  if (rules.only_less && score >= current) return AddOutcome::refused;
  if (rules.only_greater && score <= current) return AddOutcome::refused;
  return score == current ? AddOutcome::unchanged : AddOutcome::updated;
}

}  // namespace

// --- SortedSetTree: looking --------------------------------------------------------------------

std::unique_ptr<TreeObject> SortedSetTree::share() const {
  return std::make_unique<SortedSetTree>(*this);
}

std::size_t SortedSetTree::footprint() const {
  return sizeof(*this) + scores_.bytes() + members_.bytes();
}

bool SortedSetTree::same_version(const TreeObject& earlier) const {
  const auto& other = static_cast<const SortedSetTree&>(earlier);
  return scores_.same_version(other.scores_);
}

bool SortedSetTree::fetch_ahead(Approach& approach) const {
  if (approach.node == nullptr) approach.hash = hash(approach.element);
  return members_.fetch_ahead(approach);
}

bool SortedSetTree::seek(ScoreTree::Path& path, double score, std::string_view member) const {
  const std::uint64_t prefix = ScoreLeaf::prefix_of(member);
  return scores_.find(path, [&](const ScoreLeaf::Separator& sep, const TreeNode& child) {
    if (score != sep.score) return score < sep.score;
    if (prefix != sep.prefix) return prefix < sep.prefix;
    const ScoreLeaf& first = ScoreTree::first_leaf(child);
    // The separator's element may have been removed, and the first element may have a higher score.
    return first.score(0) != score ? score < first.score(0) : member < first.member(0);
  });
}

bool SortedSetTree::find(std::uint64_t hash, std::string_view member, Found& found) const {
  const auto is_candidate = [&](std::uint64_t bits) {
    found.score = std::bit_cast<double>(bits);
    seek(found.path, found.score, member);
    const ScoreLeaf& leaf = found.path.leaf();
    found.at = leaf.lower_bound(found.score, member);
    // By their bits: 0 and -0 are equal, but have pairs of their own.
    return found.at < leaf.items() && bits_of(leaf.score(found.at)) == bits &&
           leaf.member(found.at) == member;
  };
  return members_.any_of(hash, is_candidate, found.pair);
}

std::size_t SortedSetTree::rank_of(const ScoreCut& cut) const {
  ScoreTree::Path path;
  const bool there = scores_.find(path, [&](const ScoreLeaf::Separator& sep, const TreeNode&) {
    return !cut.lies_behind(sep.score);
  });
  if (!there) return 0;
  const ScoreLeaf& leaf = path.leaf();
  return scores_.rank_of(path) +
         leaf.partition_point([&](std::size_t at) { return cut.lies_behind(leaf.score(at)); });
}

std::size_t SortedSetTree::rank_of(const MemberCut& cut) const {
  if (cut.kind == MemberCut::Kind::lowest) return 0;
  if (cut.kind == MemberCut::Kind::highest) return size();
  const std::uint64_t prefix = ScoreLeaf::prefix_of(cut.member);
  ScoreTree::Path path;
  const bool there =
      scores_.find(path, [&](const ScoreLeaf::Separator& sep, const TreeNode& child) {
        if (prefix != sep.prefix) return prefix < sep.prefix;
        return !cut.lies_behind(ScoreTree::first_leaf(child).member(0));
      });
  if (!there) return 0;
  const ScoreLeaf& leaf = path.leaf();
  return scores_.rank_of(path) +
         leaf.partition_point([&](std::size_t at) { return cut.lies_behind(leaf.member(at)); });
}

// --- SortedSetTree: changing -------------------------------------------------------------------

AddOutcome SortedSetTree::add(double& score, std::string_view member, const AddRules& rules) {
  const std::uint64_t member_hash = hash(member);
  Found found;
  if (!find(member_hash, member, found)) {
    if (rules.only_present) return AddOutcome::refused;
    insert(member_hash, score, member);
    return AddOutcome::added;
  }
  const AddOutcome outcome = judge(rules, found.score, score);
  if (outcome == AddOutcome::updated) change_score(found, member_hash, score, member);
  return outcome;
}

void SortedSetTree::insert(std::uint64_t hash, double score, std::string_view member) {
  insert_score(score, member);
  add_pair(hash, score);
}

void SortedSetTree::insert_score(double score, std::string_view member) {
  ScoreTree::Path path;
  if (!seek(path, score, member)) {
    ScoreLeaf* leaf = ScoreLeaf::make();
    ScoreLeaf::insert(leaf, 0, score, member);
    const ScoreLeaf::Separator separator = leaf->separator();
    return scores_.append_leaf(leaf, separator);
  }
  ScoreLeaf* leaf = scores_.writable(path);
  ScoreLeaf::insert(leaf, leaf->lower_bound(score, member), score, member);
  scores_.update(path, leaf);
}

void SortedSetTree::change_score(Found& found, std::uint64_t hash, double score,
                                 std::string_view member) {
  const ScoreLeaf& seen = found.path.leaf();
  const std::size_t last = seen.items() - 1;
  const bool may_stay = score >= seen.score(0) && score <= seen.score(last);
  const std::size_t to = may_stay ? seen.lower_bound(score, member) : 0;
  // If its new place is between two elements of its leaf (itself included), it stays in the leaf.
  if (to > 0 && to <= last) {
    ScoreLeaf* leaf = scores_.writable(found.path);
    leaf->move(found.at, to > found.at ? to - 1 : to, score);
    scores_.update(found.path, leaf);
  } else {
    ScoreLeaf* leaf = scores_.writable(found.path);
    ScoreLeaf::erase(leaf, found.at);
    scores_.update(found.path, leaf);
    insert_score(score, member);
  }
  if (twins_ != 0) [[unlikely]] {
    erase_pair(hash, found.score);
    add_pair(hash, score);
  } else if (!members_.replace(found.pair, {hash, bits_of(score)})) {
    ++twins_;
  }
}

bool SortedSetTree::erase(std::string_view member) {
  const std::uint64_t member_hash = hash(member);
  Found found;
  if (!find(member_hash, member, found)) return false;
  ScoreLeaf* leaf = scores_.writable(found.path);
  ScoreLeaf::erase(leaf, found.at);
  scores_.update(found.path, leaf);
  erase_pair(member_hash, found.score);
  return true;
}

void SortedSetTree::erase_ranks(std::size_t from, std::size_t how_many) {
  std::vector<Pair> pairs;
  while (how_many > 0) {
    ScoreTree::Path path;
    std::size_t at = from;
    const bool there = scores_.at_rank(path, at);
    ASSERT(there);
    const ScoreLeaf& seen = path.leaf();
    const std::size_t here = std::min(how_many, seen.items() - at);
    pairs.clear();
    for (std::size_t i = at; i < at + here; ++i) {
      pairs.push_back({hash(seen.member(i)), bits_of(seen.score(i))});
    }
    ScoreLeaf* leaf = scores_.writable(path);
    ScoreLeaf::erase(leaf, at, here);
    scores_.update(path, leaf);
    for (const Pair& pair : pairs) erase_pair(pair.key, std::bit_cast<double>(pair.value));
    how_many -= here;
  }
}

void SortedSetTree::add_pair(std::uint64_t hash, double score) {
  if (!members_.insert({hash, bits_of(score)})) ++twins_;
}

// The element is already removed from the score tree.
void SortedSetTree::erase_pair(std::uint64_t hash, double score) {
  if (twins_ != 0) [[unlikely]] {
    bool needed = false;
    const std::size_t from = rank_of(ScoreCut{score, false});
    const std::size_t to = rank_of(ScoreCut{score, true});
    walk(from, to - from, false, [&](const Scored& other) {
      needed = needed ||
               (bits_of(other.score) == bits_of(score) && this->hash(other.member.text) == hash);
    });
    if (needed) {
      --twins_;
      return;
    }
  }
  const bool there = members_.erase({hash, bits_of(score)});
  ASSERT(there);
}

// --- SortedSetTree: page by page ---------------------------------------------------------------

SortedSetTree::Page SortedSetTree::page(std::uint64_t from, std::size_t count) const {
  // If an element of the page costs more lookups than this, the page grows: a whole scan then reads
  // each element some hundred times at most, however many have the same score.
  constexpr std::size_t kLooksMax = 64;
  Page page;
  look_at(from, count, page);
  if (page.work / kLooksMax > page.pairs.size()) look_at(from, page.work / kLooksMax, page);
  return page;
}

void SortedSetTree::look_at(std::uint64_t from, std::size_t count, Page& page) const {
  page = Page();
  members_.visit_from({from, 0}, [&](const Pair& pair) {
    // Equal hashes stay on one page: the next page begins at a hash, without its lowest bit
    // (commands/element_scan.h).
    if (page.pairs.size() >= count && pair.key >> 1 != page.pairs.back().key >> 1) {
      page.next = pair.key;
      return true;
    }
    page.pairs.push_back(pair);
    return false;
  });
  std::sort(page.pairs.begin(), page.pairs.end(), [](const Pair& a, const Pair& b) {
    return a.value != b.value ? a.value < b.value : a.key < b.key;
  });
  for (std::size_t i = 0; i < page.pairs.size(); ++i) {
    const std::uint64_t bits = page.pairs[i].value;
    if (i > 0 && page.pairs[i - 1].value == bits) continue;
    const auto score = std::bit_cast<double>(bits);
    page.work += rank_of(ScoreCut{score, true}) - rank_of(ScoreCut{score, false});
  }
}

// --- SortedSetView -----------------------------------------------------------------------------

bool SortedSetView::find(std::string_view member, double& score) const {
  if (tree_ != nullptr) {
    SortedSetTree::Found found;
    if (!tree_->find(member, found)) return false;
    score = found.score;
    return true;
  }
  if (packed_.empty()) return false;
  const PackedScoresView pack(packed_);
  const auto at = pack.find(member);
  if (at == PackedScoresView::kNone) return false;
  score = pack.score(at);
  return true;
}

std::optional<std::size_t> SortedSetView::rank_of(std::string_view member, double& score) const {
  if (tree_ != nullptr) {
    SortedSetTree::Found found;
    if (!tree_->find(member, found)) return std::nullopt;
    score = found.score;
    return tree_->rank_of(found);
  }
  if (packed_.empty()) return std::nullopt;
  const PackedScoresView pack(packed_);
  const auto at = pack.find(member);
  if (at == PackedScoresView::kNone) return std::nullopt;
  score = pack.score(at);
  return pack.rank_of(at);
}

// --- SortedSet ---------------------------------------------------------------------------------

AddOutcome SortedSet::add(double& score, std::string_view member, const AddRules& rules) {
  return cell_.is_tree() ? tree()->add(score, member, rules) : add_packed(score, member, rules);
}

AddOutcome SortedSet::add_packed(double& score, std::string_view member, const AddRules& rules) {
  if (!cell_.is_empty()) {
    const PackedScores::Search search(cell_.packed(), member);
    if (search.found() != PackedScoresView::kNone) {
      const double current = PackedScoresView(cell_.packed()).score(search.found());
      const AddOutcome outcome = judge(rules, current, score);
      if (outcome == AddOutcome::updated) {
        PackedScores(cell_).move(search.found(), search.place_of(score), score, member);
      }
      return outcome;
    }
    if (rules.only_present) return AddOutcome::refused;
    if (fits_packed(score, member)) {
      PackedScores(cell_).insert(search.place_of(score), score, member);
      return AddOutcome::added;
    }
  } else {
    if (rules.only_present) return AddOutcome::refused;
    if (fits_packed(score, member)) {
      PackedScores(cell_).insert(PackedScoresView::kNone, score, member);
      return AddOutcome::added;
    }
  }
  become_tree().insert(score, member);
  return AddOutcome::added;
}

bool SortedSet::fits_packed(double score, std::string_view member) const {
  const auto entries_max = settings_.zset_max_listpack_entries.get();
  const auto bytes_max = settings_.zset_max_listpack_value.get();
  return static_cast<std::int64_t>(size()) < entries_max &&
         static_cast<std::int64_t>(member.size()) <= bytes_max &&
         cell_.size() + PackedScores::cost(score, member) <= limits::kPackedBytesMax;
}

void SortedSet::append(double score, std::string_view member) {
  if (cell_.is_tree()) return tree()->insert(score, member);
  if (!fits_packed(score, member)) return become_tree().insert(score, member);
  PackedScores(cell_).insert(PackedScoresView::kNone, score, member);
}

void SortedSet::expect(std::size_t elements, std::size_t longest) {
  const auto entries_max = settings_.zset_max_listpack_entries.get();
  const auto bytes_max = settings_.zset_max_listpack_value.get();
  const bool stays = static_cast<std::int64_t>(elements) <= entries_max &&
                     static_cast<std::int64_t>(longest) <= bytes_max;
  if (!stays && !cell_.is_tree()) become_tree();
}

SortedSetTree& SortedSet::become_tree() {
  auto tree = std::make_unique<SortedSetTree>(settings_.hash_seed);
  view().walk([&](const Scored& element) {
    Element::Scratch scratch;
    tree->insert(element.score, element.member.view(scratch));
  });
  cell_.become_tree(std::move(tree));
  return *this->tree();
}

bool SortedSet::erase(std::string_view member) {
  if (cell_.is_tree()) return tree()->erase(member);
  if (cell_.is_empty()) return false;
  const auto at = PackedScoresView(cell_.packed()).find(member);
  if (at == PackedScoresView::kNone) return false;
  PackedScores(cell_).erase(at);
  return true;
}

void SortedSet::erase_ranks(std::size_t from, std::size_t how_many) {
  if (how_many == 0) return;
  if (cell_.is_tree()) return tree()->erase_ranks(from, how_many);
  PackedScores(cell_).erase(PackedScoresView(cell_.packed()).at_rank(from), how_many);
}

}  // namespace slotcar::types
