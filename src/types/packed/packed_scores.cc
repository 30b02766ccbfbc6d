#include "types/packed/packed_scores.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::types {

namespace {

// A score, encoded for a pack.
struct ScoreText {
  explicit ScoreText(double score) {
    // Whole numbers as integers, as far as they are printed as integers. -0 becomes 0, as in Redis.
    constexpr double kIntegersMax = 4611686018427387904.0;
    if (std::abs(score) <= kIntegersMax) {
      const auto whole = static_cast<std::int64_t>(score);
      if (static_cast<double>(whole) == score) {
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

double PackedScoresView::score_of_text(std::string_view text) {
  const std::optional<double> score = base::parse_double(text);
  ASSERT(score.has_value());
  return *score;
}

FrontpackView::Place PackedScoresView::at_rank(std::size_t rank) const {
  const char* here = frontpack_begin(pack_.bytes());
  // Members of one set are often short texts of one length, which is in their first byte. A guessed
  // step does not depend on the bytes that it skips: the processor goes on while the bytes that
  // confirm the guess are loaded.
  const char usual = *here;
  const std::size_t usual_step = frontpack_step(here);
  const bool tells_length = (static_cast<std::uint8_t>(usual) & 0xc0) == 0x80;
  for (; rank > 0; --rank) {
    if (*here == usual && tells_length) [[likely]] {
      here += usual_step;
    } else {
      here += frontpack_step(here);
    }
    here += frontpack_step(here);
  }
  return static_cast<Place>(here - pack_.bytes().data());
}

std::size_t PackedScoresView::rank_of(Place at) const {
  std::size_t elements = 0;
  const char* const stop = pack_.bytes().data() + at;
  for (const char* here = frontpack_begin(pack_.bytes()); here < stop;
       here += frontpack_step(here)) {
    ++elements;
  }
  return elements / 2;
}

std::size_t PackedScoresView::rank_of(const ScoreCut& cut) const {
  std::size_t rank = 0;
  const char* const end = pack_end(pack_.bytes());
  for (const char* here = frontpack_begin(pack_.bytes()); here < end; ++rank) {
    here += frontpack_step(here);
    if (!cut.lies_behind(score_of(frontpack_next(here)))) break;
  }
  return rank;
}

std::size_t PackedScoresView::rank_of(const MemberCut& cut) const {
  std::size_t rank = 0;
  Element::Scratch scratch;
  const char* const end = pack_end(pack_.bytes());
  for (const char* here = frontpack_begin(pack_.bytes()); here < end; ++rank) {
    if (!cut.lies_behind(frontpack_next(here).view(scratch))) break;
    here += frontpack_step(here);
  }
  return rank;
}

bool PackedScoresView::is_valid(std::string_view bytes) {
  const FrontpackView pack(bytes);
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
  const Element element = Element::of(member);
  const Encoded wanted(element);
  // Members of one set often differ only at their ends: the length and the last bytes rule out
  // nearly all others.
  const std::size_t step = Frontpack::cost({element});
  const std::size_t tail = std::min<std::size_t>(wanted.size(), sizeof(std::uint64_t));
  char flat[kFlatMax];
  const bool is_flat = wanted.size() <= sizeof flat;
  if (is_flat) wanted.write(flat);

  stride_ = view_.size() / kPlacesMax + 1;
  std::size_t until_next = 0;
  const char* const end = pack_end(bytes);
  for (const char* here = frontpack_begin(bytes); here < end;) {
    if (until_next == 0) {
      places_[known_++] = static_cast<Place>(here - bytes.data());
      until_next = stride_;
    }
    --until_next;
    const std::size_t to_score = frontpack_step(here);
    if (to_score == step && found_ == FrontpackView::kNone) {
      const std::size_t skip = wanted.size() - tail;
      if ((!is_flat || std::memcmp(here + skip, flat + skip, tail) == 0) &&
          wanted.matches(here, static_cast<std::size_t>(end - here))) {
        found_ = static_cast<Place>(here - bytes.data());
      }
    }
    here += to_score;
    here += frontpack_step(here);
  }
}

bool PackedScores::Search::lies_before(Place at, double score) const {
  const double here = view_.score(at);
  if (here != score) return here < score;
  Element::Scratch scratch;
  return view_.at(at).member.view(scratch) < member_;
}

FrontpackView::Place PackedScores::Search::place_of(double score) const {
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
  if (stride_ == 1) return low == known_ ? FrontpackView::kNone : places_[low];
  if (low == 0) return view_.first();
  Place at = places_[low - 1];
  while (at != FrontpackView::kNone && lies_before(at, score)) at = view_.next(at);
  return at;
}

// --- changing ----------------------------------------------------------------------------------

std::size_t PackedScores::cost(double score, std::string_view member) {
  return Frontpack::cost({Element::of(member), ScoreText(score).element});
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
  if (before == FrontpackView::kNone || before > at) {
    pack_.insert(before, {element, text.element});
    pack_.erase(at, 2);
  } else {
    pack_.erase(at, 2);
    pack_.insert(before, {element, text.element});
  }
}

}  // namespace slotcar::types
