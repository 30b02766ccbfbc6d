// One bit per user and day: who came on both days?
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del({"example:day:1", "example:day:2", "example:both"});
  for (const int user : {1, 5, 1000}) redis.setbit("example:day:1", user, 1).value();
  for (const int user : {5, 1000, 2000}) redis.setbit("example:day:2", user, 1).value();
  redis.bitop(commands::BitopOperation::and_, "example:both", {"example:day:1", "example:day:2"})
      .value();
  const std::int64_t both = *redis.bitcount("example:both");
  std::printf("%lld users came on both days\n", static_cast<long long>(both));
  return both == 2 && *redis.getbit("example:both", 5) ? 0 : 1;
}
