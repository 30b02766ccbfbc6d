#include "base/glob.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "base/ascii.h"

namespace slotcar::base {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;

// What lies between two stars. Every part takes exactly one character of the text.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t parts = 0;
  bool plain = true;  // each part is a character that stands for itself
};

// Bytes of a class, in the order in which its ranges count them.
class ByteSet {
 public:
  void add(char c) { add_range(c, c); }
  void add_range(char first, char last) {
    const unsigned low = place(first);
    const unsigned high = place(last);
    for (unsigned word = low / 64; word <= high / 64 && low <= high; ++word) {
      std::uint64_t bits = UINT64_MAX;
      if (word == low / 64) bits &= UINT64_MAX << low % 64;
      if (word == high / 64) bits &= UINT64_MAX >> (63 - high % 64);
      words_[word] |= bits;
    }
  }
  bool has(char c) const { return words_[place(c) / 64] >> place(c) % 64 & 1; }

 private:
  // As signed characters: those above 127 come first.
  static unsigned place(char c) { return static_cast<unsigned char>(c) ^ 0x80u; }

  std::uint64_t words_[4] = {};
};

// Walks over the parts of a pattern.
class Matcher {
 public:
  Matcher(std::string_view pattern, bool ignore_case)
      : pattern_(pattern), ignore_case_(ignore_case) {}

