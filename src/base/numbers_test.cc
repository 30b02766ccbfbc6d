#include "base/numbers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace slotcar::base {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string printed(std::int64_t value) {
  char text[21];
  return std::string(text, static_cast<std::size_t>(print_int64(text, value)));
}

TEST(Int64, ReadsWhatRedisReads) {
  EXPECT_EQ(parse_int64("0"), 0);
  EXPECT_EQ(parse_int64("7"), 7);
  EXPECT_EQ(parse_int64("-1"), -1);
  EXPECT_EQ(parse_int64("10"), 10);
  EXPECT_EQ(parse_int64("9223372036854775807"), kMax);
  EXPECT_EQ(parse_int64("-9223372036854775808"), kMin);
}

TEST(Int64, RefusesAllElse) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           "-0",
                           "00",
                           "01",
                           "-01",
                           " 1",
                           "1 ",
                           "1.0",
                           "1e3",
                           "0x10",
                           "abc",
                           "1a",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "18446744073709551616",
                           "99999999999999999999",
                           "999999999999999999999999",
                           "--1"}) {
    EXPECT_EQ(parse_int64(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_int64(std::string_view("1\0", 2)), std::nullopt);
}

// Any byte at any place of a number of any length.
TEST(Int64, SeesEveryWrongByte) {
  const std::string digits = "1134567890123456789";
  for (std::size_t size = 1; size <= digits.size(); ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = digits.substr(0, size);
        text[at] = static_cast<char>(byte);
        const bool digit = byte >= '0' && byte <= '9';
        const bool valid =
            (digit && (at > 0 || byte != '0' || size == 1)) || (byte == '-' && at == 0 && size > 1);
        const auto number = parse_int64(text);
        ASSERT_EQ(number.has_value(), valid) << text << " " << byte;
        if (valid) {
          ASSERT_EQ(std::to_string(*number), text);
        }
      }
    }
  }
}

TEST(Uint64, GoesToTheEdge) {
  EXPECT_EQ(parse_uint64("0"), 0u);
  EXPECT_EQ(parse_uint64("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "-1", "00", "18446744073709551616", "99999999999999999999", "1x"}) {
    EXPECT_EQ(parse_uint64(text), std::nullopt) << text;
  }
}

RC_GTEST_PROP(Int64, PrintsWhatItReads, (std::int64_t value, std::uint8_t shift)) {
  value >>= shift % 64;  // all lengths, not only long ones
  const std::string text = printed(value);
  RC_ASSERT(text == std::to_string(value));
  RC_ASSERT(parse_int64(text) == value);
  RC_ASSERT(decimal_digits(value) == static_cast<int>(text.size()));
}

TEST(Int64, PrintsTheEdges) {
  for (std::int64_t power = 1, i = 0; i < 19; power *= 10, ++i) {
    for (std::int64_t value : {power - 1, power, power + 1, -power, 1 - power, -power - 1}) {
      EXPECT_EQ(printed(value), std::to_string(value));
      EXPECT_EQ(decimal_digits(value), static_cast<int>(std::to_string(value).size()));
    }
    if (i == 18) break;  // The next power does not fit.
  }
  EXPECT_EQ(printed(kMin), "-9223372036854775808");
  EXPECT_EQ(printed(kMax), "9223372036854775807");
  EXPECT_EQ(decimal_digits(kMin), 20);
  char text[21];
  EXPECT_EQ(print_uint64(text, std::numeric_limits<std::uint64_t>::max()), 20);
  EXPECT_EQ(std::string_view(text, 20), "18446744073709551615");
}

TEST(Double, ReadsWhatRedisReads) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_double("3.5"), 3.5);
  EXPECT_EQ(parse_double("+3.5"), 3.5);
  EXPECT_EQ(parse_double("-0"), 0.0);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("1e3"), 1000.0);
  EXPECT_EQ(parse_double("0x10"), 16.0);
  EXPECT_EQ(parse_double("0010"), 10.0);
  EXPECT_EQ(parse_double("inf"), infinity);
  EXPECT_EQ(parse_double("+Inf"), infinity);
  EXPECT_EQ(parse_double("-INFINITY"), -infinity);
  EXPECT_EQ(parse_double("1e-310"), 1e-310);  // denormal, but a number
  EXPECT_EQ(parse_double("4.9406564584124654e-324"), 4.9406564584124654e-324);
  for (const char* text : {"", " 1", "1 ", "abc", "1e", "1e400", "-1e400", "1e-400", "nan", "-nan",
                           "1,5", "1.5.5", "--1", "+-1", "in", "0x", "."}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
    EXPECT_EQ(parse_long_double(std::string(text) + "x"), std::nullopt) << text;
  }
  EXPECT_EQ(parse_double(std::string_view("1\0", 2)), std::nullopt);
}

