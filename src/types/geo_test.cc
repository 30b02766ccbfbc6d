#include "types/geo.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace slotcar::types::geo {
namespace {

const Position kPalermo{13.361389, 38.115556};
const Position kCatania{15.087269, 37.502669};

std::string hash_of(const Position& at) {
  const auto letters = standard_hash(decode(static_cast<double>(encode(at))));
  return {letters.begin(), letters.end()};
}

// The numbers of Redis's own documentation, which clients rely on.
TEST(Geo, TheNumbersAreRedis) {
  EXPECT_EQ(encode(kPalermo), 3479099956230698u);
  EXPECT_EQ(encode(kCatania), 3479447370796909u);
  EXPECT_EQ(hash_of(kPalermo), "sqc8b49rny0");
  EXPECT_EQ(hash_of(kCatania), "sqdtr74hyu0");
  const Position palermo = decode(3479099956230698.0);
  EXPECT_NEAR(palermo.longitude, 13.36138933897018433, 1e-14);
  EXPECT_NEAR(palermo.latitude, 38.11555639549629859, 1e-14);
  EXPECT_NEAR(distance_meters(palermo, decode(3479447370796909.0)), 166274.1516, 0.0001);
}

TEST(Geo, EveryScoreIsSomePlace) {
  constexpr double kInfinity = INFINITY;
  for (const double score : {0.0, -1.0, -1e300, 1e15, 9.3e18, 1e300, kInfinity, -kInfinity, 1.5}) {
    EXPECT_TRUE(is_on_map(decode(score))) << score;
  }
}

// A number between the bounds.
double between(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

RC_GTEST_PROP(Geo, APositionComesBackWithinItsCell, (std::uint64_t seed)) {
  std::mt19937_64 random(seed);
  const Position at{between(random, -180, 180), between(random, -85.05, 85.05)};
  const Position back = decode(static_cast<double>(encode(at)));
  RC_ASSERT(std::abs(back.longitude - at.longitude) <= 360.0 / (1 << 26));
  RC_ASSERT(std::abs(back.latitude - at.latitude) <= 170.2 / (1 << 26));
}

// Every position within the shape is in exactly one of its cells.
RC_GTEST_PROP(Geo, TheCellsCoverTheShape, (std::uint64_t seed, bool box)) {
  std::mt19937_64 random(seed);
  Shape shape;
  shape.center = {between(random, -150, 150), between(random, -60, 60)};
  shape.is_box = box;
  shape.radius_meters = std::exp(between(random, 0, 13));
  shape.width_meters = std::exp(between(random, 0, 13));
  shape.height_meters = std::exp(between(random, 0, 13));
  const Cover found = cover(shape);
  RC_ASSERT(found.count >= 1u && found.count <= 9u);
  const double size =
      (box ? std::max(shape.width_meters, shape.height_meters) / 2 : shape.radius_meters) / 111000;
  int within = 0;
  for (int i = 0; i < 1000 && within < 20; ++i) {
    const Position at{shape.center.longitude + between(random, -2, 2) * size,
                      shape.center.latitude + between(random, -1, 1) * size};
    if (!is_on_map(at)) continue;
    const auto score = static_cast<double>(encode(at));
    if (!shape.distance_within(decode(score))) continue;
    ++within;
    int holding = 0;
    for (std::size_t cell = 0; cell < found.count; ++cell) {
      const ScoreStretch& stretch = found.stretches[cell];
      holding += score >= stretch.from && score < stretch.to ? 1 : 0;
    }
    RC_ASSERT(holding == 1);
  }
}

TEST(Geo, ACircleAndABoxEndWhereTheyShould) {
  Shape circle{.center = {0, 0}, .radius_meters = 1000};
  EXPECT_TRUE(circle.distance_within({0, 0.0089}));
  EXPECT_FALSE(circle.distance_within({0, 0.0091}));
  Shape box{.center = {0, 0}, .is_box = true, .width_meters = 2000, .height_meters = 200};
  EXPECT_TRUE(box.distance_within({0.0089, 0}));
  EXPECT_FALSE(box.distance_within({0.0091, 0}));
  EXPECT_FALSE(box.distance_within({0, 0.002}));
  EXPECT_NEAR(*box.distance_within({0.0089, 0}), 0.0089 * 111226, 1);
}

}  // namespace
}  // namespace slotcar::types::geo
