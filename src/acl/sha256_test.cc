#include "acl/sha256.h"

#include <gtest/gtest.h>

namespace slotcar::acl {
namespace {

// The examples of FIPS 180-4, and one on each side of every boundary of the padding.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, EveryLengthAroundABlock) {
  // Of all lengths of 'x' from 0 to 130, one after the other: what sha256sum says of their digests.
  std::string digests;
  for (std::size_t size = 0; size <= 130; ++size) digests += sha256_hex(std::string(size, 'x'));
  EXPECT_EQ(sha256_hex(digests),
            "87aca1c44bc7ba8897768170211f0a02063de70801131ff86c7edb9ce32c6a50");
}

}  // namespace
}  // namespace slotcar::acl