TEST(LongDouble, ReadsWhatRedisReads) {
  EXPECT_EQ(parse_long_double("3.0e3"), 3000.0L);
  EXPECT_EQ(parse_long_double("9223372036854775807"), 9223372036854775807.0L);
  EXPECT_EQ(parse_long_double("1e400"), 1e400L);
  EXPECT_EQ(parse_long_double("0.1"), 0.1L);
  EXPECT_EQ(parse_long_double(" 1"), std::nullopt);
  EXPECT_EQ(parse_long_double("nan"), std::nullopt);
  EXPECT_EQ(parse_long_double("1e5000"), std::nullopt);
  EXPECT_EQ(parse_long_double(std::string(4000, '1') + "."),
            std::strtold(std::string(4000, '1').c_str(), nullptr));
  EXPECT_EQ(parse_long_double(std::string(6000, '0')), std::nullopt);
}

TEST(LongDouble, PrintsAsIncrByFloatReplies) {
  EXPECT_EQ(print_long_double(10.5L), "10.5");
  EXPECT_EQ(print_long_double(3.0L), "3");
  EXPECT_EQ(print_long_double(100.0L), "100");
  EXPECT_EQ(print_long_double(0.1L + 0.2L), "0.3");
  EXPECT_EQ(print_long_double(-0.0L), "0");
  EXPECT_EQ(print_long_double(-1e-30L), "0");
  EXPECT_EQ(print_long_double(1.0L / 3), "0.33333333333333333");
  EXPECT_EQ(print_long_double(5e20L), "500000000000000000000");
  EXPECT_EQ(print_long_double(1e300L).size(), 301u);
  EXPECT_EQ(print_long_double(std::numeric_limits<long double>::infinity()), "inf");
  EXPECT_EQ(print_long_double(-std::numeric_limits<long double>::infinity()), "-inf");
}

TEST(Double, PrintsAsRedis) {
  const struct {
    double value;
    const char* text;
  } cases[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-17, "-17"},
      {3.5, "3.5"},
      {0.1, "0.1"},
      {1e17, "100000000000000000"},
      {4611686018427387904.0, "4611686018427387904"},
      {1e19, "1e+19"},
      {12345678901234567890.0, "12345678901234567000"},
      {1e21, "1e+21"},
      {1.5e300, "1.5e+300"},
      {1e-5, "0.00001"},
      {0.000001, "0.000001"},
      {1e-7, "1e-7"},
      {1.5e-7, "1.5e-7"},
      {-2.5e-10, "-2.5e-10"},
      {3.141592653589793, "3.141592653589793"},
      {1234.5678901234567, "1234.5678901234567"},
      {12345.678901234567, "1.2345678901234567e+4"},
      {123456.789, "123456.789"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const auto& c : cases) EXPECT_EQ(print_double(c.value), c.text);
}

RC_GTEST_PROP(Double, ReadsBackWhatItPrints, (std::uint64_t bits)) {
  double value = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  RC_PRE(!std::isnan(value));
  const std::string text = print_double(value);
  RC_ASSERT(text.size() < static_cast<std::size_t>(kDoubleCharsMax));
  RC_ASSERT(parse_double(text) == value);
  RC_ASSERT(std::strtod(text.c_str(), nullptr) == value);
}

TEST(Memory, KnowsTheUnits) {
  EXPECT_EQ(parse_memory("0"), 0);
  EXPECT_EQ(parse_memory("100"), 100);
  EXPECT_EQ(parse_memory("0100b"), 100);
  EXPECT_EQ(parse_memory("1k"), 1000);
  EXPECT_EQ(parse_memory("1KB"), 1024);
  EXPECT_EQ(parse_memory("2m"), 2'000'000);
  EXPECT_EQ(parse_memory("2Mb"), 2 * 1024 * 1024);
  EXPECT_EQ(parse_memory("1g"), 1'000'000'000);
  EXPECT_EQ(parse_memory("3gb"), 3LL * 1024 * 1024 * 1024);
  for (const char* text : {"", "kb", "-1", "-1kb", "1 kb", "1tb", "1.5gb", "+1", "1kbb",
                           "9223372036854775808", "9223372036854775807kb"}) {
    EXPECT_EQ(parse_memory(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace slotcar::base
