// Jobs for later: a sorted set by time, from which one worker takes what is due.
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<std::vector<std::string>> due_jobs(Redis redis) {
  auto due = redis.zrangebyscore("example:later", "-inf", now_ms(), {.limit = {{0, 10}}});
  if (!due) return due;
  std::vector<std::string> mine;
  for (std::string& job : *due) {
    const auto removed = redis.zrem("example:later", job);  // 0: another worker was faster
    if (removed && *removed == 1) mine.push_back(std::move(job));
  }
  return mine;
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  (void)redis.del("example:later");
  redis.zadd("example:later", {{now_ms() - 1000, "send the bill"}, {now_ms() + 60'000, "remind"}})
      .value();
  const auto jobs = due_jobs(redis);
  if (!jobs) return 1;
  for (const std::string& job : *jobs) std::puts(job.c_str());
  return jobs->size() == 1 && *redis.zcard("example:later") == 1 ? 0 : 1;
}
