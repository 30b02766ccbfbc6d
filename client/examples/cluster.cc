// A cluster looks the same: keys are routed to their nodes, redirects are followed.
//   cluster redis-cluster://127.0.0.1:7000
#include <cstdio>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis-cluster://127.0.0.1:7000", .lanes = 2});
  if (Status ready = client.wait_ready(); !ready) {
    std::fprintf(stderr, "%s\n", ready.error().message.c_str());
    return 1;
  }
  Request write("MSET");
  Request read("MGET");
  for (int i = 0; i < 20; ++i) {
    const std::string key = "example:" + std::to_string(i);
    write.key(key).arg(i);
    read.key(key);
  }
  // The keys are on several nodes: only with `split` may the client split the command.
  if (auto wrote = client.run(write, {.split = true}); !wrote) {
    std::fprintf(stderr, "%s\n", wrote.error().message.c_str());
    return 1;
  }
  auto values = client.run(read, {.split = true});
  std::int64_t sum = 0;
  for (const Reply& value : values->items()) sum += *value.as_integer();
  std::printf("%lld\n", static_cast<long long>(sum));
  return sum == 190 ? 0 : 1;
}
