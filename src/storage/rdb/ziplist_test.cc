// Bytes as old servers wrote them, and every way in which one byte of them may be wrong.
#include "storage/rdb/ziplist.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "storage/rdb/zipmap.h"

namespace slotcar::storage {
namespace {

// What a walk finds; nothing if the bytes are refused.
template <class Walk>
std::optional<std::vector<std::string>> walked(std::string_view bytes) {
  Walk walk(bytes);
  std::vector<std::string> found;
  for (types::Element element; walk.next(element);) found.push_back(element.copy());
  if (!walk.is_valid()) return std::nullopt;
  return found;
}

using namespace std::string_literals;
using Strings = std::vector<std::string>;

// Entries with a correct header.
std::string ziplist(std::uint16_t count, std::size_t last, const std::string& entries) {
  std::string bytes(10, '\0');
  bytes += entries + "\xff";
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const auto last_offset = static_cast<std::uint32_t>(10 + last);
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + 4, &last_offset, sizeof last_offset);
  std::memcpy(bytes.data() + 8, &count, sizeof count);
  return bytes;
}

TEST(Ziplist, ReadsEveryEncoding) {
  const std::string entries =
      "\x00\x02hi"
      "\x04\xf6"
      "\x02\xfe\xff"
      "\x03\xc0\x2c\x01"
      "\x04\xf0\x90\xee\xfe"
      "\x05\xd0\xa0\x86\x01\x00"
      "\x06\xe0\0\0\0\0\0\1\0\0"s;
  const Strings wanted = {"hi", "5", "-1", "300", "-70000", "100000", "1099511627776"};
  EXPECT_EQ(walked<ZiplistWalk>(ziplist(7, entries.size() - 10, entries)), wanted);
}

TEST(Ziplist, ReadsLongStringsAndLongSizesBefore) {
  const std::string longer(300, 'x');
  const std::string entries = "\x00\x41\x2c"s + longer + "\xfe\x2f\x01\0\0\x03"s + "end";
  EXPECT_EQ(walked<ZiplistWalk>(ziplist(2, 303, entries)), (Strings{longer, "end"}));
  EXPECT_EQ(walked<ZiplistWalk>(ziplist(UINT16_MAX, 303, entries)), (Strings{longer, "end"}));
}

TEST(Ziplist, OfNothing) {
  EXPECT_EQ(walked<ZiplistWalk>(ziplist(0, 0, "")), Strings{});
  EXPECT_EQ(walked<ZiplistWalk>(""), std::nullopt);
  EXPECT_EQ(walked<ZiplistWalk>("\x0a\0\0\0\x0a\0\0\0\0\xff"s), std::nullopt);
}

// Whatever byte is changed: it is refused, or only the bytes of elements differ; never a read past
// the end (checked by the address sanitizer).
TEST(Ziplist, SurvivesAnyChangedByte) {
  const std::string good = ziplist(2, 4, "\x00\x02hi\x04\xc0\x2c\x01"s);
  ASSERT_EQ(walked<ZiplistWalk>(good), (Strings{"hi", "300"}));
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      const std::vector<char> exact(good.begin(), good.end());  // so that no byte may be overread
      std::vector<char> changed = exact;
      changed[at] = static_cast<char>(value);
      const auto found = walked<ZiplistWalk>({changed.data(), changed.size()});
      const bool is_header = at < 8;
      if (changed != exact && is_header) {
        EXPECT_EQ(found, std::nullopt) << at << " " << value;
      }
      if (found) {
        EXPECT_EQ(found->size(), 2u);
      }
    }
  }
}

TEST(Zipmap, ReadsPairs) {
  EXPECT_EQ(walked<ZipmapWalk>("\2\1a\2\0xy\1b\1\3z???\xff"s), (Strings{"a", "xy", "b", "z"}));
  EXPECT_EQ(walked<ZipmapWalk>("\xfe\1a\2\0xy\xff"s), (Strings{"a", "xy"}));
  EXPECT_EQ(walked<ZipmapWalk>("\1\1a\xfe\2\0\0\0\0xy\xff"s), (Strings{"a", "xy"}));
  EXPECT_EQ(walked<ZipmapWalk>("\0\xff"s), Strings{});
}

TEST(Zipmap, RefusesWhatIsNone) {
  EXPECT_EQ(walked<ZipmapWalk>(""s), std::nullopt);
  EXPECT_EQ(walked<ZipmapWalk>("\xff"s), std::nullopt);
  EXPECT_EQ(walked<ZipmapWalk>("\1\1a\2\0xy"s), std::nullopt);
  EXPECT_EQ(walked<ZipmapWalk>("\2\1a\2\0xy\xff"s), std::nullopt);  // one pair, not two
  EXPECT_EQ(walked<ZipmapWalk>("\1\1a\xff"s), std::nullopt);        // no value
  EXPECT_EQ(walked<ZipmapWalk>("\1\1a\5\0xy\xff"s), std::nullopt);  // too long
  EXPECT_EQ(walked<ZipmapWalk>("\1\1a\1\5x\xff"s), std::nullopt);   // too much unused
  EXPECT_EQ(walked<ZipmapWalk>("\1\xfe\xff\xff\xff\xff\xff"s), std::nullopt);
}

}  // namespace
}  // namespace slotcar::storage
