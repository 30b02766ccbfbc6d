#include "base/numbers.h"

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/ascii.h"

namespace slotcar::base {
namespace {

// Redis refuses longer texts as floats.
constexpr std::size_t kFloatCharsMax = 5 * 1024;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& entry : powers) {
    entry = power;
    power *= 10;
  }
  return powers;
}();

// 1233 / 4096 is a little more than log10(2): the width in bits gives the number of digits, or one
// less, which the comparison decides.
int digits_of(std::uint64_t value) {
  value |= 1;  // Zero has one digit; no other number's digit count changes.
  const int guess = (std::bit_width(value) * 1233) >> 12;
  return guess + (value >= kPowersOfTen[static_cast<std::size_t>(guess)] ? 1 : 0);
}

// Eight digits at once: all are checked in one word, then neighbours are joined to pairs, pairs to
// fours, fours to the number. The first digit is the lowest byte.
static_assert(std::endian::native == std::endian::little);
bool read_eight_digits(const char* p, std::uint64_t& value) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  // Below '0' the subtraction borrows into the top bit; above '9' the addition reaches it.
  if (((word - kOnes * '0') | (word + kOnes * (0x7f - '9')) | word) & (kOnes * 0x80)) return false;
  word -= kOnes * '0';
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
  value = (word * 10000 + (word >> 32)) & 0xffffffff;
  return true;
}

// The digits of a positive number without leading zeros, no larger than `max`.
inline bool read_positive(const char* p, const char* end, std::uint64_t max, std::uint64_t& out) {
  if (p == end || *p < '1' || *p > '9' || end - p > 20) return false;
  std::uint64_t value = 0;
  // 19 digits cannot overflow 64 bits, so the checks are left to the one that can follow.
  const char* const safe_end = end - p > 19 ? p + 19 : end;
  for (std::uint64_t eight = 0; safe_end - p >= 8; p += 8) {
    if (!read_eight_digits(p, eight)) return false;
    value = value * 100'000'000 + eight;
  }
  for (; p != safe_end; ++p) {
    if (!is_digit(*p)) return false;
    value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  if (p != end) {
    const auto digit = static_cast<std::uint64_t>(*p - '0');
    if (!is_digit(*p) || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, digit, &value)) {
      return false;
    }
  }
  out = value;
  return value <= max;
}

// strtod and strtold want a terminated text and say ERANGE also for numbers that are merely
// denormal; Redis refuses only those that became infinite or zero.
template <class Real, class Convert>
std::optional<Real> parse_with(Convert convert, std::string_view text) {
  if (text.empty() || text.size() >= kFloatCharsMax || is_space(text[0])) return std::nullopt;
  char small[128];
  std::string large;
  const char* start = small;
  if (text.size() < sizeof small) {
    std::memcpy(small, text.data(), text.size());
    small[text.size()] = '\0';
  } else {
    large = text;
    start = large.c_str();
  }
  char* stop = nullptr;
  errno = 0;
  Real value = convert(start, &stop);
  if (stop != start + text.size() || std::isnan(value) || errno == EINVAL) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

}  // namespace

bool read_int64(std::string_view text, std::int64_t& value) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (text.empty() || text.size() > 20) return false;
  const char* p = text.data();
  const char* end = p + text.size();
  if (text.size() == 1) {  // The only number that begins with a zero is zero.
    value = *p - '0';
    return is_digit(*p);
  }
  const bool negative = *p == '-';
  std::uint64_t magnitude = 0;
  if (!read_positive(p + negative, end, kMax + negative, magnitude)) return false;
  value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool read_uint64(std::string_view text, std::uint64_t& value) {
  value = 0;
  if (text == "0") return true;
  return read_positive(text.data(), text.data() + text.size(),
                       std::numeric_limits<std::uint64_t>::max(), value);
}

std::optional<long double> parse_long_double(std::string_view text) {
  // A long double holds every 64-bit integer exactly, and integers are what people increment.
  if (auto integer = parse_int64(text)) return static_cast<long double>(*integer);
  return parse_with<long double>(std::strtold, text);
}

std::optional<double> parse_double(std::string_view text) {
  // from_chars rounds as strtod does and is several times faster, but knows fewer spellings. What
  // it does not consume whole goes to the slow path, which also produces the errors.
  double value = 0;
  auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && stop == text.data() + text.size() && !std::isnan(value)) {
    return value;
  }
  return parse_with<double>(std::strtod, text);
}

