// Flags that are read on every request and change once a week: they are kept in memory, and the
// server says when they change.
#include <cstdio>
#include <string>
#include <thread>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  const std::string uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379";
  Client writer({.uri = uri});
  Cache flags({.uri = uri}, {.entries_max = 1000});
  Redis redis(writer);
  redis.hset("example:flags", {{"new-page", "off"}}).value();
  for (int i = 0; i < 100; ++i) (void)flags.hget("example:flags", "new-page");
  std::printf("%llu of 100 without the server\n",
              static_cast<unsigned long long>(flags.metrics().hits));
  redis.hset("example:flags", {{"new-page", "on"}}).value();
  for (int i = 0; i < 1000; ++i) {  // until the server's message has come
    if (flags.hget<std::string>("example:flags", "new-page").value_or("") == "on") return 0;
    std::this_thread::sleep_for(5ms);
  }
  return 1;
}