  bool is_star(std::size_t at) const { return at < pattern_.size() && pattern_[at] == '*'; }

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
        return fold(pattern_[at++]) == fold(c);
    }
  }

  // The piece that begins there, or as much of it as has one part more than `parts_max`.
  Piece piece_at(std::size_t at, std::size_t parts_max) const {
    Piece piece{.begin = at};
    while (at < pattern_.size() && pattern_[at] != '*' && piece.parts <= parts_max) {
      const char c = pattern_[at];
      if (c == '?' || c == '[' || c == '\\') piece.plain = false;
      skip(at);
      ++piece.parts;
    }
    piece.end = at;
    return piece;
  }
  // Moves behind the part at `at`.
  void skip(std::size_t& at) const {
    if (pattern_[at] == '[') {
      class_takes(at, 0);
    } else {
      at += pattern_[at] == '\\' && at + 1 < pattern_.size() ? 2 : 1;
    }
  }

  // Whether the piece takes the text from its beginning on. It is long enough.
  bool fits(const Piece& piece, std::string_view text) const {
    std::size_t at = piece.begin;
    for (std::size_t t = 0; at < piece.end; ++t) {
      if (!takes(at, text[t])) return false;
    }
    return true;
  }

  // Where in the text it does so first.
  std::size_t find(const Piece& piece, std::string_view text) const {
    // Up to here trying every place takes less time than preparing a search.
    constexpr std::size_t kTriedMax = 2048;
    const std::string_view bytes = pattern_.substr(piece.begin, piece.end - piece.begin);
    const bool is_short = bytes.size() * text.size() <= kTriedMax;
    if (!piece.plain || ignore_case_) {
      return is_short ? find_by_trying(piece, text) : find_at_once(piece, text);
    }
    if (is_short) return text.find(bytes);
    const void* found = memmem(text.data(), text.size(), bytes.data(), bytes.size());
    if (found == nullptr) return kNotFound;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  }

 private:
  char fold(char c) const { return ignore_case_ ? to_lower(c) : c; }

  // [abc] [^abc] [a-z]. A class that is never closed ends with the pattern; an escaped character
  // is compared with its case in any mode; "a-]" is a range. So does Redis.
  //
  // Calls exact(c) for each escaped character and range(first, last) for all others, folded.
  template <class Exact, class Range>
  bool walk_class(std::size_t& at, const Exact& exact, const Range& range) const {
    const std::size_t end = pattern_.size();
    ++at;
    const bool negated = at < end && pattern_[at] == '^';
    if (negated) ++at;
    for (; at < end && pattern_[at] != ']'; ++at) {
      if (pattern_[at] == '\\' && end - at >= 2) {
        ++at;
        exact(pattern_[at]);
      } else if (end - at >= 3 && pattern_[at + 1] == '-') {
        auto low = static_cast<signed char>(pattern_[at]);
        auto high = static_cast<signed char>(pattern_[at + 2]);
        if (low > high) std::swap(low, high);
        range(fold(static_cast<char>(low)), fold(static_cast<char>(high)));
        at += 2;
      } else {
        range(fold(pattern_[at]), fold(pattern_[at]));
      }
    }
    if (at < end) ++at;
    return negated;
  }

  bool class_takes(std::size_t& at, char c) const {
    bool found = false;
    const auto value = static_cast<signed char>(fold(c));
    const bool negated = walk_class(
        at, [&](char escaped) { found |= escaped == c; },
        [&](char low, char high) {
          found |=
              static_cast<signed char>(low) <= value && value <= static_cast<signed char>(high);
        });
    return found != negated;
  }

  // For each of the 256 characters, calls take(c) if the part at `at` takes it. Moves behind it.
  template <class Take>
  void for_each_taken(std::size_t& at, const Take& take) const {
    const char first = pattern_[at];
    ByteSet exact;
    ByteSet folded;
    bool negated = false;
    if (first == '[') {
      negated = walk_class(
          at, [&](char c) { exact.add(c); },
          [&](char low, char high) { folded.add_range(low, high); });
    } else {
      if (first == '?') negated = true;
      if (first == '\\' && at + 1 < pattern_.size()) ++at;
      if (first != '?') folded.add(fold(pattern_[at]));
      ++at;
    }
    for (unsigned c = 0; c < 256; ++c) {
      const char byte = static_cast<char>(c);
      if ((exact.has(byte) || folded.has(fold(byte))) != negated) take(c);
    }
  }

  std::size_t find_by_trying(const Piece& piece, std::string_view text) const {
    for (std::size_t at = 0; at + piece.parts <= text.size(); ++at) {
      if (fits(piece, text.substr(at))) return at;
    }
    return kNotFound;
  }

  // All places at once: bit i of `alive` says that the i + 1 last characters of the text so far are
  // taken by the first i + 1 parts. One more character moves all bits by one, and keeps those whose
  // part takes it.
  std::size_t find_at_once(const Piece& piece, std::string_view text) const {
    const std::size_t words = (piece.parts + 63) / 64;
    std::vector<std::uint64_t> takers(256 * words);  // by character: the parts that take it
    std::size_t at = piece.begin;
    for (std::size_t part = 0; part < piece.parts; ++part) {
      for_each_taken(
          at, [&](unsigned c) { takers[c * words + part / 64] |= std::uint64_t{1} << part % 64; });
    }
    std::vector<std::uint64_t> alive(words);
    const std::uint64_t last = std::uint64_t{1} << (piece.parts - 1) % 64;
    std::size_t used = 1;  // All words from there on are zero.
    for (std::size_t t = 0; t < text.size(); ++t) {
      const std::uint64_t* taking = &takers[static_cast<unsigned char>(text[t]) * words];
      std::uint64_t carry = 1;
      for (std::size_t word = 0; word < used; ++word) {
        const std::uint64_t before = alive[word];
        alive[word] = (before << 1 | carry) & taking[word];
        carry = before >> 63;
      }
      if (used < words && carry != 0) {
        alive[used] = carry & taking[used];
        ++used;
      }
      while (used > 1 && alive[used - 1] == 0) --used;
      if ((alive[words - 1] & last) != 0) return t + 1 - piece.parts;
    }
    return kNotFound;
  }

  std::string_view pattern_;
  bool ignore_case_;
};

// From the first star on. Each piece takes the first place that it can have: whatever a longer star
// before it would allow for the pieces behind, this place allows as well.
bool match_from_star(const Matcher& matcher, std::string_view pattern, std::size_t p,
                     std::string_view text) {
  for (;;) {
    while (matcher.is_star(p)) ++p;
    if (p == pattern.size()) return true;
    const Piece piece = matcher.piece_at(p, text.size());
    if (piece.parts > text.size()) return false;
    p = piece.end;
    if (p == pattern.size()) return matcher.fits(piece, text.substr(text.size() - piece.parts));
    const std::size_t at = matcher.find(piece, text);
    if (at == kNotFound) return false;
    text.remove_prefix(at + piece.parts);
  }
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case) {
  const Matcher matcher(pattern, ignore_case);
  std::size_t p = 0;
  for (std::size_t t = 0; p < pattern.size(); ++t) {
    if (pattern[p] == '*') return match_from_star(matcher, pattern, p, text.substr(t));
    if (t == text.size() || !matcher.takes(p, text[t])) return false;
    if (p == pattern.size()) return t + 1 == text.size();
  }
  return text.empty();
}

bool glob_is_literal(std::string_view pattern) {
  return pattern.find_first_of("*?[\\") == std::string_view::npos;
}

}  // namespace slotcar::base
