// Places on the earth as scores of a sorted set: longitude and latitude, 26 bits each, interleaved
// to 52 bits, which a double holds exactly. Places near each other then mostly have scores near
// each other: a cell of the grid, of any size, is one range of scores. The numbers are Redis's, to
// the last bit: the grid's bounds, the radius of the earth, the way in which distances are computed
// and the order in which cells are searched, because clients see all of these in their results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace slotcar::types::geo {

inline constexpr double kLongitudeMax = 180;
inline constexpr double kLatitudeMax = 85.05112878;  // where Mercator's map ends
inline constexpr double kEarthRadiusMeters = 6372797.560856;

struct Position {
  double longitude = 0;
  double latitude = 0;
};

inline bool is_on_map(const Position& at) {
  return at.longitude >= -kLongitudeMax && at.longitude <= kLongitudeMax &&
         at.latitude >= -kLatitudeMax && at.latitude <= kLatitudeMax;
}

// The score of a position on the map, and the middle of the cell of a score. (A score that is not a
// position maps to the same place as in Redis.)
std::uint64_t encode(const Position& at);
Position decode(double score);

// The eleven letters of geohash.org, whose grid goes to the poles.
std::array<char, 11> standard_hash(const Position& at);

double distance_meters(const Position& a, const Position& b);

// The search area: a circle, or a box whose sides are parallel to the meridians and parallels.
struct Shape {
  Position center;
  bool is_box = false;
  double radius_meters = 0;
  double width_meters = 0;
  double height_meters = 0;

  // The distance to the center, if the position is inside.
  std::optional<double> distance_within(const Position& at) const;
};

// Scores from `from` up to, not including, `to`.
struct ScoreStretch {
  double from = 0;
  double to = 0;
};

// The cells that cover the shape (the one with its center first), as score ranges; nine at most.
struct Cover {
  std::array<ScoreStretch, 9> stretches;
  std::size_t count = 0;
};
Cover cover(const Shape& shape);

}  // namespace slotcar::types::geo
