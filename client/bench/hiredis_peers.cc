// The client library beside hiredis, in one process and one run, against one server:
//   blocking   8 threads, one Client for all; 8 threads with a hiredis connection each
//   pipelined  1,000 calls in flight on one Client; 8 hiredis connections on which
//              64 commands at a time are written and read by hand
// Throughput and CPU of this process per call, round by round, the two sides in turn.
//   hiredis_peers PORT [seconds per round] [rounds]
#include <hiredis/hiredis.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

namespace {

using namespace slotcar::client;
using Clock = std::chrono::steady_clock;

int kThreads = 8;
constexpr int kDepth = 64;
constexpr int kInFlight = 1'000;
const std::string kValue(64, 'v');

double cpu_seconds() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

std::string key_of(int thread, int i) {
  return "peers:" + std::to_string((thread * 7919 + i) % 10'000);
}

Request request_of(int thread, int i) {
  const std::string key = key_of(thread, i);
  return i % 2 == 0 ? Request("SET").key(key).arg(kValue) : Request("GET").key(key);
}

void append(redisContext* context, int thread, int i) {
  const std::string key = key_of(thread, i);
  if (i % 2 == 0) {
    redisAppendCommand(context, "SET %b %b", key.data(), key.size(), kValue.data(), kValue.size());
  } else {
    redisAppendCommand(context, "GET %b", key.data(), key.size());
  }
}

struct Round {
  double per_second = 0;
  double cpu_us = 0;
};

// `work` runs on each thread until it is stopped, and returns how many calls it made.
Round measure(double seconds, const std::function<long(int, const std::atomic<bool>&)>& work) {
  std::atomic<bool> stop{false};
  std::atomic<long> calls{0};
  const double cpu = cpu_seconds();
  const auto started = Clock::now();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { calls += work(t, stop); });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  const double took = std::chrono::duration<double>(Clock::now() - started).count();
  const auto count = static_cast<double>(calls.load());
  return {count / took, (cpu_seconds() - cpu) * 1e6 / count};
}

long blocking_lanes(Client& client, int thread, const std::atomic<bool>& stop) {
  long calls = 0;
  for (int i = 0; !stop; ++i, ++calls) {
    if (!client.run(request_of(thread, i))) std::abort();
  }
  return calls;
}

// Chains of calls, the next one when the last is answered; as many chains as calls in flight.
struct Chain {
  void next() {
    if (stop) {
      left.fetch_sub(1);
      return;
    }
    client.call(request_of(thread, i++)).then([this](const Result<Reply>& reply) {
      if (!reply) std::abort();
      ++calls;
      next();
    });
  }
  Client& client;
  const std::atomic<bool>& stop;
  std::atomic<int>& left;
  int thread;
  int i = 0;
  long calls = 0;
};

long pipelined_lanes(Client& client, int thread, const std::atomic<bool>& stop) {
  const int kChains = kInFlight / kThreads;
  std::atomic<int> left{kChains};
  std::vector<Chain> chains;
  for (int c = 0; c < kChains; ++c) chains.push_back({client, stop, left, thread, c * 1000});
  for (Chain& chain : chains) chain.next();
  while (left > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  long calls = 0;
  for (const Chain& chain : chains) calls += chain.calls;
  return calls;
}

long hiredis(int port, int depth, int thread, const std::atomic<bool>& stop) {
  redisContext* context = redisConnect("127.0.0.1", port);
  if (!context || context->err) std::abort();
  long calls = 0;
  for (int i = 0; !stop;) {
    for (int d = 0; d < depth; ++d) append(context, thread, i++);
    for (int d = 0; d < depth; ++d, ++calls) {
      void* reply = nullptr;
      if (redisGetReply(context, &reply) != REDIS_OK) std::abort();
      freeReplyObject(reply);
    }
  }
  redisFree(context);
  return calls;
}

void compare(const char* name, int rounds, const std::function<Round()>& ours,
             const std::function<Round()>& theirs) {
  for (int i = 0; i < rounds; ++i) {
    const Round a = ours();
    const Round b = theirs();
    std::printf("%-10s lanes %8.0f/s %5.2f us   hiredis %8.0f/s %5.2f us   ratio %.2f, CPU %.2f\n",
                name, a.per_second, a.cpu_us, b.per_second, b.cpu_us, a.per_second / b.per_second,
                a.cpu_us / b.cpu_us);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int port = argc > 1 ? std::atoi(argv[1]) : 6379;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  if (argc > 4) kThreads = std::atoi(argv[4]);
  Client client({.uri = "redis://127.0.0.1:" + std::to_string(port), .lanes = 8});
  if (!client.wait_ready()) return 1;
  const auto lanes = [&](auto work) {
    return measure(seconds,
                   [&, work](int t, const std::atomic<bool>& s) { return work(client, t, s); });
  };
  const auto plain = [&](int depth) {
    return measure(seconds,
                   [=](int t, const std::atomic<bool>& s) { return hiredis(port, depth, t, s); });
  };
  compare(
      "blocking", rounds, [&] { return lanes(blocking_lanes); }, [&] { return plain(1); });
  compare(
      "pipelined", rounds, [&] { return lanes(pipelined_lanes); }, [&] { return plain(kDepth); });
  return 0;
}
