// A bank transfer: read, decide, write, only if the accounts did not change in between.
#include <cstdio>
#include <thread>
#include <vector>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

// The braces put both accounts into one slot, so that it works in a cluster as well.
constexpr const char* kFrom = "example:{bank}:from";
constexpr const char* kTo = "example:{bank}:to";

Status transfer(Client& client, std::int64_t amount) {
  for (;;) {
    auto transaction = client.transaction();
    if (!transaction) return transaction.error();
    if (Status watched = transaction->watch({kFrom, kTo}); !watched) return watched;
    auto reply = transaction->run(Request("GET").key(kFrom));
    if (!reply) return reply.error();
    auto balance = reply->as_integer();
    if (!balance) return balance.error();
    if (*balance < amount) return {};  // the watch ends with the object
    (void)transaction->queue(Request("DECRBY").key(kFrom).arg(amount));
    (void)transaction->queue(Request("INCRBY").key(kTo).arg(amount));
    auto done = transaction->exec();
    if (done) return {};
    // Another client was faster, or the slot has moved: nothing was done, and it can be retried.
    // Anything else, above all an unknown outcome, is for the caller to decide.
    const auto kind = done.error().kind;
    if (kind != Error::Kind::aborted && kind != Error::Kind::moved) return done.error();
  }
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  if (!redis.set(kFrom, "100") || !redis.set(kTo, "0")) return 1;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&client] {
      for (int i = 0; i < 10; ++i) {
        if (Status done = transfer(client, 3); !done) {
          std::fprintf(stderr, "%s\n", done.error().message.c_str());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto from = redis.incrby(kFrom, 0);
  const auto to = redis.incrby(kTo, 0);
  std::printf("%lld + %lld\n", static_cast<long long>(*from), static_cast<long long>(*to));
  (void)redis.del({kFrom, kTo});
  return *from == 1 && *to == 99 ? 0 : 1;
}
