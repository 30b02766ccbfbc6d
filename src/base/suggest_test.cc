#include "base/suggest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

namespace slotcar::base {
namespace {

TEST(EditDistance, CountsTheFourMistakes) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("port", "port"), 0u);
  EXPECT_EQ(edit_distance("PORT", "port"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("prt", "port"), 1u);
  EXPECT_EQ(edit_distance("poort", "port"), 1u);
  EXPECT_EQ(edit_distance("part", "port"), 1u);
  EXPECT_EQ(edit_distance("prot", "port"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

RC_GTEST_PROP(EditDistance, IsSymmetricAndBounded, (const std::string& a, const std::string& b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT(distance >= std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
}

TEST(Suggest, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 5> kNames = {"port", "maxmemory", "maxmemory-policy",
                                                      "maxclients", "io"};
  EXPECT_EQ(suggest("maxmemroy", kNames), "maxmemory");
  EXPECT_EQ(suggest("MaxMemory-Polciy", kNames), "maxmemory-policy");
  EXPECT_EQ(suggest("maxclient", kNames), "maxclients");
  EXPECT_EQ(suggest("prt", kNames), "port");
  EXPECT_EQ(suggest("ip", kNames), "io");
  EXPECT_EQ(suggest("appendonly", kNames), std::nullopt);
  EXPECT_EQ(suggest("", kNames), std::nullopt);
  EXPECT_EQ(suggest(std::string(100'000, 'a'), kNames), std::nullopt);
  EXPECT_EQ(suggest("port", {}), std::nullopt);
}

}  // namespace
}  // namespace slotcar::base
