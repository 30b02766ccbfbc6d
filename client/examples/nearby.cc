// Shops around a place, the nearest first, with their distance.
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  const std::vector<std::tuple<double, double, std::string>> shops = {
      {13.361389, 38.115556, "Palermo"}, {15.087269, 37.502669, "Catania"}, {12.5, 41.9, "Rome"}};
  redis.geoadd("example:shops", shops).value();
  commands::GeosearchOptions around;
  around.fromlonlat = commands::GeosearchLongitudeLatitude{15, 37};
  around.circle = commands::GeosearchCircle{200, commands::GeosearchUnit::km};
  around.order = commands::GeosearchOrder::asc;
  const auto found = *redis.geosearch("example:shops", with_distances, around);
  for (const auto& [name, km] : found) std::printf("%s: %.0f km\n", name.c_str(), km);
  return found.size() == 2 && found[0].first == "Catania" ? 0 : 1;
}
