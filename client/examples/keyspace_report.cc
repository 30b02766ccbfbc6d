// How many keys of which kind, found page by page.
#include <cstdio>
#include <map>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  redis.set("example:report:text", "x").value();
  redis.rpush("example:report:list", {1, 2}).value();
  std::map<std::string, int> kinds;
  auto keys = redis.scan_keys({.match = "example:report:*", .count = 100});
  for (const std::string& key : keys) ++kinds[redis.type(key).value_or("gone")];
  if (!keys.status()) return std::puts(keys.status().error().message.c_str()), 1;
  for (const auto& [kind, number] : kinds) std::printf("%s: %d\n", kind.c_str(), number);
  return kinds["string"] >= 1 && kinds["list"] >= 1 ? 0 : 1;
}
