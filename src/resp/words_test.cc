#include "resp/words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace slotcar::resp {
namespace {

using Words = std::vector<std::string>;

TEST(Words, Split) {
  EXPECT_EQ(split_words(""), Words());
  EXPECT_EQ(split_words("  "), Words());
  EXPECT_EQ(split_words("save 900 1"), (Words{"save", "900", "1"}));
  EXPECT_EQ(split_words(" a \"b c\" 'd e' \"\" "), (Words{"a", "b c", "d e", ""}));
  EXPECT_EQ(split_words("\"a"), std::nullopt);
  EXPECT_EQ(split_words("'a'b"), std::nullopt);
}

TEST(Words, QuoteAsRedisCli) {
  EXPECT_EQ(quote_word(""), "\"\"");
  EXPECT_EQ(quote_word("a b"), "\"a b\"");
  EXPECT_EQ(quote_word("\"\\\n\r\t\a\b"), "\"\\\"\\\\\\n\\r\\t\\a\\b\"");
  EXPECT_EQ(quote_word(std::string("\0\x1f\x7f\xff", 4)), "\"\\x00\\x1f\\x7f\\xff\"");
}

RC_GTEST_PROP(Words, WhatIsQuotedReadsBack, (const Words& words)) {
  std::string line;
  for (const std::string& word : words) line += quote_word(word) + " ";
  RC_ASSERT(split_words(line) == words);
}

}  // namespace
}  // namespace slotcar::resp
