#include "base/glob.h"

#include <cstddef>
#include <utility>

#include "base/ascii.h"

namespace slotcar::base {
namespace {

// Every part of a pattern but the star takes exactly one character of the text. That is why it is
// enough to remember the last star: whatever an earlier star could still be stretched over, the
// last one can take as well.
class Matcher {
 public:
  Matcher(std::string_view pattern, bool ignore_case)
      : pattern_(pattern), ignore_case_(ignore_case) {}

  // Does the part at `at` take the character `c`? Moves `at` behind the part.
  bool takes(std::size_t& at, char c) const {
    switch (pattern_[at]) {
      case '?':
        ++at;
        return true;
      case '[':
        return class_takes(at, c);
      case '\\':
        if (at + 1 < pattern_.size()) ++at;  // A backslash at the very end is a literal backslash.
        [[fallthrough]];
      default:
        return same(pattern_[at++], c);
    }
  }

 private:
  bool same(char a, char b) const { return ignore_case_ ? to_lower(a) == to_lower(b) : a == b; }

  // [abc] [^abc] [a-z]. A class that is never closed ends with the pattern; an escaped character
  // is compared with its case in any mode; "a-]" is a range. So does Redis.
  bool class_takes(std::size_t& at, char c) const {
    const std::size_t end = pattern_.size();
    ++at;
    const bool negated = at < end && pattern_[at] == '^';
    if (negated) ++at;
    bool found = false;
    for (; at < end && pattern_[at] != ']'; ++at) {
      if (pattern_[at] == '\\' && end - at >= 2) {
        ++at;
        found |= pattern_[at] == c;
      } else if (end - at >= 3 && pattern_[at + 1] == '-') {
        found |= in_range(pattern_[at], pattern_[at + 2], c);
        at += 2;
      } else {
        found |= same(pattern_[at], c);
      }
    }
    if (at < end) ++at;
    return found != negated;
  }

  // Characters are compared as signed, so those above 127 sort before all others.
  bool in_range(char first, char last, char c) const {
    auto low = static_cast<signed char>(first);
    auto high = static_cast<signed char>(last);
    if (low > high) std::swap(low, high);
    if (ignore_case_) {
      low = static_cast<signed char>(to_lower(static_cast<char>(low)));
      high = static_cast<signed char>(to_lower(static_cast<char>(high)));
      c = to_lower(c);
    }
    const auto value = static_cast<signed char>(c);
    return low <= value && value <= high;
  }

  std::string_view pattern_;
  bool ignore_case_;
};

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case) {
  const Matcher matcher(pattern, ignore_case);
  constexpr std::size_t kNoStar = std::string_view::npos;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t after_star = kNoStar;  // where the pattern continues after the last star
  std::size_t star_end = 0;          // end of the text that this star matches
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      if (p == pattern.size()) return true;
      star_end = t;
      continue;
    }
    if (p < pattern.size() && matcher.takes(p, text[t])) {
      ++t;
      continue;
    }
    if (after_star == kNoStar) return false;
    p = after_star;
    t = ++star_end;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool glob_is_literal(std::string_view pattern) {
  return pattern.find_first_of("*?[\\") == std::string_view::npos;
}

}  // namespace slotcar::base
