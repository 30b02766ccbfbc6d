// A stream that keeps about the last thousand events, and a reader that continues where it was.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:events");
  for (int i = 0; i < 20; ++i) {
    const auto id = redis.xadd(
        "example:events", "*", {{"kind", "login"}, {"user", i}},
        {.trim = {{.operator_ = commands::XaddOperator::approximately, .threshold = "1000"}}});
    if (!id || !*id) return 1;
  }
  StreamReader reader(client, {{"example:events", "0"}});
  int seen = 0;
  while (auto event = *reader.next(10ms)) {
    if (event->entry.fields.size() == 2) ++seen;
  }
  const auto first = *redis.xrange("example:events", "-", "+", {.count = 1});
  std::printf("%d events since %s\n", seen, first.at(0).id.c_str());
  return seen == 20 ? 0 : 1;
}
