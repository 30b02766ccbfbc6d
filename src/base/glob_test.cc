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
