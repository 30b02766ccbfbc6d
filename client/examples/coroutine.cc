// Coroutines: calls are awaited, and no thread waits. They resume on the client's I/O thread.
#include <cstdio>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

Task<Result<std::int64_t>> visit(Client& client, std::string page) {
  auto count = co_await client.call(Request("INCR").key("example:visits:" + page));
  if (!count) co_return count.error();
  auto expires = co_await client.call(Request("EXPIRE").key("example:visits:" + page).arg(60));
  if (!expires) co_return expires.error();
  co_return count->as_integer();
}

Task<Result<std::int64_t>> visit_three_times(Client& client) {
  for (int i = 0; i < 2; ++i) {
    auto visited = co_await visit(client, "home");
    if (!visited) co_return visited;
  }
  co_return co_await visit(client, "home");
}

}  // namespace

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  auto visits = sync_wait(visit_three_times(client));
  if (!visits) {
    std::fprintf(stderr, "%s\n", visits.error().message.c_str());
    return 1;
  }
  std::printf("visited %lld times\n", static_cast<long long>(*visits));
  return 0;
}
