#include "types/geo.h"

#include <algorithm>
#include <cmath>

namespace slotcar::types::geo {

namespace {

constexpr int kStepsMax = 26;  // bits of each coordinate
constexpr double kPi = 3.14159265358979323846;
constexpr double kRadiansPerDegree = kPi / 180.0;
// Half the circumference of the earth on Mercator's map.
constexpr double kMapMetersMax = 20037726.37;

double radians(double degrees) {
  return degrees * kRadiansPerDegree;
}
double degrees(double radians) {
  return radians / kRadiansPerDegree;
}

// --- bits --------------------------------------------------------------------------------------

// The bits of `value` at the even places.
std::uint64_t spread(std::uint64_t value) {
  value = (value | value << 16) & 0x0000ffff0000ffff;
  value = (value | value << 8) & 0x00ff00ff00ff00ff;
  value = (value | value << 4) & 0x0f0f0f0f0f0f0f0f;
  value = (value | value << 2) & 0x3333333333333333;
  return (value | value << 1) & 0x5555555555555555;
}
std::uint64_t gather(std::uint64_t value) {
  value &= 0x5555555555555555;
  value = (value | value >> 1) & 0x3333333333333333;
  value = (value | value >> 2) & 0x0f0f0f0f0f0f0f0f;
  value = (value | value >> 4) & 0x00ff00ff00ff00ff;
  value = (value | value >> 8) & 0x0000ffff0000ffff;
  return (value | value >> 16) & 0x00000000ffffffff;
}

// As the processor converts a double to 64 bits, negative and too big ones included.
std::uint64_t whole_number(double value) {
  constexpr double kHalf = 9223372036854775808.0;
  constexpr std::uint64_t kTopBit = 1ull << 63;
  if (value >= kHalf) return value < 2 * kHalf ? static_cast<std::uint64_t>(value) : 0;
  return value >= -kHalf ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : kTopBit;
}

// --- cells -------------------------------------------------------------------------------------

// A cell of the grid that halves both coordinates `steps` times; x from the west, y from the south.
struct Cell {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};
struct Area {
  double west, east, south, north;
};

std::uint32_t index_of(double value, double max, int steps) {
  const double offset = (value + max) / (max + max) * static_cast<double>(1ull << steps);
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(offset));
}

Cell cell_at(const Position& at, double latitude_max, int steps) {
  return {index_of(at.longitude, kLongitudeMax, steps), index_of(at.latitude, latitude_max, steps)};
}

std::uint64_t bits_of(const Cell& cell) {
  return spread(cell.y) | spread(cell.x) << 1;
}

double edge(std::uint32_t index, double max, int steps) {
  return -max + static_cast<double>(index) / static_cast<double>(1ull << steps) * (max + max);
}

Area area_of(const Cell& cell, int steps) {
  return {edge(cell.x, kLongitudeMax, steps), edge(cell.x + 1, kLongitudeMax, steps),
          edge(cell.y, kLatitudeMax, steps), edge(cell.y + 1, kLatitudeMax, steps)};
}

// --- covering ----------------------------------------------------------------------------------

int steps_for(double radius, double latitude) {
  if (radius == 0) return kStepsMax;
  int steps = 1;
  while (radius < kMapMetersMax) {
    radius *= 2;
    ++steps;
  }
  steps -= 2;  // so that the neighbour cells reach far enough in most cases
  if (std::abs(latitude) > 66) --steps;  // towards the poles cells are narrower
  if (std::abs(latitude) > 80) --steps;
  return std::clamp(steps, 1, kStepsMax);
}

Area bounds_of(const Shape& shape) {
  const double height = shape.is_box ? shape.height_meters / 2 : shape.radius_meters;
  const double width = shape.is_box ? shape.width_meters / 2 : shape.radius_meters;
  const double latitude = shape.center.latitude;
  const double longitude = shape.center.longitude;
  const double up = degrees(height / kEarthRadiusMeters);
  const auto sideways = [&](double at) {
    return degrees(width / kEarthRadiusMeters / std::cos(radians(at)));
  };
  // The side nearer to the pole spans more degrees.
  const double side = latitude < 0 ? sideways(latitude - up) : sideways(latitude + up);
  return {longitude - side, longitude + side, latitude - up, latitude + up};
}

// The cell `dx` to the east and `dy` to the north; the grid wraps around in both directions.
// (Without a step nothing wraps: the edge of the map itself is a cell beyond the last.)
Cell neighbour(const Cell& cell, int dx, int dy, int steps) {
  const auto mask = static_cast<std::uint32_t>((1ull << steps) - 1);
  const auto step = [mask](std::uint32_t index, int by) {
    return by == 0 ? index : (index + static_cast<std::uint32_t>(by)) & mask;
  };
  return {step(cell.x, dx), step(cell.y, dy)};
}

// In the order in which they are searched.
struct Direction {
  int dx;
  int dy;
};
constexpr std::array<Direction, 9> kDirections = {
    {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};

// Whether the neighbour cells reach as far as the shape.
bool reaches(const Cell& middle, const Area& bounds, int steps) {
  return area_of(neighbour(middle, 0, 1, steps), steps).north >= bounds.north &&
         area_of(neighbour(middle, 0, -1, steps), steps).south <= bounds.south &&
         area_of(neighbour(middle, 1, 0, steps), steps).east >= bounds.east &&
         area_of(neighbour(middle, -1, 0, steps), steps).west <= bounds.west;
}

// Whether the shape ends within the middle cell on that side.
bool is_needless(const Direction& to, const Area& middle, const Area& bounds) {
  return (to.dy < 0 && middle.south < bounds.south) || (to.dy > 0 && middle.north > bounds.north) ||
         (to.dx < 0 && middle.west < bounds.west) || (to.dx > 0 && middle.east > bounds.east);
}

}  // namespace

// --- positions ---------------------------------------------------------------------------------

std::uint64_t encode(const Position& at) {
  return bits_of(cell_at(at, kLatitudeMax, kStepsMax));
}

Position decode(double score) {
  const std::uint64_t bits = whole_number(score);
  const Area area = area_of(
      {static_cast<std::uint32_t>(gather(bits >> 1)), static_cast<std::uint32_t>(gather(bits))},
      kStepsMax);
  return {std::clamp((area.west + area.east) / 2, -kLongitudeMax, kLongitudeMax),
          std::clamp((area.south + area.north) / 2, -kLatitudeMax, kLatitudeMax)};
}

std::array<char, 11> standard_hash(const Position& at) {
  constexpr char kLetters[] = "0123456789bcdefghjkmnpqrstuvwxyz";
  const std::uint64_t bits = bits_of(cell_at(at, 90, kStepsMax));
  std::array<char, 11> hash{};
  // 52 bits make ten letters; there are no bits for an eleventh.
  for (std::size_t i = 0; i < 10; ++i) hash[i] = kLetters[bits >> (52 - (i + 1) * 5) & 31];
  hash[10] = '0';
  return hash;
}

double distance_meters(const Position& a, const Position& b) {
  const double latitude_a = radians(a.latitude);
  const double latitude_b = radians(b.latitude);
  const double v = std::sin((radians(b.longitude) - radians(a.longitude)) / 2);
  if (v == 0) return kEarthRadiusMeters * std::abs(latitude_b - latitude_a);
  const double u = std::sin((latitude_b - latitude_a) / 2);
  const double square = u * u + std::cos(latitude_a) * std::cos(latitude_b) * v * v;
  return 2.0 * kEarthRadiusMeters * std::asin(std::sqrt(square));
}

// --- shapes ------------------------------------------------------------------------------------

std::optional<double> Shape::distance_within(const Position& at) const {
  if (!is_box) {
    const double distance = distance_meters(center, at);
    if (distance > radius_meters) return std::nullopt;
    return distance;
  }
  const double up = kEarthRadiusMeters * std::abs(radians(at.latitude) - radians(center.latitude));
  if (up > height_meters / 2) return std::nullopt;
  const double sideways = distance_meters(at, {center.longitude, at.latitude});
  if (sideways > width_meters / 2) return std::nullopt;
  return distance_meters(center, at);
}

Cover cover(const Shape& shape) {
  const Area bounds = bounds_of(shape);
  const double radius = shape.is_box
                            ? std::sqrt((shape.width_meters / 2) * (shape.width_meters / 2) +
                                        (shape.height_meters / 2) * (shape.height_meters / 2))
                            : shape.radius_meters;
  int steps = steps_for(radius, shape.center.latitude);
  Cell middle = cell_at(shape.center, kLatitudeMax, steps);
  if (steps > 1 && !reaches(middle, bounds, steps)) {
    --steps;
    middle = cell_at(shape.center, kLatitudeMax, steps);
  }
  const Area area = area_of(middle, steps);
  const int unused = 2 * (kStepsMax - steps);

  Cover found;
  std::optional<std::uint64_t> before;
  for (const Direction& to : kDirections) {
    const bool is_middle = to.dx == 0 && to.dy == 0;
    if (!is_middle && steps >= 2 && is_needless(to, area, bounds)) continue;
    const std::uint64_t bits = bits_of(neighbour(middle, to.dx, to.dy, steps));
    // In a coarse grid several neighbours may be the same cell.
    if (before == bits) continue;
    before = bits;
    found.stretches[found.count++] = {static_cast<double>(bits << unused),
                                      static_cast<double>((bits + 1) << unused)};
  }
  return found;
}

}  // namespace slotcar::types::geo
