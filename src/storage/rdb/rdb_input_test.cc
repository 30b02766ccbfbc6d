#include "storage/rdb/rdb_input.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "storage/rdb/dump_payload.h"
#include "storage/rdb/rdb_writer.h"

namespace slotcar::storage {
namespace {

using namespace std::string_literals;

std::string written(std::uint64_t length) {
  std::string out;
  RdbWriter(out).length(length);
  return out;
}

std::string written(std::string_view text) {
  std::string out;
  RdbWriter(out).string(text);
  return out;
}

TEST(RdbInput, LengthsInTheirShortestForm) {
  EXPECT_EQ(written(0), "\0"s);
  EXPECT_EQ(written(63), "\x3f");
  EXPECT_EQ(written(64), "\x40\x40");
  EXPECT_EQ(written(16383), "\x7f\xff");
  EXPECT_EQ(written(16384), "\x80\0\0\x40\0"s);
  EXPECT_EQ(written(UINT32_MAX), "\x80\xff\xff\xff\xff");
  EXPECT_EQ(written(std::uint64_t{1} << 32), "\x81\0\0\0\1\0\0\0\0"s);
}

RC_GTEST_PROP(RdbInput, ReadsLengthsBack, (std::uint64_t length, std::uint8_t shift)) {
  const std::uint64_t value = length >> (shift % 64);
  const std::string bytes = written(value);
  RdbInput in(bytes);
  RC_ASSERT(in.length() == value);
  RC_ASSERT(in.at_end());
}

TEST(RdbInput, StringsInTheirShortestForm) {
  EXPECT_EQ(written(""), "\0"s);
  EXPECT_EQ(written("12"), "\xc0\x0c");
  EXPECT_EQ(written("-129"), "\xc1\x7f\xff");
  EXPECT_EQ(written("70000"), "\xc2\x70\x11\1\0"s);
  EXPECT_EQ(written("2147483648"),
            "\x0a"
            "2147483648");
  EXPECT_EQ(written("012"),
            "\3"
            "012");
  EXPECT_EQ(written(std::string(20, 'x')), "\x14" + std::string(20, 'x'));
  EXPECT_EQ(written(std::string(40, 'x'))[0], '\xc3');
}

RC_GTEST_PROP(RdbInput, ReadsStringsBack, (std::string text, std::int64_t number, bool digits)) {
  if (digits) text = std::to_string(number);
  text += text;  // something to pack
  const std::string bytes = written(text);
  RdbInput in(bytes);
  std::string scratch;
  RC_ASSERT(in.string(scratch) == text);
  RC_ASSERT(in.at_end());
  // Whatever is cut off at its end is detected.
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RdbInput cut(std::string_view(bytes).substr(0, size));
    cut.string(scratch);
    RC_ASSERT(cut.failed());
  }
}

TEST(RdbInput, TakesNoMemoryOnTheWordOfALength) {
  std::string scratch;
  RdbLimits limits;
  limits.string_bytes_max = 1000;
  limits.unpacked_bytes_max = 1500;
  // 700 packed bytes could expand to a megabyte.
  const std::string promise = "\xc3\x42\xbc\x80\0\x0f\0\0"s + std::string(700, 'x');
  RdbInput promised(promise, limits);
  promised.string(scratch);
  EXPECT_TRUE(promised.failed());
  EXPECT_LT(scratch.capacity(), 1000u);
  // All packed strings count together.
  std::string twice;
  RdbWriter out(twice);
  out.string(std::string(900, 'x'));
  out.string(std::string(900, 'y'));
  RdbInput both(twice, limits);
  EXPECT_EQ(both.string(scratch).size(), 900u);
  EXPECT_FALSE(both.failed());
  both.string(scratch);
  EXPECT_TRUE(both.failed());
}

TEST(RdbInput, CountsAreBoundedByWhatFollows) {
  RdbInput in(
      "\x03"
      "abcdef");
  EXPECT_EQ(in.count(2), 3u);
  RdbInput more(
      "\x04"
      "abcdef");
  EXPECT_EQ(more.count(2), 0u);
  EXPECT_TRUE(more.failed());
}

TEST(RdbInput, ScoresAreNumbers) {
  EXPECT_EQ(RdbInput("\xfe").text_score(), INFINITY);
  EXPECT_EQ(RdbInput("\xff").text_score(), -INFINITY);
  EXPECT_EQ(RdbInput("\3"
                     "1.5")
                .text_score(),
            1.5);
  for (const std::string_view bad : {"\xfd", "\3nan",
                                     "\2"
                                     "1x",
                                     "\3"
                                     "1"}) {
    RdbInput in(bad);
    in.text_score();
    EXPECT_TRUE(in.failed()) << bad;
  }
  const std::string bits = "\0\0\0\0\0\0\xf8\x7f"s;
  RdbInput nan(bits);
  nan.binary_score();
  EXPECT_TRUE(nan.failed());
}

TEST(DumpPayload, OpensWhatWasSealed) {
  std::string payload = "\0\1a"s;
  seal_payload(payload);
  EXPECT_EQ(open_payload(payload), "\0\1a"s);
  for (std::size_t at = 0; at < payload.size(); ++at) {
    std::string damaged = payload;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(open_payload(damaged), std::nullopt) << at;
    EXPECT_EQ(open_payload(std::string_view(payload).substr(0, at)), std::nullopt);
  }
}

}  // namespace
}  // namespace slotcar::storage
