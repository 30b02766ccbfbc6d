// Sessions that end half an hour after their last use.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  const std::string session = "example:session:7f3a";
  if (!redis.setex(session, 30min, "user=ann")) return 1;
  // Reading it begins the half hour anew.
  const auto user = redis.getex(session, {.ex = 1800s});
  if (!user || !*user) return 1;
  std::printf("%s, %lld s left\n", (*user)->c_str(), static_cast<long long>(*redis.ttl(session)));
  const auto last = redis.getdel(session);  // log out
  return last && *last && redis.get(session).value() == std::nullopt ? 0 : 1;
}
