// A work queue: workers wait in BLPOP, each on a connection of its own; lanes stay free.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Commands redis(client);
  constexpr int kJobs = 50;
  std::atomic<int> done{0};
  std::vector<std::thread> workers;
  for (int w = 0; w < 3; ++w) {
    workers.emplace_back([&] {
      while (done < kJobs) {
        auto job = redis.blpop("example:jobs", Millis(50));
        if (!job) {
          std::fprintf(stderr, "%s\n", job.error().message.c_str());
          return;
        }
        if (*job) ++done;
      }
    });
  }
  for (int i = 0; i < kJobs; ++i) {
    if (!redis.rpush("example:jobs", std::to_string(i))) return 1;
  }
  for (std::thread& worker : workers) worker.join();
  std::printf("%d jobs done\n", done.load());
  return done == kJobs ? 0 : 1;
}
