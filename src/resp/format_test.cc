#include "resp/format.h"

#include <gtest/gtest.h>

#include <string>

#include "resp/reply_parser.h"

namespace slotcar::resp {
namespace {

std::string formatted(std::string_view bytes) {
  ReplyParser parser;
  parser.feed(bytes);
  Value value;
  EXPECT_EQ(parser.next(value), ReplyParser::Outcome::value) << bytes;
  return format(value);
}

TEST(Format, OneLineValues) {
  EXPECT_EQ(formatted(":2\r\n"), ":2");
  EXPECT_EQ(formatted("+OK\r\n"), "+OK");
  EXPECT_EQ(formatted("-ERR text\r\n"), "-ERR text");
  EXPECT_EQ(formatted("$4\r\na\n\"\xff\r\n"), "\"a\\n\\\"\\xff\"");
  EXPECT_EQ(formatted("$-1\r\n"), "(nil)");
  EXPECT_EQ(formatted("*0\r\n"), "(empty array)");
}

TEST(Format, NestsAsRedisCli) {
  EXPECT_EQ(formatted("*3\r\n$1\r\na\r\n*2\r\n:1\r\n*1\r\n+x\r\n$-1\r\n"),
            "1) \"a\"\n"
            "2) 1) :1\n"
            "   2) 1) +x\n"
            "3) (nil)");
  std::string pairs = "*10\r\n";
  for (int i = 0; i < 10; ++i) pairs += "*2\r\n:1\r\n:2\r\n";
  const std::string ten = formatted(pairs);
  EXPECT_TRUE(ten.starts_with(" 1) 1) :1\n    2) :2\n 2) 1) :1"));
  EXPECT_TRUE(ten.ends_with("10) 1) :1\n    2) :2"));
}

TEST(Format, BothProtocolsLookTheSame) {
  const struct {
    const char* resp3;
    const char* resp2;
  } cases[] = {
      {"%1\r\n$1\r\na\r\n,1.5\r\n", "*2\r\n$1\r\na\r\n$3\r\n1.5\r\n"},
      {"~2\r\n:1\r\n#t\r\n", "*2\r\n:1\r\n:1\r\n"},
      {">1\r\n_\r\n", "*1\r\n$-1\r\n"},
      {"_\r\n", "*-1\r\n"},
      {"%0\r\n", "*0\r\n"},
      {"=7\r\ntxt:abc\r\n", "$3\r\nabc\r\n"},
      {"(123\r\n", "$3\r\n123\r\n"},
      {"|1\r\n+ttl\r\n:1\r\n#f\r\n", ":0\r\n"},
  };
  for (const auto& c : cases) EXPECT_EQ(formatted(c.resp3), formatted(c.resp2));
}

}  // namespace
}  // namespace slotcar::resp
