// How many different visitors, in 12 KB for any number of them.
#include <cstdio>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.unlink({"example:monday", "example:tuesday", "example:week"});
  std::vector<std::string> visitors;
  for (int i = 0; i < 1000; ++i) visitors.push_back("visitor" + std::to_string(i));
  redis.pfadd("example:monday", visitors).value();
  redis.pfadd("example:tuesday", {"visitor1", "visitor2", "a new one"}).value();
  redis.pfmerge("example:week", {"example:monday", "example:tuesday"}).value();
  const std::int64_t about = *redis.pfcount("example:week");
  std::printf("about %lld visitors\n", static_cast<long long>(about));
  return about > 950 && about < 1050 ? 0 : 1;
}
