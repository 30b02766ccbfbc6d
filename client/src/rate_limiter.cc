#include "slotcar/rate_limiter.h"

#include "slotcar/script.h"

namespace slotcar::client {
namespace {

// KEYS: the time at which the allowance would be full again. ARGV: microseconds per event, the
// tolerance (of a whole burst), the cost. All numbers are below 2^53, where Lua's are exact.
const Script& gcra() {
  static const Script script(R"(
local time = redis.call('time')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = tonumber(redis.call('get', KEYS[1]) or now)
if full < now then full = now end
local after = full + interval * tonumber(ARGV[3])
local over = after - now - tolerance
if over > 0.5 then
  return {0, math.floor((tolerance - (full - now)) / interval + 0.000001), math.ceil(over)}
end
redis.call('set', KEYS[1], string.format('%.3f', after), 'px', math.ceil((after - now) / 1000))
return {1, math.floor((tolerance - (after - now)) / interval + 0.000001), 0})");
  return script;
}

}  // namespace

RateLimiter::RateLimiter(Client& client, std::string name, RateLimit limit)
    : client_(&client), name_(std::move(name)), limit_(limit) {}

Status RateLimiter::check(std::int64_t cost) const {
  const auto usage = [](const char* text) {
    return Error{Error::Kind::usage, Error::Ran::no, text};
  };
  if (limit_.events < 1 || limit_.per.count() < 1 || limit_.burst < 1) {
    return usage("a rate limit needs events, a time and a burst");
  }
  if (cost < 1 || cost > limit_.burst) return usage("the cost must be from 1 to the burst");
  return {};
}

Result<RateLimiter::Decision> RateLimiter::take(Result<Reply>&& reply) {
  auto said = detail::decode_result<std::tuple<bool, std::int64_t, std::int64_t>>(std::move(reply));
  if (!said) return said.error();
  const auto [allowed, remaining, later] = *said;
  return Decision{allowed, remaining, std::chrono::microseconds(later)};
}

Result<RateLimiter::Decision> RateLimiter::ask(std::string_view who, std::int64_t cost) {
  if (Status good = check(cost); !good) return good.error();
  const double interval =
      static_cast<double>(limit_.per.count()) * 1000 / static_cast<double>(limit_.events);
  return take(gcra().run(*client_, key_of(who),
                         {interval, interval * static_cast<double>(limit_.burst), cost}));
}

Task<Result<RateLimiter::Decision>> RateLimiter::ask_call(std::string who, std::int64_t cost) {
  const std::string key = key_of(who);
  if (Status good = check(cost); !good) co_return good.error();
  const double interval =
      static_cast<double>(limit_.per.count()) * 1000 / static_cast<double>(limit_.events);
  auto call =
      gcra().call(*client_, key, {interval, interval * static_cast<double>(limit_.burst), cost});
  co_return take(co_await std::move(call));
}

}  // namespace slotcar::client
