// Redis-exact parsing and printing of numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace slotcar::base {

// As Redis's string2ll: no leading zeros, spaces or plus; "-0" is not a number.
// (Inline, because an optional that is returned through memory costs more than the parsing.)
bool read_int64(std::string_view text, std::int64_t& value);
bool read_uint64(std::string_view text, std::uint64_t& value);
inline std::optional<std::int64_t> parse_int64(std::string_view text) {
  std::int64_t value = 0;
  if (!read_int64(text, value)) return std::nullopt;
  return value;
}
inline std::optional<std::uint64_t> parse_uint64(std::string_view text) {
  std::uint64_t value = 0;
  if (!read_uint64(text, value)) return std::nullopt;
  return value;
}

// As Redis's getLongDoubleFromObject / getDoubleFromObject: the whole text, no spaces at the ends,
// "inf"/"-inf"/"+inf"/"infinity" in any case, hex accepted by strtod; never NaN.
std::optional<long double> parse_long_double(std::string_view text);
std::optional<double> parse_double(std::string_view text);

// Memory sizes as in redis.conf: 100, 100b, 1k, 1kb, 1m, 1mb, 1g, 1gb.
std::optional<std::int64_t> parse_memory(std::string_view text);

// "00" "01" .. "99", one after the other.
struct DigitPairs {
  char text[200];
  constexpr DigitPairs() : text() {
    for (int i = 0; i < 100; ++i) {
      text[2 * i] = static_cast<char>('0' + i / 10);
      text[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
  }
};
inline constexpr DigitPairs kDigitPairs;

// The decimal digits of a number that has no sign; at most 20.
int print_uint64(char* out, std::uint64_t value);

// Writes the decimal digits; returns how many (20 at most with the sign). `out` has room for 21.
inline int print_int64(char* out, std::int64_t value) {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (magnitude < 10) {  // Most lengths, counts and replies are this small.
    *out = static_cast<char>('0' + magnitude);
    return 1;
  }
  if (magnitude < 100) {
    std::memcpy(out, kDigitPairs.text + 2 * magnitude, 2);
    return 2;
  }
  if (value >= 0) return print_uint64(out, magnitude);
  *out = '-';
  return 1 + print_uint64(out + 1, 0 - magnitude);
}
int decimal_digits(std::int64_t value);  // length of what print_int64 writes

// As Redis replies to INCRBYFLOAT (LD_STR_HUMAN): 17 decimals fixed, trailing zeros cut.
std::string print_long_double(long double value);

// What print_double writes at most, and its form without a string.
inline constexpr int kDoubleCharsMax = 32;
int print_double(char* out, double value);
// As Redis prints scores and RESP3 doubles: the shortest form that reads back (%.17g family),
// "inf", "-inf", "nan", integers without a point.
std::string print_double(double value);

}  // namespace slotcar::base
