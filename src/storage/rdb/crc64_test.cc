#include "storage/rdb/crc64.h"

#include <gtest/gtest.h>

#include <string>

namespace slotcar::storage {
namespace {

TEST(Crc64, OfTheUsualNineDigits) {
  EXPECT_EQ(crc64(0, "123456789"), 0xe9c6d914c4b8d9caull);
  EXPECT_EQ(crc64(0, ""), 0u);
}

// Bytes are taken eight at a time; wherever the text is cut, the sum is the same.
TEST(Crc64, GoesOnWhereItWas) {
  std::string text;
  for (int i = 0; i < 100; ++i) text.push_back(static_cast<char>(i * 37));
  const std::uint64_t whole = crc64(0, text);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view view = text;
    EXPECT_EQ(crc64(crc64(0, view.substr(0, cut)), view.substr(cut)), whole);
  }
}

// Long texts are folded, short ones are not; both give the same sum.
TEST(Crc64, OfLongTextsIsThatOfTheirBytes) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text.push_back(static_cast<char>(i * i * 31 >> 3));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view view = std::string_view(text).substr(text.size() - size);
    std::uint64_t one_by_one = 17;
    for (std::size_t i = 0; i < size; ++i) one_by_one = crc64(one_by_one, view.substr(i, 1));
    ASSERT_EQ(crc64(17, view), one_by_one) << size;
  }
}

}  // namespace
}  // namespace slotcar::storage
