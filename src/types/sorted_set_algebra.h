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

// An operand: a set, a sorted set, or a missing key.
struct ScoredSource {
  CellView seen = {};
  Type type = Type::sorted_set;
  double weight = 1;

  std::size_t size() const;
  // Whether it has the member, and its score there (without the weight).
  bool find(std::string_view member, double& score) const;
  // visit(score, element) until it returns false.
  template <class Visit>
  void for_each(const Visit& visit) const;
};
using ScoredSources = std::span<const ScoredSource>;

enum class Aggregate : std::uint8_t { sum, min, max };

// The result: members with scores. Members point into the sources where these store them as bytes,
// so a result is valid as long as the sources.
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

  // The member's bytes, stored here if they have to be printed.
  std::string_view text_of(const Element& member);

 private:
  std::vector<Item> items_;
  std::deque<std::string> printed_;
};

// The results are not sorted yet.
ScoredResult unite(ScoredSources sources, Aggregate aggregate, base::HashSeed seed);
ScoredResult intersect(ScoredSources sources, Aggregate aggregate);
ScoredResult subtract(ScoredSources sources);
// The number of common members; counted up to `limit` (0: to the end).
std::size_t count_common(ScoredSources sources, std::size_t limit);

}  // namespace slotcar::types
