#include "base/glob.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace slotcar::base {
namespace {

struct Case {
  const char* pattern;
  const char* text;
  bool match;
};

const Case kCases[] = {
    {"", "", true},
    {"", "a", false},
    {"a", "", false},
    {"*", "", true},
    {"**", "", true},
    {"*", "anything", true},
    {"abc", "abc", true},
    {"abc", "abd", false},
    {"abc", "ab", false},
    {"a?c", "abc", true},
    {"a?c", "ac", false},
    {"?", "", false},
    {"a*c", "ac", true},
    {"a*c", "abbbc", true},
    {"a*c", "abbb", false},
    {"*a*b*", "xxaxxbxx", true},
    {"*a*b*", "xxbxxaxx", false},
    {"a**c", "abc", true},
    {"a*", "a", true},
    {"a***", "a", true},
    {"*a", "ba", true},
    {"*ab", "aab", true},
    {"*aab", "aaab", true},
    {"*a*a*", "a", false},
    {"*a*a*", "aa", true},
    {"*ab*ba*", "aba", false},
    {"*ab*ba*", "abba", true},
    {"*a?*?a*", "aba", false},
    {"ab*ba", "aba", false},
    // classes
    {"[abc]", "b", true},
    {"[abc]", "d", false},
    {"[^abc]", "d", true},
    {"[^abc]", "a", false},
    {"[a-c]x", "bx", true},
    {"[a-c]", "d", false},
    {"[c-a]", "b", true},
    {"[^a-c]", "b", false},
    {"[-a]", "-", true},
    {"[a-]", "a", true},
    {"[a-]", "-", false},
    {"[a-]", "_", true},
    {"[]", "]", false},
    {"[]a]", "a]", false},
    {"[^]", "x", true},
    {"[\\]]", "]", true},
    {"[a\\-z]", "-", true},
    {"[a\\-z]", "b", false},
    {"h[^e]llo", "hallo", true},
    {"h[^e]llo", "hello", false},
    // never closed
    {"[abc", "b", true},
    {"[abc", "d", false},
    {"[", "[", false},
    {"[^", "x", true},
    {"[a-", "a", true},
    {"[a-", "-", true},
    {"[\\", "\\", true},
    {"a[", "a", false},
    {"*[a", "bbba", true},
    // escapes
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"\\\\", "\\", true},
    {"a\\", "a\\", true},
    {"\\", "\\", true},
    {"\\a", "a", true},
    {"\\[a]", "[a]", true},
    {"a\\?", "ab", false},
    // case
    {"ABC", "abc", false},
    {"[A-Z]", "b", false},
};

TEST(Glob, MatchesAsRedis) {
  for (const Case& c : kCases) {
    EXPECT_EQ(glob_match(c.pattern, c.text), c.match) << c.pattern << " on " << c.text;
  }
}

TEST(Glob, IgnoresCaseWhenAsked) {
  const Case cases[] =
      {
          {"ABC", "abc", true},  {"a*C", "AbbbC", true}, {"[A-Z]", "b", true},
          {"[a-z]", "B", true},  {"[XY]", "y", true},    {"\\A", "a", true},
          {"[\\A]", "a", false},  // An escaped character of a class keeps its case.
          {"[Z-a]", "m", false},  // 'Z'..'a' becomes 'z'..'a', which is empty.
      };
  for (const Case& c : cases) {
    EXPECT_EQ(glob_match(c.pattern, c.text, true), c.match) << c.pattern << " on " << c.text;
  }
}

TEST(Glob, BytesAbove127StandBeforeAllOthersInRanges) {
  EXPECT_TRUE(glob_match("[\xf0-\xff]", "\xf8"));
  EXPECT_TRUE(glob_match("[a-\xff]", "A"));
  EXPECT_FALSE(glob_match("[a-\xff]", "b"));
  EXPECT_TRUE(glob_match(std::string_view("a\0?", 3), std::string_view("a\0b", 3)));
}

