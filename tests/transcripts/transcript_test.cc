#include "transcripts/transcript.h"

#include <gtest/gtest.h>

#include "resp/reply_parser.h"

namespace slotcar::transcripts {
namespace {

resp::Value value_of(std::string_view bytes) {
  resp::ReplyParser parser;
  parser.feed(bytes);
  resp::Value value;
  EXPECT_EQ(parser.next(value), resp::ReplyParser::Outcome::value) << bytes;
  return value;
}

// Whether the lines match the reply in the bytes.
bool hold(const std::vector<std::string>& lines, std::string_view bytes) {
  const auto pattern = parse_reply(lines);
  EXPECT_TRUE(pattern) << lines[0] << ": " << pattern.error().message;
  return pattern && matches(*pattern, value_of(bytes));
}

std::string error_of(std::string_view text) {
  const auto parsed = parse(text, "f");
  return parsed ? "" : parsed.error().message;
}

TEST(TranscriptReply, Scalars) {
  EXPECT_TRUE(hold({"+OK"}, "+OK\r\n"));
  EXPECT_FALSE(hold({"+OK"}, "+KO\r\n"));
  EXPECT_FALSE(hold({"+OK"}, "$2\r\nOK\r\n"));
  EXPECT_FALSE(hold({"\"OK\""}, "+OK\r\n"));
  EXPECT_TRUE(hold({":12"}, ":12\r\n"));
  EXPECT_FALSE(hold({":12"}, ":13\r\n"));
  EXPECT_FALSE(hold({":12"}, "$2\r\n12\r\n"));
  EXPECT_TRUE(hold({"(nil)"}, "$-1\r\n"));
  EXPECT_TRUE(hold({"(nil)"}, "*-1\r\n"));
  EXPECT_TRUE(hold({"(nil)"}, "_\r\n"));
  EXPECT_FALSE(hold({"(nil)"}, "$5\r\n(nil)\r\n"));
  EXPECT_FALSE(hold({"\"\""}, "$-1\r\n"));
}

TEST(TranscriptReply, BytesOfAString) {
  EXPECT_TRUE(hold({"\"a b\""}, "$3\r\na b\r\n"));
  EXPECT_TRUE(hold({"\"\\x00\\xFF\""}, std::string_view("$2\r\n\x00\xff\r\n", 8)));
  EXPECT_FALSE(hold({"\"\\x00\\xFF\""}, std::string_view("$2\r\n\x00\xfe\r\n", 8)));
  EXPECT_TRUE(hold({"\"\\r\\n\""}, "$2\r\n\r\n\r\n"));
}

TEST(TranscriptReply, TheThirdProtocolLooksLikeTheSecond) {
  EXPECT_TRUE(hold({"\"1.5\""}, ",1.5\r\n"));
  EXPECT_TRUE(hold({":1"}, "#t\r\n"));
  EXPECT_TRUE(hold({"(int)"}, "#f\r\n"));
  EXPECT_TRUE(hold({"1) \"a\"", "2) :1"}, "%1\r\n$1\r\na\r\n:1\r\n"));
  EXPECT_TRUE(hold({"1) \"a\""}, "~1\r\n$1\r\na\r\n"));
  EXPECT_TRUE(hold({"(empty array)"}, "%0\r\n"));
  EXPECT_TRUE(hold({"\"hi\""}, "=6\r\ntxt:hi\r\n"));
  EXPECT_TRUE(hold({"~h*"}, "=6\r\ntxt:hi\r\n"));
}

TEST(TranscriptReply, Errors) {
  EXPECT_TRUE(hold({"-ERR syntax error"}, "-ERR syntax error\r\n"));
  EXPECT_FALSE(hold({"-ERR syntax error"}, "-ERR syntax errors\r\n"));
  EXPECT_TRUE(hold({"-ERR *"}, "-ERR whatever\r\n"));
  EXPECT_FALSE(hold({"-ERR *"}, "-WRONGTYPE whatever\r\n"));
  EXPECT_FALSE(hold({"-ERR *"}, "+ERR whatever\r\n"));
  EXPECT_TRUE(hold({"-ERR [a] is odd"}, "-ERR [a] is odd\r\n"));
}

TEST(TranscriptReply, Wildcards) {
  EXPECT_TRUE(hold({"~7.*"}, "$5\r\n7.2.4\r\n"));
  EXPECT_TRUE(hold({"~7*"}, ":72\r\n"));
  EXPECT_FALSE(hold({"~7.*"}, "$5\r\n6.2.4\r\n"));
  EXPECT_FALSE(hold({"~*"}, "-ERR no\r\n"));
  EXPECT_FALSE(hold({"~*"}, "$-1\r\n"));
  EXPECT_TRUE(hold({"(any)"}, "-ERR no\r\n"));
  EXPECT_TRUE(hold({"(int)"}, ":-5\r\n"));
  EXPECT_FALSE(hold({"(int)"}, "$1\r\n5\r\n"));
  EXPECT_TRUE(hold({"(range 95 100)"}, ":95\r\n"));
  EXPECT_TRUE(hold({"(range 95 100)"}, ":100\r\n"));
  EXPECT_FALSE(hold({"(range 95 100)"}, ":94\r\n"));
  EXPECT_FALSE(hold({"(range 95 100)"}, ":101\r\n"));
  EXPECT_TRUE(hold({"(range -2 -1)"}, ":-1\r\n"));
}

TEST(TranscriptReply, Arrays) {
  EXPECT_TRUE(hold({"(empty array)"}, "*0\r\n"));
  EXPECT_FALSE(hold({"(empty array)"}, "*-1\r\n"));
  EXPECT_FALSE(hold({"(empty array)"}, "*1\r\n:1\r\n"));
  EXPECT_TRUE(hold({"1) \"a\"", "2) (nil)"}, "*2\r\n$1\r\na\r\n$-1\r\n"));
  EXPECT_FALSE(hold({"1) \"a\"", "2) (nil)"}, "*1\r\n$1\r\na\r\n"));
  EXPECT_FALSE(hold({"1) \"a\""}, "*2\r\n$1\r\na\r\n$-1\r\n"));
  EXPECT_FALSE(hold({"1) :1", "2) :2"}, "*2\r\n:2\r\n:1\r\n"));
}

TEST(TranscriptReply, ArraysInArrays) {
  // [[1, [2, 3]], 4, [[5]]]
  const std::vector<std::string> lines = {"1) 1) :1", "   2) 1) :2", "      2) :3", "2) :4",
                                          "3) 1) 1) :5"};
  EXPECT_TRUE(hold(lines, "*3\r\n*2\r\n:1\r\n*2\r\n:2\r\n:3\r\n:4\r\n*1\r\n*1\r\n:5\r\n"));
  // [[1, [2], 3], 4, [[5]]]: the column says to which array an item belongs.
  EXPECT_FALSE(hold(lines, "*3\r\n*3\r\n:1\r\n*1\r\n:2\r\n:3\r\n:4\r\n*1\r\n*1\r\n:5\r\n"));
}

TEST(TranscriptReply, TheColumnDecidesWhichArrayGoesOn) {
  // Both arrays could go on with 2).
  EXPECT_TRUE(hold({"1) 1) :1", "   2) :2"}, "*1\r\n*2\r\n:1\r\n:2\r\n"));
  EXPECT_TRUE(hold({"1) 1) :1", "2) :2"}, "*2\r\n*1\r\n:1\r\n:2\r\n"));
}

TEST(TranscriptReply, IndexesAlignedOrNot) {
  std::vector<std::string> aligned;
  std::vector<std::string> plain;
  std::string bytes = "*11\r\n";
  for (int i = 1; i <= 11; ++i) {
    const std::string item = std::to_string(i) + ") :" + std::to_string(i);
    aligned.push_back((i < 10 ? " " : "") + item);
    plain.push_back(item);
    bytes += ":" + std::to_string(i) + "\r\n";
  }
  EXPECT_TRUE(hold(aligned, bytes));
  EXPECT_TRUE(hold(plain, bytes));
}

TEST(TranscriptReply, Unordered) {
  EXPECT_TRUE(hold({"(unordered)", "1) :1", "2) :2"}, "*2\r\n:2\r\n:1\r\n"));
  EXPECT_FALSE(hold({"(unordered)", "1) :1", "2) :1"}, "*2\r\n:2\r\n:1\r\n"));
  EXPECT_FALSE(hold({"(unordered)", "1) :1"}, "*2\r\n:2\r\n:1\r\n"));
  // The wildcard must leave the 1 to the pattern that matches nothing else.
  EXPECT_TRUE(hold({"(unordered)", "1) (int)", "2) :1"}, "*2\r\n:1\r\n:2\r\n"));
}

TEST(TranscriptReply, WhatIsNoReply) {
  EXPECT_FALSE(parse_reply({"OK"}));
  EXPECT_FALSE(parse_reply({"\"open"}));
  EXPECT_FALSE(parse_reply({"+OK", "+OK"}));
  EXPECT_FALSE(parse_reply({"2) :1"}));
  EXPECT_FALSE(parse_reply({"1) :1", "3) :3"}));
  EXPECT_FALSE(parse_reply({"1) :1", "+OK"}));
  EXPECT_FALSE(parse_reply({"(range 1)"}));
  EXPECT_FALSE(parse_reply({"(range 2 1)"}));
  EXPECT_FALSE(parse_reply({"(unordered)"}));
  EXPECT_FALSE(parse_reply({"(unordered)", ":1"}));
}

TEST(Transcript, Steps) {
  const auto parsed = parse(
      "# about\n"
      "@not multi: because\n"
      "> SET k \"a b\"\n"
      "+OK\n"
      "B> GET k\n"
      "\"a b\"\n"
      "# a comment ends a reply\n"
      "@wait 20ms\n"
      "@config save \"60 1\"\n"
      "> QUIT\n"
      "+OK\n"
      "(close)\n"
      "\n"
      "> CLIENT REPLY OFF\n"
      "(none)\n"
      "C> PING\n"
      "(close)\n",
      "f");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->not_in.at("multi"), "because");
  const auto& steps = parsed->steps;
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0].words, (std::vector<std::string>{"SET", "k", "a b"}));
  EXPECT_EQ(steps[0].connection, "");
  EXPECT_EQ(steps[0].line, 3);
  EXPECT_EQ(steps[1].connection, "B");
  EXPECT_EQ(steps[2].kind, Step::Kind::wait);
  EXPECT_EQ(steps[2].duration, 20 * runtime::kMillisecond);
  EXPECT_EQ(steps[3].kind, Step::Kind::config);
  EXPECT_EQ(steps[3].words, (std::vector<std::string>{"save", "60 1"}));
  EXPECT_TRUE(steps[4].replies);
  EXPECT_TRUE(steps[4].closes);
  EXPECT_FALSE(steps[5].replies);
  EXPECT_FALSE(steps[5].closes);
  EXPECT_FALSE(steps[6].replies);
  EXPECT_TRUE(steps[6].closes);
}

TEST(Transcript, MistakesNameTheirLine) {
  EXPECT_EQ(error_of("> PING\n+PONG\n"), "");
  EXPECT_TRUE(error_of("\n> PING\n\n").starts_with("f:2: "));
  EXPECT_TRUE(error_of("> PING\n+PONG\n\n+PONG\n").starts_with("f:4: "));
  EXPECT_TRUE(error_of("> SET \"k\n+OK\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("> PING\nPONG\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@wait\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@wait 20\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@wait 20h\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@blocked\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@blocked many\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@config save\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@nonsense\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@not mars: too far\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("@not multi\n").starts_with("f:1: "));
  EXPECT_TRUE(error_of("> PING\n+PONG\n@not multi: late\n").starts_with("f:3: "));
}

}  // namespace
}  // namespace slotcar::transcripts
