// Take from the stock only if there is enough: a script decides where the data is.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

const Script& reserve() {
  static const Script script(R"(
    local left = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
    if left < tonumber(ARGV[2]) then return -1 end
    return redis.call('HINCRBY', KEYS[1], ARGV[1], -ARGV[2])
  )");
  return script;
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  redis.hset("example:stock", {{"chair", 3}}).value();
  const auto first = reserve().run<std::int64_t>(client, "example:stock", {"chair", 2});
  const auto second = reserve().run<std::int64_t>(client, "example:stock", {"chair", 2});
  if (!first || !second) return 1;
  std::printf("left %lld, then %lld\n", static_cast<long long>(*first),
              static_cast<long long>(*second));
  return *first == 1 && *second == -1 ? 0 : 1;
}
