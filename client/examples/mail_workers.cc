// Two workers share the entries of a stream by a consumer group, with plain commands.
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

namespace {

int work(Redis redis, const std::string& name) {
  int done = 0;
  for (;;) {
    const auto batch =
        redis.xreadgroup("senders", name, "example:mails", ">", {.count = 10, .block = 20ms});
    if (!batch || !*batch) return done;  // nothing came for a while
    for (const auto& [stream, entries] : **batch) {
      for (const StreamEntry& entry : entries) {
        if (redis.xack(stream, "senders", entry.id)) ++done;
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:mails");
  redis.xgroup_create("example:mails", "senders", "0", {.mkstream = true}).value();
  for (int i = 0; i < 50; ++i) redis.xadd("example:mails", "*", {{"to", "ann"}}).value();
  int done[2] = {};
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i) {
    workers.emplace_back([&, i] { done[i] = work(redis, "worker" + std::to_string(i)); });
  }
  for (std::thread& worker : workers) worker.join();
  std::printf("%d and %d mails\n", done[0], done[1]);
  return done[0] + done[1] == 50 ? 0 : 1;
}