// The pattern that takes a backtracking matcher exponential time.
TEST(Glob, IsNotMisledByManyStars) {
  std::string pattern;
  for (int i = 0; i < 500; ++i) pattern += "a*";
  pattern += "b";
  const std::string text(50'000, 'a');
  EXPECT_FALSE(glob_match(pattern, text));
  EXPECT_TRUE(glob_match(pattern, text + "b"));
}

// Two arguments of half a megabyte: with a step for each pair of characters these would take
// minutes. (No assertion looks at the time; the test would not end.)
TEST(Glob, SearchesLongPiecesInLongTexts) {
  constexpr std::size_t kLong = 500'000;
  const std::string text(kLong, 'a');
  const std::string half(kLong / 2, 'a');
  EXPECT_FALSE(glob_match("*" + half + "b*", text));
  EXPECT_TRUE(glob_match("*" + half + "b*", text + "b" + text));
  EXPECT_TRUE(glob_match("*b" + half + "*", text + "b" + text));
  EXPECT_FALSE(glob_match("*" + half + "b", text));
  EXPECT_TRUE(glob_match("*" + half + "b", text + "b"));
  std::string wild = "*";
  for (std::size_t i = 0; i < std::size_t{500}; ++i) wild += i % 2 ? "a?" : "[a-c]a";
  EXPECT_FALSE(glob_match(wild + "b*", text));
  EXPECT_TRUE(glob_match(wild + "b*", text + "b" + text));
  EXPECT_TRUE(glob_match(wild + "B*", text + "b" + text, true));
  EXPECT_FALSE(glob_match(wild + "B*", text + "b" + text));
  std::string stars;
  for (std::size_t i = 0; i < kLong / 2; ++i) stars += "*a";
  EXPECT_TRUE(glob_match(stars + "*", text));
  EXPECT_FALSE(glob_match(stars + "*b*", text));
}

// By the definition, with every choice of every star tried.
bool naive_match(std::string_view pattern, std::string_view text, bool ignore_case) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return naive_match(pattern.substr(1), text, ignore_case) ||
           (!text.empty() && naive_match(pattern, text.substr(1), ignore_case));
  }
  if (text.empty()) return false;
  auto same = [&](char a, char b) { return ignore_case ? to_lower(a) == to_lower(b) : a == b; };
  const char c = text[0];
  if (pattern[0] == '[') {
    std::string_view rest = pattern.substr(1);
    const bool negated = rest.starts_with('^');
    if (negated) rest.remove_prefix(1);
    bool found = false;
    while (!rest.empty() && rest[0] != ']') {
      std::size_t used = 1;
      if (rest[0] == '\\' && rest.size() >= 2) {
        found = found || rest[1] == c;
        used = 2;
      } else if (rest.size() >= 3 && rest[1] == '-') {
        int low = std::min<signed char>(rest[0], rest[2]);
        int high = std::max<signed char>(rest[0], rest[2]);
        if (ignore_case) {
          low = to_lower(static_cast<char>(low));
          high = to_lower(static_cast<char>(high));
        }
        const int value = ignore_case ? to_lower(c) : c;
        found = found || (low <= value && value <= high);
        used = 3;
      } else {
        found = found || same(rest[0], c);
      }
      rest.remove_prefix(used);
    }
    if (!rest.empty()) rest.remove_prefix(1);
    return found != negated && naive_match(rest, text.substr(1), ignore_case);
  }
  if (pattern[0] == '\\' && pattern.size() >= 2)
    pattern.remove_prefix(1);
  else if (pattern[0] == '?')
    return naive_match(pattern.substr(1), text.substr(1), ignore_case);
  return same(pattern[0], c) && naive_match(pattern.substr(1), text.substr(1), ignore_case);
}

