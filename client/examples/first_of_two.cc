// A job from the queue, or an order to stop: what comes first ends the wait for the other.
#include <cstdio>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

namespace {

using Job = Result<std::optional<std::pair<std::string, std::string>>>;

Task<Job> next_job(Client& client, std::stop_token stop) {
  auto call = AsyncRedis(client, {.stop = stop}).blpop("example:jobs", 30s);
  co_return co_await std::move(call);
}
Task<std::optional<Message>> next_order(Subscriber& orders, std::stop_token stop) {
  co_return co_await orders.next_call(30s, stop);
}
Task<std::size_t> wait_for_one(Client& client, Subscriber& orders) {
  auto first = co_await when_any([&](std::stop_token stop) { return next_job(client, stop); },
                                 [&](std::stop_token stop) { return next_order(orders, stop); });
  co_return first.index();
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  Redis redis(client);
  Subscriber orders = client.subscriber();
  if (!orders.subscribe("example:orders")) return 1;
  redis.rpush("example:jobs", "a job").value();
  const std::size_t job = sync_wait(wait_for_one(client, orders));
  redis.publish("example:orders", "stop").value();
  const std::size_t order = sync_wait(wait_for_one(client, orders));
  std::printf("a job (%zu), then an order (%zu)\n", job, order);
  return job == 0 && order == 1 ? 0 : 1;
}
