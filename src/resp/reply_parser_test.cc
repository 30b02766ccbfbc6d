#include "resp/reply_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/limits.h"

namespace slotcar::resp {
namespace {

using Kind = Value::Kind;

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

struct Parsed {
  std::vector<Value> values;
  std::string error;
  bool operator==(const Parsed&) const = default;
};

Parsed parse_by_steps(std::string_view bytes, std::size_t step) {
  ReplyParser parser;
  Parsed parsed;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    parser.feed(bytes.substr(at, step));
    Value value;
    ReplyParser::Outcome outcome;
    while ((outcome = parser.next(value)) == ReplyParser::Outcome::value) {
      parsed.values.push_back(std::move(value));
    }
    if (outcome == ReplyParser::Outcome::error) {
      parsed.error = parser.error();
      return parsed;
    }
  }
  return parsed;
}

Value parse_one(std::string_view bytes) {
  Parsed parsed = parse_by_steps(bytes, bytes.size());
  EXPECT_EQ(parsed.error, "") << bytes;
  EXPECT_EQ(parsed.values.size(), 1u) << bytes;
  return parsed.values.empty() ? Value{} : parsed.values[0];
}

TEST(ReplyParser, Scalars) {
  EXPECT_EQ(parse_one("+OK\r\n").kind, Kind::simple);
  EXPECT_EQ(parse_one("+OK\r\n").text, "OK");
  EXPECT_EQ(parse_one("+\r\n").text, "");
  EXPECT_EQ(parse_one("-ERR x\r\n").kind, Kind::error);
  EXPECT_EQ(parse_one("!5\r\nERR x\r\n"), parse_one("-ERR x\r\n"));
  EXPECT_EQ(parse_one(":-42\r\n").integer, -42);
  EXPECT_EQ(parse_one(":+42\r\n").integer, 42);
  EXPECT_EQ(parse_one("$3\r\na\r\n\r\n").text, "a\r\n");
  EXPECT_EQ(parse_one("$0\r\n\r\n").kind, Kind::bulk);
  EXPECT_TRUE(parse_one("$-1\r\n").is_null());
  EXPECT_TRUE(parse_one("*-1\r\n").is_null());
  EXPECT_TRUE(parse_one("_\r\n").is_null());
  EXPECT_TRUE(parse_one("#t\r\n").boolean);
  EXPECT_FALSE(parse_one("#f\r\n").boolean);
  EXPECT_EQ(parse_one(",1.5\r\n").real, 1.5);
  EXPECT_EQ(parse_one(",inf\r\n").real, HUGE_VAL);
  EXPECT_TRUE(std::isnan(parse_one(",nan\r\n").real));
  EXPECT_EQ(parse_one("(-123456789012345678901234567890\r\n").text,
            "-123456789012345678901234567890");
  EXPECT_EQ(parse_one("=7\r\nmkd:a b\r\n").text, "a b");
  EXPECT_EQ(parse_one("=7\r\nmkd:a b\r\n").format, "mkd");
}

TEST(ReplyParser, Aggregates) {
  const Value array = parse_one("*3\r\n:1\r\n*2\r\n+a\r\n*0\r\n$-1\r\n");
  ASSERT_EQ(array.items.size(), 3u);
  EXPECT_EQ(array.items[1].items[0].text, "a");
  EXPECT_EQ(array.items[1].items[1].kind, Kind::array);
  EXPECT_TRUE(array.items[2].is_null());
  const Value map = parse_one("%2\r\n+a\r\n:1\r\n+b\r\n~1\r\n:2\r\n");
  EXPECT_EQ(map.kind, Kind::map);
  ASSERT_EQ(map.items.size(), 4u);
  EXPECT_EQ(map.items[3].kind, Kind::set);
  EXPECT_EQ(parse_one(">1\r\n+message\r\n").kind, Kind::push);
  EXPECT_EQ(parse_one("%0\r\n").kind, Kind::map);
}

TEST(ReplyParser, AttributesBelongToTheNextValue) {
  const Value scalar = parse_one("|1\r\n+ttl\r\n:3600\r\n:5\r\n");
  EXPECT_EQ(scalar.integer, 5);
  ASSERT_EQ(scalar.attributes.size(), 2u);
  EXPECT_EQ(scalar.attributes[1].integer, 3600);
  const Value array = parse_one("|1\r\n+k\r\n*1\r\n:7\r\n*2\r\n:1\r\n|1\r\n+t\r\n#t\r\n:2\r\n");
  ASSERT_EQ(array.items.size(), 2u);
  ASSERT_EQ(array.attributes.size(), 2u);
  EXPECT_EQ(array.attributes[1].items[0].integer, 7);
  EXPECT_TRUE(array.items[0].attributes.empty());
  EXPECT_EQ(array.items[1].attributes.size(), 2u);
  EXPECT_EQ(parse_one("|1\r\n+a\r\n:1\r\n|0\r\n|1\r\n+b\r\n:2\r\n_\r\n").attributes.size(), 4u);
}

TEST(ReplyParser, CutsMakeNoDifference) {
  const std::string bytes =
      "+OK\r\n*2\r\n$5\r\nhello\r\n%1\r\n+k\r\n|1\r\n+a\r\n,1.5\r\n~2\r\n:1\r\n_\r\n"
      ">2\r\n=8\r\ntxt:text\r\n!3\r\nERR\r\n$-1\r\n#t\r\n";
  const Parsed whole = parse_by_steps(bytes, bytes.size());
  EXPECT_EQ(whole.error, "");
  EXPECT_EQ(whole.values.size(), 5u);
  for (std::size_t step = 1; step < bytes.size(); ++step) {
    EXPECT_EQ(parse_by_steps(bytes, step), whole) << step;
  }
}

TEST(ReplyParser, RefusesNonsense) {
  for (const char* bytes :
       {"\r\n",          "hello\r\n",      "+OK\rx",   "$x\r\n",          "$-2\r\n",
        "$1\r\nabc\r\n", "*-2\r\n",        "*x\r\n",   "%-1\r\n",         "~-1\r\n",
        "*?\r\n",        "$?\r\n",         ":\r\n",    ":1.5\r\n",        ":+-1\r\n",
        "#x\r\n",        "_x\r\n",         ",abc\r\n", "(12a\r\n",        "(\r\n",
        "=3\r\ntxt\r\n", "=4\r\ntxtx\r\n", "!-1\r\n",  "*2147483648\r\n", "$99999999999\r\n"}) {
    for (std::size_t step : {1, 100}) {
      const Parsed parsed = parse_by_steps(bytes, step);
      EXPECT_TRUE(parsed.error.starts_with("Protocol error: ")) << bytes;
      EXPECT_TRUE(parsed.values.empty()) << bytes;
    }
  }
}

TEST(ReplyParser, AnErrorIsTheEnd) {
  ReplyParser parser;
  parser.feed("+OK\r\n?\r\n+OK\r\n");
  Value value;
  EXPECT_EQ(parser.next(value), ReplyParser::Outcome::value);
  EXPECT_EQ(parser.next(value), ReplyParser::Outcome::error);
  EXPECT_EQ(parser.next(value), ReplyParser::Outcome::error);
}

TEST(ReplyParser, DepthAndLinesAreBounded) {
  const std::string deepest = repeated("*1\r\n", limits::kReplyDepthMax);
  EXPECT_EQ(parse_by_steps(deepest + ":1\r\n", 1000).values.size(), 1u);
  EXPECT_EQ(parse_by_steps(deepest + "*1\r\n:1\r\n", 1000).error,
            "Protocol error: aggregates are nested too deep");
  const std::string line(limits::kReplyLineBytesMax - 1, 'x');
  for (std::size_t step : {1u << 20, 1000u}) {
    EXPECT_EQ(parse_by_steps("+" + line + "\r\n", step).values.size(), 1u);
    EXPECT_EQ(parse_by_steps("+" + line + "xx", step).error, "Protocol error: a line is too long");
    EXPECT_EQ(parse_by_steps("+" + line + "xx\r\n", step).error,
              "Protocol error: a line is too long");
  }
  // Attributes of attributes are no way around the limit.
  EXPECT_NE(parse_by_steps(repeated("|1\r\n", 1000), 1000).error, "");
}

TEST(ReplyParser, LongStreamsDoNotPileUp) {
  ReplyParser parser;
  const std::string reply = "$1000\r\n" + std::string(1000, 'x') + "\r\n";
  Value value;
  for (int i = 0; i < 1000; ++i) {
    parser.feed(reply.substr(0, 500));
    parser.feed(reply.substr(500) + "+O");
    EXPECT_EQ(parser.next(value), ReplyParser::Outcome::value);
    parser.feed("K\r\n");
    EXPECT_EQ(parser.next(value), ReplyParser::Outcome::value);
    EXPECT_EQ(value.text, "OK");
    EXPECT_EQ(parser.buffered(), 0u);
  }
}

RC_GTEST_PROP(ReplyParser, AnyBytesInAnyCuts, (const std::vector<std::uint8_t>& noise)) {
  static const std::vector<std::string> kParts = {"*",    "$",    ":",    "%", "|", "~",
                                                  "_",    "+",    "-",    "1", "2", "0",
                                                  "\r\n", "\r\n", "\r\n", "a", "#t"};
  std::string bytes;
  for (std::uint8_t n : noise) bytes += kParts[n % kParts.size()];
  RC_ASSERT(parse_by_steps(bytes, 1) == parse_by_steps(bytes, bytes.size() + 1));
}

}  // namespace
}  // namespace slotcar::resp
