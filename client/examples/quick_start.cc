// Quick start: one client for the whole process, shared by all threads.
//   quick_start redis://127.0.0.1:6379
#include <cstdio>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379", .lanes = 8});
  Redis redis(client);

  if (auto set = redis.set("example:greeting", "hello"); !set) {
    std::fprintf(stderr, "%s\n", set.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", redis.get("example:greeting")->value_or("(nothing)").c_str());

  // Any command: keys are marked as keys, so that lanes and clusters can route it.
  auto length = client.run(Request("STRLEN").key("example:greeting"));
  std::printf("%lld bytes\n", static_cast<long long>(*length->as_integer()));

  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&redis] {
      for (int i = 0; i < 100; ++i) (void)redis.incr("example:counter");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("counted %lld\n", static_cast<long long>(*redis.incrby("example:counter", 0)));
  (void)redis.del({"example:greeting", "example:counter"});
  return 0;
}
