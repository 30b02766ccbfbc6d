#include "storage/rdb/lzf.h"

#include <gtest/gtest.h>
#include <liblzf/lzf.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "storage/rdb/lzf_packer.h"

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

// Our packer is not the library's; the library must unpack its output to the same bytes.
RC_GTEST_PROP(Lzf, UnpacksAsTheLibraryDoes, ()) {
  auto packed = *rc::gen::nonEmpty(rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::inRange<char>(0, 6),
                     rc::gen::element<char>(' ', '\x40', '\xe0', '\x60'))));
  const auto size = *rc::gen::inRange<std::size_t>(1, 400);
  std::string ours(size, '\0');
  std::string theirs(size, '\0');
  const unsigned got = lzf_decompress(packed.data(), static_cast<unsigned>(packed.size()),
                                      theirs.data(), static_cast<unsigned>(size));
  if (got > 0 && got < size) {  // it stops before the end, so ours gets the smaller size
    theirs.resize(got);
    ours.resize(got);
  }
  RC_ASSERT(lzf_unpack(packed, ours.data(), ours.size()) == (got == theirs.size()));
  if (got == theirs.size()) RC_ASSERT(ours == theirs);
}

// One after the other, as a snapshot does: leftovers of earlier texts must not matter.
RC_GTEST_PROP(LzfPacker, IsReadByTheLibrary, ()) {
  LzfPacker packer;
  std::string packed;
  for (int texts = 0; texts < 10; ++texts) {
    const auto part = *rc::gen::container<std::string>(rc::gen::inRange('a', 'd'));
    std::string bytes;
    for (int times = *rc::gen::inRange(0, 1000); times >= 0; --times) bytes += part;
    bytes += *rc::gen::arbitrary<std::string>();
    if (!packer.pack(bytes, packed)) continue;
    RC_ASSERT(packed.size() + 4 <= bytes.size());
    std::string out(bytes.size(), '\0');
    RC_ASSERT(lzf_unpack(packed, out.data(), out.size()));
    RC_ASSERT(out == bytes);
  }
}

TEST(LzfPacker, PacksAboutAsWellAsTheLibrary) {
  LzfPacker packer;
  std::string text;
  for (int i = 0; i < 500; ++i) text += "field" + std::to_string(i) + " value:" + std::to_string(i);
  std::string ours;
  std::string theirs;
  ASSERT_TRUE(packer.pack(text, ours));
  ASSERT_TRUE(lzf_pack(text, theirs));
  EXPECT_LT(ours.size(), theirs.size() * 12 / 10);
  ASSERT_TRUE(packer.pack(std::string(64, 'x'), ours));
  EXPECT_LT(ours.size(), 12u);
  EXPECT_FALSE(packer.pack("abcdefghijklmnopqrstuvwxyz", ours));
  EXPECT_FALSE(packer.pack("", ours));
}

}  // namespace
}  // namespace slotcar::storage
