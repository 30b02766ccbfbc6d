#include "types/bitmap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace slotcar::types {
namespace {

// The plain model: one char a bit.
std::vector<bool> spelled(const std::string& bytes) {
  std::vector<bool> bits;
  for (const char byte : bytes) {
    for (int i = 7; i >= 0; --i) bits.push_back((static_cast<unsigned char>(byte) >> i) & 1);
  }
  return bits;
}

// Long runs of equal bytes, so that the fast paths run, too.
std::string some_bytes(int size_max) {
  const auto size = static_cast<std::size_t>(*rc::gen::inRange(1, size_max));
  const char fill = *rc::gen::element('\0', '\xff', '\x55');
  std::string bytes(size, fill);
  const int changes = *rc::gen::inRange(0, 6);
  for (int i = 0; i < changes; ++i) {
    bytes[*rc::gen::inRange<std::size_t>(0, size)] = *rc::gen::arbitrary<char>();
  }
  return bytes;
}

BitRange some_range(const std::string& bytes) {
  const std::uint64_t bits = bytes.size() * 8;
  std::uint64_t a = *rc::gen::inRange<std::uint64_t>(0, bits);
  std::uint64_t b = *rc::gen::inRange<std::uint64_t>(0, bits);
  return {std::min(a, b), std::max(a, b)};
}

RC_GTEST_PROP(Bitmap, CountsAndFindsAsTheModel, ()) {
  const std::string bytes = some_bytes(300);
  const std::vector<bool> model = spelled(bytes);
  const BitRange range = some_range(bytes);
  std::uint64_t ones = 0;
  std::optional<std::uint64_t> first[2];
  for (std::uint64_t i = range.first; i <= range.last; ++i) {
    ones += model[i];
    if (!first[model[i]]) first[model[i]] = i;
  }
  RC_ASSERT(count_bits(bytes, range) == ones);
  RC_ASSERT(find_bit(bytes, false, range) == first[0]);
  RC_ASSERT(find_bit(bytes, true, range) == first[1]);
  RC_ASSERT(count_bits(bytes) ==
            static_cast<std::uint64_t>(std::count(model.begin(), model.end(), true)));
}

RC_GTEST_PROP(Bitmap, SetsOneBit, ()) {
  std::string bytes = some_bytes(20);
  std::vector<bool> model = spelled(bytes);
  const auto at = *rc::gen::inRange<std::uint64_t>(0, model.size());
  const bool bit = *rc::gen::arbitrary<bool>();
  put_bit(bytes.data(), at, bit);
  model[at] = bit;
  RC_ASSERT(spelled(bytes) == model);
  for (std::uint64_t i = 0; i < model.size(); ++i) RC_ASSERT(get_bit(bytes, i) == model[i]);
  RC_ASSERT(!get_bit(bytes, model.size()));
}

RC_GTEST_PROP(Bitmap, CombinesAsByteByByte, ()) {
  const auto operation = *rc::gen::element(BitOperation::and_, BitOperation::or_,
                                           BitOperation::xor_, BitOperation::not_);
  std::vector<std::string> strings(
      operation == BitOperation::not_ ? 1u : static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
  for (std::string& string : strings) string = some_bytes(40'000);
  std::size_t size = 0;
  for (const std::string& string : strings) size = std::max(size, string.size());
  std::string expected(size, '\0');
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = [&](const std::string& s) { return i < s.size() ? s[i] : '\0'; };
    char byte = at(strings[0]);
    if (operation == BitOperation::not_) byte = static_cast<char>(~byte);
    for (std::size_t s = 1; s < strings.size(); ++s) {
      const char other = at(strings[s]);
      if (operation == BitOperation::and_) byte = static_cast<char>(byte & other);
      if (operation == BitOperation::or_) byte = static_cast<char>(byte | other);
      if (operation == BitOperation::xor_) byte = static_cast<char>(byte ^ other);
    }
    expected[i] = byte;
  }
  const std::vector<std::string_view> sources(strings.begin(), strings.end());
  std::string result(size, 'x');
  combine_bits(operation, sources, result.data(), size);
  RC_ASSERT(result == expected);
}

RC_GTEST_PROP(Bitmap, FieldsReadBackWhatWasPut, ()) {
  std::string bytes = some_bytes(40);
  bytes.resize(bytes.size() + 9);
  BitField field;
  field.is_signed = *rc::gen::arbitrary<bool>();
  field.bits = static_cast<std::uint8_t>(*rc::gen::inRange(1, field.is_signed ? 65 : 64));
  field.position = *rc::gen::inRange<std::uint64_t>(0, bytes.size() * 8 - field.bits + 1);
  const auto value = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t held = *fit_to_field(field, value, Overflow::wrap);
  std::vector<bool> model = spelled(bytes);
  put_field(bytes.data(), field, held);
  RC_ASSERT(get_field(bytes, field) == held);
  for (int i = 0; i < field.bits; ++i) {
    model[field.position + static_cast<std::uint64_t>(i)] = (held >> (field.bits - 1 - i)) & 1;
  }
  RC_ASSERT(spelled(bytes) == model);
}

TEST(Bitmap, FieldsBeyondTheEndReadAsZeros) {
  EXPECT_EQ(get_field("\xff", {4, 8, false}), 0xf0u);
  EXPECT_EQ(get_field("", {1000, 64, true}), 0u);
}

TEST(Bitmap, OverflowOfSignedFields) {
  const BitField i8{0, 8, true};
  EXPECT_EQ(add_to_field(i8, 127, 1, Overflow::wrap), static_cast<std::uint64_t>(-128));
  EXPECT_EQ(add_to_field(i8, 127, 1, Overflow::saturate), 127u);
  EXPECT_EQ(add_to_field(i8, 127, 1, Overflow::fail), std::nullopt);
  EXPECT_EQ(add_to_field(i8, static_cast<std::uint64_t>(-128), INT64_MIN, Overflow::saturate),
            static_cast<std::uint64_t>(-128));
  const BitField i64{0, 64, true};
  EXPECT_EQ(add_to_field(i64, INT64_MAX, INT64_MAX, Overflow::wrap),
            static_cast<std::uint64_t>(-2));
  EXPECT_EQ(add_to_field(i64, INT64_MAX, INT64_MAX, Overflow::saturate),
            static_cast<std::uint64_t>(INT64_MAX));
}

TEST(Bitmap, ANegativeNumberIsTooLargeForAnUnsignedField) {
  const BitField u8{0, 8, false};
  EXPECT_EQ(fit_to_field(u8, static_cast<std::uint64_t>(-1), Overflow::wrap), 255u);
  EXPECT_EQ(fit_to_field(u8, static_cast<std::uint64_t>(-1), Overflow::saturate), 255u);
  EXPECT_EQ(fit_to_field(u8, static_cast<std::uint64_t>(-1), Overflow::fail), std::nullopt);
  EXPECT_EQ(add_to_field(u8, 3, -4, Overflow::saturate), 0u);
  EXPECT_EQ(add_to_field(u8, 3, -4, Overflow::wrap), 255u);
}

}  // namespace
}  // namespace slotcar::types
