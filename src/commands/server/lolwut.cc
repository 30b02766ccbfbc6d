// LOLWUT [VERSION version]
//
// A slot-car track with as many lanes as there is room for, and cars on it, never the same twice.
#include <fmt/format.h>

#include "base/ascii.h"
#include "commands/declare.h"
#include "console/version.h"
#include "node/node.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kTrackLength = 64;
constexpr int kLanes = 4;

std::string draw(Call& call) {
  const std::string rail = " " + std::string(kTrackLength, '=') + "\n";
  std::string picture = rail;
  for (int lane = 1; lane <= kLanes; ++lane) {
    constexpr std::string_view kCar = "o[##]o>";
    std::string line(kTrackLength, '-');
    const std::size_t at = call.random().below(kTrackLength - kCar.size() + 1);
    line.replace(at, kCar.size(), kCar);
    picture += std::to_string(lane) + line + "|\n";
  }
  return picture + rail;
}

void lolwut(node::Node&, Call& call) {
  if (call.size() >= 3 && base::equals_ignoring_case(call.arg(1), "VERSION") &&
      !base::parse_int64(call.arg(2))) {
    return call.reply().error(schema::kNotInteger);
  }
  call.reply().verbatim(
      fmt::format("{}\nNobody waits behind somebody else.\nSlotcar ver. {}\nRedis ver. {}\n",
                  draw(call), console::kVersion, console::kRedisVersion));
}

}  // namespace

extern constinit const Command server_lolwut{.name = "LOLWUT",
                                             .summary = "Draws something, and tells the version.",
                                             .since = "5.0.0",
                                             .syntax = "[VERSION version]",
                                             .group = Group::server,
                                             .arity = at_least(1),
                                             .access = Access::readonly | Access::fast,
                                             .runs = schema::on_node(lolwut)};

}  // namespace slotcar::commands
