// RateLimiter: at most so many events per time and name, counted on the server for all programs.
//
//   RateLimiter limiter(client, "api", {.events = 100, .per = 60s, .burst = 20});
//   auto decision = limiter.ask("user:7");
//   if (decision && !decision->allowed) wait(decision->retry_after);
//
// Events are spread evenly (100 in 60 s: one every 600 ms), and `burst` of them may come at once. A
// name is one key that holds one time and expires when its allowance is full again (the generic
// cell rate algorithm). The time is the server's, so that the clocks of the programs do not matter.
//
// If the outcome of a call is unknown the event may have been counted; it is not counted twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "slotcar/client.h"
#include "slotcar/task.h"

namespace slotcar::client {

struct RateLimit {
  std::int64_t events = 1;
  Millis per{1'000};
  std::int64_t burst = 1;  // how many may come at once
};

class RateLimiter {
 public:
  struct Decision {
    bool allowed = false;
    std::int64_t remaining = 0;               // events that would be allowed now
    std::chrono::microseconds retry_after{};  // if it was not allowed: when it would be
  };

  // Keys are `rate:NAME:WHO`.
  RateLimiter(Client& client, std::string name, RateLimit limit);

  // `cost`: as many events as this one counts for. More than `burst` is never allowed: a usage
  // error.
  Result<Decision> ask(std::string_view who, std::int64_t cost = 1);
  Task<Result<Decision>> ask_call(std::string who, std::int64_t cost = 1);

 private:
  Status check(std::int64_t cost) const;
  std::string key_of(std::string_view who) const {
    return "rate:" + name_ + ":" + std::string(who);
  }
  static Result<Decision> take(Result<Reply>&& reply);

  Client* client_;
  std::string name_;
  RateLimit limit_;
};

}  // namespace slotcar::client
