// A cache in this process that the server keeps fresh: reads of a key that did not change need no
// call.
#include <cstdio>
#include <thread>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  const std::string uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379";
  Client writer({.uri = uri, .lanes = 1});
  Redis redis(writer);
  if (!redis.set("example:price", 10)) return 1;
  Cache cache({.uri = uri}, {.entries_max = 10'000});
  for (int i = 0; i < 1'000; ++i) {
    if (cache.get<int>("example:price").value_or(0) != 10) return 1;
  }
  if (!redis.set("example:price", 11)) return 1;
  // Until the invalidation has arrived, the old price may be returned.
  while (cache.get<int>("example:price").value_or(0) != 11) std::this_thread::yield();
  const CacheMetrics metrics = cache.metrics();
  std::printf("%llu answers of the cache, %llu of the server\n",
              static_cast<unsigned long long>(metrics.hits),
              static_cast<unsigned long long>(metrics.misses));
  (void)redis.del("example:price");
  return metrics.hits >= 999 ? 0 : 1;
}
