#include "resp/reply_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

#include "resp/reply_parser.h"

namespace slotcar::resp {
namespace {

std::string bytes_of(runtime::Output& out) {
  std::string bytes;
  while (!out.empty()) {
    struct iovec vectors[8];
    const std::size_t count = out.vectors(vectors, 8, SIZE_MAX);
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bytes.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
      size += vectors[i].iov_len;
    }
    out.consume(size);
  }
  return bytes;
}

template <class Write>
std::string written(Protocol protocol, Write write) {
  runtime::Output out;
  ReplyWriter writer(out, protocol);
  write(writer);
  return bytes_of(out);
}

template <class Write>
void expect(Write write, std::string_view resp2, std::string_view resp3) {
  EXPECT_EQ(written(Protocol::resp2, write), resp2);
  EXPECT_EQ(written(Protocol::resp3, write), resp3);
}

TEST(ReplyWriter, WhatBothProtocolsShare) {
  auto both = [](auto write, std::string_view bytes) { expect(write, bytes, bytes); };
  both([](ReplyWriter& reply) { reply.ok(); }, "+OK\r\n");
  both([](ReplyWriter& reply) { reply.simple("PONG"); }, "+PONG\r\n");
  both([](ReplyWriter& reply) { reply.simple("a\r\nb"); }, "+a  b\r\n");
  both([](ReplyWriter& reply) { reply.integer(0); }, ":0\r\n");
  both([](ReplyWriter& reply) { reply.integer(42); }, ":42\r\n");
  both([](ReplyWriter& reply) { reply.integer(-1); }, ":-1\r\n");
  both([](ReplyWriter& reply) { reply.integer(std::numeric_limits<std::int64_t>::min()); },
       ":-9223372036854775808\r\n");
  both([](ReplyWriter& reply) { reply.bulk(std::string_view()); }, "$0\r\n\r\n");
  both([](ReplyWriter& reply) { reply.bulk("hello"); }, "$5\r\nhello\r\n");
  both([](ReplyWriter& reply) { reply.bulk("a\r\nb"); }, "$4\r\na\r\nb\r\n");
  both([](ReplyWriter& reply) { reply.bulk_integer(-123); }, "$4\r\n-123\r\n");
  both([](ReplyWriter& reply) { reply.array(0); }, "*0\r\n");
  both([](ReplyWriter& reply) { reply.array(1234); }, "*1234\r\n");
}

TEST(ReplyWriter, BulksOfEveryLength) {
  runtime::Output out;
  ReplyWriter writer(out, Protocol::resp2);
  std::string expected;
  for (std::size_t size = 0; size < 5000; size += size < 1100 ? 1 : 97) {
    std::string text(size, '.');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + (i + size) % 26);
    writer.bulk(text);
    expected += "$" + std::to_string(size) + "\r\n" + text + "\r\n";
  }
  EXPECT_TRUE(bytes_of(out) == expected);
}

TEST(ReplyWriter, WhereTheProtocolsDiffer) {
  expect([](ReplyWriter& reply) { reply.null(); }, "$-1\r\n", "_\r\n");
  expect([](ReplyWriter& reply) { reply.null_array(); }, "*-1\r\n", "_\r\n");
  expect([](ReplyWriter& reply) { reply.map(3); }, "*6\r\n", "%3\r\n");
  expect([](ReplyWriter& reply) { reply.set(3); }, "*3\r\n", "~3\r\n");
  expect([](ReplyWriter& reply) { reply.push(3); }, "*3\r\n", ">3\r\n");
  expect([](ReplyWriter& reply) { reply.boolean(true); }, ":1\r\n", "#t\r\n");
  expect([](ReplyWriter& reply) { reply.boolean(false); }, ":0\r\n", "#f\r\n");
  expect([](ReplyWriter& reply) { reply.real(3.5); }, "$3\r\n3.5\r\n", ",3.5\r\n");
  expect([](ReplyWriter& reply) { reply.real(-std::numeric_limits<double>::infinity()); },
         "$4\r\n-inf\r\n", ",-inf\r\n");
  expect([](ReplyWriter& reply) { reply.big_number("123"); }, "$3\r\n123\r\n", "(123\r\n");
  expect([](ReplyWriter& reply) { reply.verbatim("a: b"); }, "$4\r\na: b\r\n",
         "=8\r\ntxt:a: b\r\n");
  expect([](ReplyWriter& reply) { reply.verbatim("", "mkd"); }, "$0\r\n\r\n", "=4\r\nmkd:\r\n");
}

TEST(ReplyWriter, ErrorsAreCountedAndCannotForgeReplies) {
  runtime::Output out;
  ReplyWriter writer(out, Protocol::resp2);
  EXPECT_EQ(writer.errors(), 0);
  EXPECT_EQ(writer.error_code(), "");
  writer.error("ERR unknown command 'a\r\n+OK\r\n'");
  EXPECT_EQ(writer.errors(), 1);
  EXPECT_EQ(writer.error_code(), "ERR");
  writer.error("WRONGTYPE Operation");
  EXPECT_EQ(writer.errors(), 2);
  EXPECT_EQ(writer.error_code(), "WRONGTYPE");
  writer.error("NOSPACES");
  EXPECT_EQ(writer.error_code(), "ERR");
  writer.error("");
  EXPECT_EQ(writer.error_code(), "ERR");
  writer.error(std::string(30, 'X') + " y");
  EXPECT_EQ(writer.error_code(), std::string(23, 'X'));
  writer.error(std::string(100, 'X') + " y");
  EXPECT_EQ(writer.error_code(), "ERR");
  EXPECT_EQ(bytes_of(out),
            "-ERR unknown command 'a  +OK  '\r\n-WRONGTYPE Operation\r\n-NOSPACES\r\n-\r\n-" +
                std::string(30, 'X') + " y\r\n-" + std::string(100, 'X') + " y\r\n");
}

TEST(ReplyWriter, LongStringsAreReferencedShortOnesCopied) {
  const auto shared =
      base::SharedBytes::copy_of(std::string(limits::kReplyCopyMax + 1, 'v'), nullptr);
  runtime::Output out;
  ReplyWriter writer(out, Protocol::resp2);
  writer.bulk(shared, 1, limits::kReplyCopyMax);
  EXPECT_TRUE(shared.sole_owner());
  writer.bulk(shared);
  EXPECT_FALSE(shared.sole_owner());
  EXPECT_EQ(bytes_of(out), "$4096\r\n" + std::string(4096, 'v') + "\r\n$4097\r\n" +
                               std::string(4097, 'v') + "\r\n");
  EXPECT_TRUE(shared.sole_owner());
}

RC_GTEST_PROP(ReplyWriter, BulksOfAnySizeReadBack, ()) {
  const auto sizes = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 40), rc::gen::inRange<std::size_t>(0, 9000)));
  runtime::Output out;
  ReplyWriter writer(out, Protocol::resp3);
  std::vector<std::string> texts;
  for (std::size_t size : sizes) {
    texts.push_back(std::string(size, static_cast<char>('a' + size % 26)));
    if (size % 2) {
      writer.bulk(texts.back());
    } else {
      writer.bulk(base::SharedBytes::copy_of(texts.back(), nullptr));
    }
  }
  ReplyParser parser;
  parser.feed(bytes_of(out));
  Value value;
  for (const std::string& text : texts) {
    RC_ASSERT(parser.next(value) == ReplyParser::Outcome::value);
    RC_ASSERT(value.text == text);
  }
  RC_ASSERT(parser.next(value) == ReplyParser::Outcome::incomplete);
}

}  // namespace
}  // namespace slotcar::resp
