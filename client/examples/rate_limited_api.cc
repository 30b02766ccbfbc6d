// At most five requests at once per user, then one per second.
#include <cstdio>
#include <string>

#include "slotcar/slotcar.h"

using namespace slotcar::client;
using namespace std::chrono_literals;

int main(int argc, char** argv) {
  Client client({.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379"});
  RateLimiter limiter(client, "example", {.events = 1, .per = 1s, .burst = 5});
  (void)Redis(client).del("rate:example:ann");
  int served = 0;
  for (int i = 0; i < 20; ++i) {
    const auto decision = limiter.ask("ann");
    if (!decision) return std::puts(decision.error().message.c_str()), 1;
    if (decision->allowed) {
      ++served;
    } else if (served == 5) {
      std::printf("429, retry after %lld us\n",
                  static_cast<long long>(decision->retry_after.count()));
      return 0;
    }
  }
  std::printf("%d served\n", served);
  return served >= 5 ? 0 : 1;
}
