#include "storage/lzf.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace slotcar::storage {
namespace {

TEST(Lzf, PacksWhatRepeats) {
  const std::string text(1000, 'x');
  std::string packed = "before";
  ASSERT_TRUE(lzf_pack(text, packed));
  EXPECT_EQ(packed.substr(0, 6), "before");
  EXPECT_LT(packed.size(), 40u);
  std::string out(text.size(), '\0');
  ASSERT_TRUE(lzf_may_unpack_to(packed.size() - 6, out.size()));
  ASSERT_TRUE(lzf_unpack(std::string_view(packed).substr(6), out.data(), out.size()));
  EXPECT_EQ(out, text);
}

TEST(Lzf, LeavesAloneWhatDoesNot) {
  std::string packed = "before";
  EXPECT_FALSE(lzf_pack("abcdefghijklmnopqrstuvwxyz", packed));
  EXPECT_FALSE(lzf_pack("abc", packed));
  EXPECT_FALSE(lzf_pack("", packed));
  EXPECT_EQ(packed, "before");
}

TEST(Lzf, AsksBeforeItBelieves) {
  EXPECT_FALSE(lzf_may_unpack_to(0, 5));
  EXPECT_FALSE(lzf_may_unpack_to(3, 0));
  EXPECT_FALSE(lzf_may_unpack_to(30, 1'000'000));
  EXPECT_TRUE(lzf_may_unpack_to(3, 264));
  std::string out(9, '\0');
  EXPECT_FALSE(lzf_unpack("\xe0\x01\xff", out.data(), out.size()));  // before the beginning
  EXPECT_FALSE(
      lzf_unpack("\x02"
                 "ab",
                 out.data(), out.size()));
}

RC_GTEST_PROP(Lzf, UnpacksWhatItPacked, ()) {
  // Few different bytes, so that there is something to find.
  const auto bytes = *rc::gen::container<std::string>(rc::gen::inRange('a', 'd'));
  std::string packed;
  if (!lzf_pack(bytes, packed)) return;
  RC_ASSERT(packed.size() + 4 <= bytes.size());
  RC_ASSERT(lzf_may_unpack_to(packed.size(), bytes.size()));
  std::string out(bytes.size(), '\0');
  RC_ASSERT(lzf_unpack(packed, out.data(), out.size()));
  RC_ASSERT(out == bytes);
  RC_ASSERT(!lzf_unpack(packed, out.data(), out.size() - 1));
}

}  // namespace
}  // namespace slotcar::storage