RC_GTEST_PROP(Glob, AgreesWithTheNaiveMatcher, (bool ignore_case)) {
  // Few letters and short patterns, so that matches are not rare.
  static const std::vector<std::string> kParts = {
      "a",     "a",   "b",  "B", "?", "*",  "*", "*",   "[ab]",   "[^a]",  "[a-c]",
      "[B-a]", "\\a", "\\", "[", "]", "[^", "-", "[a-", "[\\]b]", "[^\\A]"};
  const auto parts =
      *rc::gen::resize(5, rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts)));
  std::string pattern;
  for (const std::string& part : parts) pattern += part;
  const auto text = *rc::gen::resize(
      5, rc::gen::container<std::string>(rc::gen::elementOf(std::string("aaaabbB"))));
  const bool match = glob_match(pattern, text, ignore_case);
  RC_CLASSIFY(match);
  RC_ASSERT(match == naive_match(pattern, text, ignore_case));
}

// Also by the definition, for long ones: after each part, how much of the text may have been taken.
bool plain_match(const std::vector<std::string>& parts, std::string_view text, bool ignore_case) {
  std::vector<bool> taken(text.size() + 1);
  taken[0] = true;
  for (const std::string& part : parts) {
    std::vector<bool> next(text.size() + 1);
    for (std::size_t t = 0; t <= text.size(); ++t) {
      if (part == "*") {
        next[t] = taken[t] || (t > 0 && next[t - 1]);
      } else {
        next[t] = t > 0 && taken[t - 1] && naive_match(part, text.substr(t - 1, 1), ignore_case);
      }
    }
    taken = next;
  }
  return taken[text.size()];
}

// Long enough that pieces are searched for and not tried.
RC_GTEST_PROP(Glob, LongOnesAgreeWithThePlainMatcher, (bool ignore_case)) {
  static const std::vector<std::string> kPlain = {"a", "a", "a", "a", "b"};
  static const std::vector<std::string> kWild = {
      "a", "a", "a", "?", "[ab]", "[^b]", "[a-c]", "[\\ab]", "[^\\B-]", "\\a", "b"};
  std::vector<std::string> parts;
  std::string text;
  const auto some = [](const std::vector<std::string>& from, int most) {
    return *rc::gen::container<std::vector<std::string>>(
        static_cast<std::size_t>(*rc::gen::inRange(0, most)), rc::gen::elementOf(from));
  };
  const auto rest = [&text](int most) {
    for (int i = *rc::gen::inRange(0, most); i > 0; --i)
      text += *rc::gen::element('a', 'a', 'a', 'b');
  };
  // A text that follows the pattern, but for a letter now and then.
  for (int pieces = *rc::gen::inRange(1, 5); pieces > 0; --pieces) {
    for (const std::string& part : some(*rc::gen::arbitrary<bool>() ? kPlain : kWild, 150)) {
      parts.push_back(part);
      text += part == "b" || *rc::gen::inRange(0, 2'000) == 0 ? 'b' : 'a';
    }
    rest(20);
    parts.emplace_back("*");
  }
  if (*rc::gen::arbitrary<bool>()) parts.pop_back();
  std::string pattern;
  for (const std::string& part : parts) pattern += part;
  const bool match = glob_match(pattern, text, ignore_case);
  RC_CLASSIFY(match);
  RC_ASSERT(match == plain_match(parts, text, ignore_case));
}

RC_GTEST_PROP(Glob, LiteralPatternsMatchThemselvesAlone, (const std::string& text)) {
  if (!glob_is_literal(text)) return;
  RC_ASSERT(glob_match(text, text));
  RC_ASSERT(!glob_match(text, text + "x"));
}

TEST(Glob, KnowsLiterals) {
  EXPECT_TRUE(glob_is_literal(""));
  EXPECT_TRUE(glob_is_literal("news.sport]^-"));
  for (const char* pattern : {"*", "a?", "[a]", "a\\b"}) {
    EXPECT_FALSE(glob_is_literal(pattern)) << pattern;
  }
}

}  // namespace
}  // namespace slotcar::base
