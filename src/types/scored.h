// Types of sorted sets: an element, a cut through their order, the rules of ZADD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "types/element.h"

namespace slotcar::types {

// A view of an element of a sorted set; valid until the next change.
struct Scored {
  double score = 0;
  Element member;
};

// A place between elements. With `after` the elements of exactly that score are before the cut.
struct ScoreCut {
  double score = 0;
  bool after = false;

  bool lies_behind(double other) const { return after ? other <= score : other < score; }
};

// The same by the bytes of members, for sorted sets whose scores are all equal.
struct MemberCut {
  enum class Kind : std::uint8_t { lowest, at, highest } kind = Kind::at;
  std::string_view member = {};
  bool after = false;

  bool lies_behind(std::string_view other) const {
    if (kind != Kind::at) return kind == Kind::highest;
    return after ? other <= member : other < member;
  }
};

// When a score may be set. `increment`: the given number is added to the existing score.
struct AddRules {
  bool only_new = false;
  bool only_present = false;
  bool only_greater = false;
  bool only_less = false;
  bool increment = false;
};

enum class AddOutcome : std::uint8_t {
  added,
  updated,
  unchanged,     // it had that score already
  refused,       // by the rules
  not_a_number,  // inf was added to -inf
};

}  // namespace slotcar::types
