#include "storage/crc64.h"

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

}  // namespace
}  // namespace slotcar::storage
