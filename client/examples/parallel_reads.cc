// A hundred keys at the same time, by a coroutine that waits once.
#include <cstdio>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

Task<std::int64_t> total(AsyncRedis redis, int keys) {
  std::vector<TypedPending<std::optional<std::int64_t>>> calls;
  for (int i = 0; i < keys; ++i) {
    calls.push_back(redis.get<std::optional<std::int64_t>>("example:part:" + std::to_string(i)));
  }
  std::int64_t sum = 0;
  for (const auto& value : co_await when_all(std::move(calls))) {
    if (value) sum += value->value_or(0);
  }
  co_return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  for (int i = 0; i < 100; ++i) redis.set("example:part:" + std::to_string(i), i).value();
  const std::int64_t sum = sync_wait(total(AsyncRedis(client), 100));
  std::printf("%lld\n", static_cast<long long>(sum));
  return sum == 4950 ? 0 : 1;
}
