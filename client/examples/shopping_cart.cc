// A cart: numbers of things, which is forgotten after a day.
#include <cstdio>
#include <map>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  const std::string cart = "example:cart:42";
  (void)redis.del(cart);
  auto [apples, pears, expires] =
      redis.pipeline(commands::hincrby(cart, "apple", 3), commands::hincrby(cart, "pear", 1),
                     commands::expire(cart, 24h));
  if (!apples || !pears || !expires) return 1;
  if (*redis.hincrby(cart, "pear", -1) == 0) (void)redis.hdel(cart, "pear");
  const auto things = *redis.hgetall<std::map<std::string, int>>(cart);
  for (const auto& [name, number] : things) std::printf("%d x %s\n", number, name.c_str());
  return things == std::map<std::string, int>{{"apple", 3}} ? 0 : 1;
}
