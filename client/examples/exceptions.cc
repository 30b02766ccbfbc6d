// The throwing form: values without checks, and one place for what goes wrong.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  ThrowingRedis redis(client);
  try {
    redis.set("example:name", "ann");
    const std::string name = redis.get("example:name").value_or("nobody");
    auto [length, copied] = redis.pipeline(commands::strlen("example:name"),
                                           commands::copy("example:name", "example:copy"));
    std::printf("%s, %lld letters, copied: %d\n", name.c_str(), static_cast<long long>(length),
                copied);
    redis.incr("example:name");
  } catch (const RedisError& e) {
    std::printf("%s\n", e.what());
    return e.error().ran == Error::Ran::yes || e.error().kind == Error::Kind::server ? 0 : 1;
  }
  return 1;
}
