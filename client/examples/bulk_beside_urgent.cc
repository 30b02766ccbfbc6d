// Long answers have lanes of their own, so that short ones do not wait behind them.
#include <cstdio>
#include <string>
#include <thread>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Options options{.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379", .lanes = 2};
  options.groups = {{.name = "bulk", .lanes = 1}};
  Client client(std::move(options));
  Redis urgent(client);
  Redis bulk = urgent.with({.timeout = 30s, .group = "bulk"});
  if (!urgent.set("example:big", std::string(1'000'000, 'x'))) return 1;
  std::thread reports([bulk]() mutable {
    for (int i = 0; i < 20; ++i) (void)bulk.get("example:big");
  });
  int good = 0;
  for (int i = 0; i < 200; ++i) good += urgent.incr("example:clicks").ok();
  reports.join();
  std::printf("%d clicks; %s", good,
              client.metrics().prometheus().empty() ? "" : "see the metrics\n");
  return good == 200 ? 0 : 1;
}
