#include "types/packed_scores.h"

#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::types {

namespace {

// A score on its way into a listpack.
struct ScoreText {
  explicit ScoreText(double score) {
    // Whole numbers as integers, as far as they are printed as such; not the zero below zero.
    constexpr double kIntegersMax = 4611686018427387904.0;
    if (std::abs(score) <= kIntegersMax) {
      const auto whole = static_cast<std::int64_t>(score);
      if (static_cast<double>(whole) == score && (whole != 0 || !std::signbit(score))) {
        element = Element::of(whole);
        return;
      }
    }
    element = Element::bytes({text, static_cast<std::size_t>(base::print_double(text, score))});
  }
  ScoreText(const ScoreText&) = delete;
  ScoreText& operator=(const ScoreText&) = delete;

  Element element;
  char text[base::kDoubleCharsMax];
};

}  // namespace

// --- looking -----------------------------------------------------------------------------------

double PackedScoresView::score_of(const Element& element) {
  if (element.is_integer) return static_cast<double>(element.number);
  const std::optional<double> score = base::parse_double(element.text);
  ASSERT(score.has_value());
  return *score;
}

std::size_t PackedScoresView::rank_of(Place at) const {
  std::size_t rank = 0;
  for (Place before = first(); before != at; before = next(before)) ++rank;
  return rank;
}

std::size_t PackedScoresView::rank_of(const ScoreCut& cut) const {
  std::size_t rank = 0;
  for (Place at = first(); at != kNone && cut.lies_behind(score(at)); at = next(at)) ++rank;
  return rank;
}

std::size_t PackedScoresView::rank_of(const MemberCut& cut) const {
  std::size_t rank = 0;
  Element::Scratch scratch;
  for (Place at = first(); at != kNone; at = next(at), ++rank) {
    if (!cut.lies_behind(pack_.at(at).view(scratch))) break;
  }
  return rank;
}

bool PackedScoresView::is_valid(std::string_view bytes) {
  const ListpackView pack(bytes);
  if (pack.size() == 0 || pack.size() % 2 != 0) return false;
  std::unordered_set<std::string> seen;
  double score_before = -INFINITY;
  std::string member_before;
  for (Place at = pack.first(); at != kNone; at = pack.next(at)) {
    std::string member = pack.at(at).copy();
    at = pack.next(at);
    const Element score = pack.at(at);
    const auto number = score.is_integer ? std::optional(static_cast<double>(score.number))
                                         : base::parse_double(score.text);
    if (!number || *number < score_before) return false;
    if (*number == score_before && !seen.empty() && member <= member_before) return false;
    if (!seen.insert(member).second) return false;
    score_before = *number;
    member_before = std::move(member);
  }
  return true;
}

// --- searching ---------------------------------------------------------------------------------

PackedScores::Search::Search(std::string_view bytes, std::string_view member)
    : view_(bytes), member_(member) {
  const Encoded wanted(member);
  stride_ = view_.size() / kPlacesMax + 1;
  const ListpackView pack(bytes);
  std::size_t until_next = 0;
  for (Place at = pack.first(); at != ListpackView::kNone; at = pack.next(pack.next(at))) {
    if (until_next == 0) {
      places_[known_++] = at;
      until_next = stride_;
    }
    --until_next;
    if (found_ == ListpackView::kNone && wanted.matches(bytes.data() + at, bytes.size() - at - 1)) {
      found_ = at;
    }
  }
}

bool PackedScores::Search::lies_before(Place at, double score) const {
  const double here = view_.score(at);
  if (here != score) return here < score;
  Element::Scratch scratch;
  return view_.at(at).member.view(scratch) < member_;
}

ListpackView::Place PackedScores::Search::place_of(double score) const {
  std::size_t low = 0;
  std::size_t high = known_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (lies_before(places_[middle], score)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (stride_ == 1) return low == known_ ? ListpackView::kNone : places_[low];
  if (low == 0) return view_.first();
  Place at = places_[low - 1];
  while (at != ListpackView::kNone && lies_before(at, score)) at = view_.next(at);
  return at;
}

// --- changing ----------------------------------------------------------------------------------

std::size_t PackedScores::cost(double score, std::string_view member) {
  return Listpack::cost({Element::of(member), ScoreText(score).element});
}

void PackedScores::insert(Place before, double score, std::string_view member) {
  pack_.insert(before, {Element::of(member), ScoreText(score).element});
}

void PackedScores::move(Place at, Place before, double score, std::string_view member) {
  const ScoreText text(score);
  const Place next = pack_.next(pack_.next(at));
  if (before == at || before == next) {
    pack_.replace(pack_.next(at), text.element);
    return;
  }
  const Element element = Element::of(member);
  if (before == ListpackView::kNone || before > at) {
    pack_.insert(before, {element, text.element});
    pack_.erase(at, 2);
  } else {
    pack_.erase(at, 2);
    pack_.insert(before, {element, text.element});
  }
}

}  // namespace slotcar::types
