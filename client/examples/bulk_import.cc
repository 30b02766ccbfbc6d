// Ten thousand keys in batches: one write and one wait for five hundred requests.
#include <cstdio>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  std::vector<Request> batch;
  int failed = 0;
  const auto send = [&] {
    for (const Result<Reply>& reply : client.run_batch(std::exchange(batch, {}))) failed += !reply;
  };
  for (int i = 0; i < 10'000; ++i) {
    batch.push_back(Request("SET").key("example:import:" + std::to_string(i)).arg(i));
    if (batch.size() == 500) send();
  }
  send();
  Redis redis(client);
  std::printf("%d failed, the last is %d\n", failed, *redis.get<int>("example:import:9999"));
  return failed;
}
