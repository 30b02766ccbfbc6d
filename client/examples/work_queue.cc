// A work queue on a stream: three workers share it, and what a worker that died had taken comes to
// another one.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  constexpr int kJobs = 50;
  std::atomic<int> done{0};
  std::vector<std::thread> workers;
  for (int w = 0; w < 3; ++w) {
    workers.emplace_back([&client, &done, w] {
      WorkQueue queue(client, "example:jobs", {.worker = "worker" + std::to_string(w)});
      while (done < kJobs) {
        auto job = queue.take(Millis(50));
        if (!job) {
          std::fprintf(stderr, "%s\n", job.error().message.c_str());
          return;
        }
        if (*job && queue.finish(**job).value_or(false)) ++done;
      }
    });
  }
  WorkQueue queue(client, "example:jobs");
  for (int i = 0; i < kJobs; ++i) {
    if (!queue.push({{"number", i}})) return 1;
  }
  for (std::thread& worker : workers) worker.join();
  std::printf("%d jobs done\n", done.load());
  (void)Redis(client).del("example:jobs");
  return done == kJobs ? 0 : 1;
}