std::optional<std::int64_t> parse_memory(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  std::string_view unit = text.substr(digits);
  std::int64_t factor = 0;
  if (unit.empty() || equals_ignoring_case(unit, "b")) factor = 1;
  if (equals_ignoring_case(unit, "k")) factor = 1000;
  if (equals_ignoring_case(unit, "kb")) factor = 1024;
  if (equals_ignoring_case(unit, "m")) factor = 1000 * 1000;
  if (equals_ignoring_case(unit, "mb")) factor = 1024 * 1024;
  if (equals_ignoring_case(unit, "g")) factor = 1000 * 1000 * 1000;
  if (equals_ignoring_case(unit, "gb")) factor = 1024 * 1024 * 1024;
  if (factor == 0) return std::nullopt;
  // Unlike other numbers these may begin with zeros.
  std::int64_t value = 0;
  auto [stop, failure] = std::from_chars(text.data(), text.data() + digits, value);
  if (failure != std::errc() || __builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  return value;
}

int print_uint64(char* out, std::uint64_t value) {
  const int length = digits_of(value);
  char* p = out + length;
  while (value >= 100) {
    p -= 2;
    std::memcpy(p, kDigitPairs.text + 2 * (value % 100), 2);
    value /= 100;
  }
  if (value >= 10) {
    std::memcpy(out, kDigitPairs.text + 2 * value, 2);
  } else {
    *out = static_cast<char>('0' + value);
  }
  return length;
}

int decimal_digits(std::int64_t value) {
  const auto magnitude = static_cast<std::uint64_t>(value);
  return value < 0 ? 1 + digits_of(0 - magnitude) : digits_of(magnitude);
}

std::string print_long_double(long double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char small[64];
  int size = std::snprintf(small, sizeof small, "%.17Lf", value);
  std::string text;
  if (size < static_cast<int>(sizeof small)) {
    text.assign(small, static_cast<std::size_t>(size));
  } else {
    text.resize(static_cast<std::size_t>(size));
    std::snprintf(text.data(), text.size() + 1, "%.17Lf", value);
  }
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  if (text == "-0") return "0";
  return text;
}

namespace {

// A finite number that is not a small integer: digits d1 d2 .. dn times ten to the power
// of `exponent`. Redis prints a decimal point for numbers of moderate size and
// scientific notation otherwise. The threshold is arbitrary, and has to be the one that
// Redis uses.
int print_digits(char* out, const char* digits, int count, int exponent) {
  char* p = out;
  const int scientific = exponent + count - 1;
  if (exponent >= 0 && std::abs(scientific) < count + 7) {
    std::memcpy(p, digits, static_cast<std::size_t>(count));
    std::memset(p + count, '0', static_cast<std::size_t>(exponent));
    return count + exponent;
  }
  if (exponent < 0 && (exponent > -7 || std::abs(scientific) < 4)) {
    const int whole = count + exponent;  // digits before the point
    if (whole > 0) {
      std::memcpy(p, digits, static_cast<std::size_t>(whole));
      p[whole] = '.';
      std::memcpy(p + whole + 1, digits + whole, static_cast<std::size_t>(count - whole));
      return count + 1;
    }
    *p++ = '0';
    *p++ = '.';
    for (int i = whole; i < 0; ++i) *p++ = '0';
    std::memcpy(p, digits, static_cast<std::size_t>(count));
    return static_cast<int>(p - out) + count;
  }
  *p++ = digits[0];
  if (count > 1) {
    *p++ = '.';
    std::memcpy(p, digits + 1, static_cast<std::size_t>(count - 1));
    p += count - 1;
  }
  *p++ = 'e';
  *p++ = scientific < 0 ? '-' : '+';
  p += print_int64(p, std::abs(scientific));
  return static_cast<int>(p - out);
}

int put(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return static_cast<int>(text.size());
}

}  // namespace

int print_double(char* out, double value) {
  if (std::isnan(value)) return put(out, "nan");
  if (std::isinf(value)) return put(out, value > 0 ? "inf" : "-inf");
  if (value == 0) return put(out, std::signbit(value) ? "-0" : "0");
  // Whole numbers are printed as integers up to half of the 64-bit range.
  constexpr double kIntegersMax = 4611686018427387904.0;
  if (std::abs(value) <= kIntegersMax) {
    auto integer = static_cast<std::int64_t>(value);
    if (static_cast<double>(integer) == value) return print_int64(out, integer);
  }
  int sign = 0;
  if (value < 0) {
    *out = '-';
    sign = 1;
    value = -value;
  }
  // "d.ddde-xx", the shortest that reads back.
  char text[40];
  auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  char digits[20];
  int count = 0;
  const char* p = text;
  for (; *p != 'e'; ++p) {
    if (*p != '.') digits[count++] = *p;
  }
  p += p[1] == '+' ? 2 : 1;
  int scientific = 0;
  std::from_chars(p, end, scientific);
  return sign + print_digits(out + sign, digits, count, scientific - (count - 1));
}

std::string print_double(double value) {
  char text[kDoubleCharsMax];
  return std::string(text, static_cast<std::size_t>(print_double(text, value)));
}

}  // namespace slotcar::base
