// Union, intersection and difference of sorted sets and sets (whose members all have the score 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "types/cell.h"
#include "types/scored.h"
#include "types/settings.h"
#include "types/type.h"

namespace slotcar::types {

// An operand: a set or a sorted set, or nothing at all.
struct ScoredSource {
  CellView seen = {};
  Type type = Type::sorted_set;
  double weight = 1;

  std::size_t size() const;
  // Whether it has the member, and its score there (without the weight).
  bool find(std::string_view member, double& score) const;
  // visit(score, element) until it answers false.
  template <class Visit>
  void for_each(const Visit& visit) const;
};
using ScoredSources = std::span<const ScoredSource>;

enum class Aggregate : std::uint8_t { sum, min, max };

// What comes out: members with scores. The members' bytes are those of the sources as far as these
// keep them as bytes; so a result is good while they are.
class ScoredResult {
 public:
  struct Item {
    double score;
    std::string_view member;
  };
  const std::vector<Item>& items() const { return items_; }

  void add(double score, const Element& member) { items_.push_back({score, text_of(member)}); }
  void sort();  // into the order of sorted sets
  // As a sorted set, in an empty cell. It is sorted.
  void store(Cell& cell, const Settings& settings) const;

  // The member's bytes, kept if they have to be printed.
  std::string_view text_of(const Element& member);

 private:
  std::vector<Item> items_;
  std::deque<std::string> printed_;
};

// The results are not sorted yet.
ScoredResult unite(ScoredSources sources, Aggregate aggregate, base::HashSeed seed);
ScoredResult intersect(ScoredSources sources, Aggregate aggregate);
ScoredResult subtract(ScoredSources sources);
// How much is in all of them; counted up to `limit` (0: to the end).
std::size_t count_common(ScoredSources sources, std::size_t limit);

}  // namespace slotcar::types
