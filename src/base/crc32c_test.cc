#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace slotcar::base {
namespace {

// The vectors of RFC 3720, B.4, and the usual check value.
TEST(Crc32c, IsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(Crc32c, GoesOnWhereItStopped) {
  const std::string text = "what is acknowledged survives";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text));
  }
}

TEST(Crc32c, LongRunsAreSummedSideBySideToTheSame) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text.push_back(static_cast<char>(i * i + i / 7));
  std::uint32_t by_byte = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    ASSERT_EQ(crc32c(std::string_view(text).substr(0, size)), by_byte) << size;
    ASSERT_EQ(crc32c_by_tables(std::string_view(text).substr(0, size)), by_byte) << size;
    by_byte = crc32c(std::string_view(text).substr(size, 1), by_byte);
  }
}

}  // namespace
}  // namespace slotcar::base
