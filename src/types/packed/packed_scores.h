// PackedScores: a small sorted set as a frontpack: member, score, member, score..., in the order of
// the sorted set, as Redis orders its listpack. A score is an integer if it is whole, else its
// shortest decimal text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "types/packed/listpack.h"
#include "types/packed/listpack_walk.h"
#include "types/scored.h"

namespace slotcar::types {

class PackedScoresView {
 public:
  using Place = FrontpackView::Place;
  static constexpr Place kNone = FrontpackView::kNone;

  explicit PackedScoresView(std::string_view bytes) : pack_(bytes) {}

  std::size_t size() const { return pack_.size() / 2; }
  // Places are those of members; kNone: at the end.
  Place first() const { return pack_.first(); }
  Place next(Place at) const { return pack_.next(pack_.next(at)); }
  Place at_rank(std::size_t rank) const;
  Place find(std::string_view member) const {
    return pack_.find(Encoded(member), pack_.first(), 1);
  }
  double score(Place at) const { return score_of(pack_.at(pack_.next(at))); }
  Scored at(Place at) const { return {score(at), pack_.at(at)}; }
  std::size_t rank_of(Place at) const;
  // How many elements are before the cut.
  std::size_t rank_of(const ScoreCut& cut) const;
  std::size_t rank_of(const MemberCut& cut) const;

  // Calls visit(Scored) for `count` existing elements from that rank on, forwards or
  // backwards.
  template <class Visit>
  void walk(std::size_t from, std::size_t count, const Visit& visit) const {
    const char* here = pack_.bytes().data() + at_rank(from);
    for (; count > 0; --count) {
      const Element member = frontpack_next(here);
      visit(Scored{next_score(here), member});
    }
  }
  template <class Visit>
  void walk_back(std::size_t from, std::size_t count, const Visit& visit) const;

  // Whether a frontpack is a valid sorted set: pairs, scores that are numbers, in order,
  // no member twice.
  static bool is_valid(std::string_view bytes);

 private:
  static double score_of(const Element& element) {
    return element.is_integer ? static_cast<double>(element.number) : score_of_text(element.text);
  }
  static double score_of_text(std::string_view text);
  // The score at `at`, which is moved past it. Small whole numbers, as most scores are, are read
  // without a call.
  static double next_score(const char*& at) {
    const auto first = static_cast<std::uint8_t>(*at);
    if (first < 0x80) {
      ++at;
      return first;
    }
    if ((first & 0xe0) == 0xc0) {
      // 13 bits, the highest of which is the sign.
      const int number = (first & 0x1f) << 8 | static_cast<std::uint8_t>(at[1]);
      at += 2;
      return number < 4096 ? number : number - 8192;
    }
    return score_of(frontpack_next(at));
  }

  FrontpackView pack_;
};

// A frontpack cannot be read backwards: it is read forwards in stretches, the last one first, whose
// elements are remembered.
template <class Visit>
void PackedScoresView::walk_back(std::size_t from, std::size_t count, const Visit& visit) const {
  constexpr std::size_t kStretch = 64;
  Scored seen[kStretch];
  while (count > 0) {
    const std::size_t stretch = count < kStretch ? count : kStretch;
    std::size_t known = 0;
    walk(from + 1 - stretch, stretch, [&](const Scored& scored) { seen[known++] = scored; });
    while (known > 0) visit(seen[--known]);
    count -= stretch;
    from -= stretch;
  }
}

// For changing one.
class PackedScores {
 public:
  using Place = FrontpackView::Place;

  // The cell contains a packed sorted set, or nothing yet.
  explicit PackedScores(Cell& cell) : pack_(cell) {}

  // Where a member is, and where it would be with another score.
  class Search;

  void insert(Place before, double score, std::string_view member);
  // Gives the element at `at`, whose member is `member` (a copy, not its bytes here), another score
  // and moves it before the one at `before` (kNone: to the end).
  void move(Place at, Place before, double score, std::string_view member);
  void erase(Place at, std::size_t how_many = 1) { pack_.erase(at, 2 * how_many); }

  // The bytes of a new element.
  static std::size_t cost(double score, std::string_view member);

 private:
  Frontpack pack_;
};

// One pass over the elements finds the member and remembers places, so that the place of a score is
// then found by binary search, because reading scores is expensive.
class PackedScores::Search {
 public:
  Search(std::string_view bytes, std::string_view member);

  Place found() const { return found_; }
  // The first element that is not before (score, member).
  Place place_of(double score) const;

 private:
  static constexpr std::size_t kPlacesMax = 160;
  static constexpr std::size_t kFlatMax = 80;

  bool lies_before(Place at, double score) const;

  PackedScoresView view_;
  std::string_view member_;
  Place found_ = FrontpackView::kNone;
  std::size_t stride_ = 1;  // one of this many elements is remembered
  std::size_t known_ = 0;
  Place places_[kPlacesMax];
};

}  // namespace slotcar::types
