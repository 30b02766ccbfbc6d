// Shared by the geo commands: reading coordinates, units and members, and replying with positions.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "commands/zset/sorted_set_value.h"
#include "types/geo.h"

namespace slotcar::commands {

inline constexpr std::string_view kNoUnit =
    "ERR unsupported unit provided. please use M, KM, FT, MI";

// Meters in one unit.
inline double read_unit(ArgReader& args) {
  if (args.accept("m")) return 1;
  if (args.accept("km")) return 1000;
  if (args.accept("ft")) return 0.3048;
  if (args.accept("mi")) return 1609.34;
  args.fail(kNoUnit);
  return 1;
}

// Longitude and latitude. The error text contains them, so it is made in `error`.
inline types::geo::Position read_position(ArgReader& args, std::string& error) {
  types::geo::Position at;
  at.longitude = args.real();
  at.latitude = args.real();
  if (args.failed() || is_on_map(at)) return at;
  char text[800];  // numbers of up to 309 digits are printed in full
  const int size = std::snprintf(text, sizeof text, "ERR invalid longitude,latitude pair %f,%f",
                                 at.longitude, at.latitude);
  error.assign(text, static_cast<std::size_t>(size));
  args.fail(error);
  return at;
}

inline void reply_position(resp::ReplyWriter& reply, const types::geo::Position& at) {
  reply.array(2);
  reply.real_text(base::print_long_double(at.longitude));
  reply.real_text(base::print_long_double(at.latitude));
}

// Four decimals, as text in both protocols.
inline void reply_distance(resp::ReplyWriter& reply, double distance) {
  char text[400];
  const int size = std::snprintf(text, sizeof text, "%.4f", distance);
  reply.bulk(std::string_view(text, static_cast<std::size_t>(size)));
}

}  // namespace slotcar::commands
