#include "slotcar/lock.h"

#include <random>
#include <thread>

#include "slotcar/script.h"

namespace slotcar::client {
namespace detail {

struct LockIdentity {
  Client& client;
  std::string key;
  std::string fence;
  LockOptions options;
};

}  // namespace detail

namespace {

using Clock = std::chrono::steady_clock;

// KEYS: the lock, the counter of tokens. ARGV: the owner, the lease in milliseconds. The same owner
// that asks again (the first answer was lost) gets the same token. Only the owner changes the
// counter, so its token is the counter's value.
const Script& acquire() {
  static const Script script(R"(
local owner = redis.call('get', KEYS[1])
if owner == ARGV[1] then
  redis.call('pexpire', KEYS[1], ARGV[2])
  return tonumber(redis.call('get', KEYS[2]))
end
if owner then return false end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return redis.call('incr', KEYS[2]))");
  return script;
}

const Script& prolong() {
  static const Script script(R"(
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2]))");
  return script;
}

const Script& give_back() {
  static const Script script(R"(
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1]))");
  return script;
}

std::string random_owner() {
  std::random_device device;
  std::string owner;
  for (int i = 0; i < 4; ++i) owner += std::to_string(device()) + ".";
  return owner;
}

// When the lease surely ends later on the server: it began after it was asked for. One per cent for
// clocks that run at different speeds.
Clock::time_point safe_end(Clock::time_point asked, Millis lease) {
  return asked + lease - lease / 100 - Millis(2);
}

// May be sent again: asking twice does the same as asking once.
CallOptions repeatable() {
  return {.retry = true};
}

Error lost() {
  return {Error::Kind::aborted, Error::Ran::no, "the lease had ended; the lock is lost"};
}

}  // namespace

Lock::Lock(std::shared_ptr<const detail::LockIdentity> identity, std::string owner,
           std::int64_t token, Clock::time_point until)
    : identity_(std::move(identity)), owner_(std::move(owner)), token_(token), until_(until) {}

Lock::~Lock() {
  if (!identity_) return;
  // Its text, since nothing waits for a NOSCRIPT.
  identity_->client
      .call(Request("EVAL")
                .arg("if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end")
                .arg(1)
                .key(identity_->key)
                .arg(owner_),
            repeatable())
      .detach();
}

Lock& Lock::operator=(Lock&& other) noexcept {
  if (this == &other) return *this;
  {
    // Releases the one that is overwritten.
    const Lock old(std::move(*this));
  }
  identity_ = std::move(other.identity_);
  owner_ = std::move(other.owner_);
  token_ = other.token_;
  until_ = other.until_;
  return *this;
}

Status Lock::take_extended(Result<Reply>&& reply, Clock::time_point asked) {
  auto done = detail::decode_result<bool>(std::move(reply));
  if (!done) return done.error();
  if (!*done) {
    identity_ = nullptr;
    return lost();
  }
  until_ = safe_end(asked, identity_->options.lease);
  return {};
}

Status Lock::take_released(Result<Reply>&& reply, bool again) {
  auto done = detail::decode_result<bool>(std::move(reply));
  if (!done) return done.error();  // the destructor tries once more; the lease ends by itself
  identity_ = nullptr;
  if (!*done && !again) return lost();
  return {};
}

Status Lock::extend() {
  if (!identity_) return lost();
  const auto asked = Clock::now();
  return take_extended(prolong().run(identity_->client, identity_->key,
                                     {owner_, identity_->options.lease.count()}, repeatable()),
                       asked);
}

Task<Status> Lock::extend_call() {
  if (!identity_) co_return lost();
  const auto asked = Clock::now();
  auto call = prolong().call(identity_->client, identity_->key,
                             {owner_, identity_->options.lease.count()}, repeatable());
  co_return take_extended(co_await std::move(call), asked);
}

// The first time it is not repeated by the client: it would not find the lock again, and say that
// it was lost. If its outcome is unknown it is sent again, and then finding nothing is as good.
Status Lock::release() {
  if (!identity_) return lost();
  const auto ask = [&](CallOptions options) {
    return give_back().run(identity_->client, identity_->key, owner_, std::move(options));
  };
  Result<Reply> first = ask({});
  const bool again = !first && first.error().ran == Error::Ran::unknown;
  return take_released(again ? ask(repeatable()) : std::move(first), again);
}

Task<Status> Lock::release_call() {
  if (!identity_) co_return lost();
  auto call = give_back().call(identity_->client, identity_->key, owner_);
  Result<Reply> reply = co_await std::move(call);
  const bool again = !reply && reply.error().ran == Error::Ran::unknown;
  if (again) {
    auto second = give_back().call(identity_->client, identity_->key, owner_, repeatable());
    reply = co_await std::move(second);
  }
  co_return take_released(std::move(reply), again);
}

// The braces put both keys into one slot of a cluster.
LockName::LockName(Client& client, const std::string& name, LockOptions options)
    : identity_(std::make_shared<const detail::LockIdentity>(
          client, "lock:{" + name + "}", "lock:{" + name + "}:fence", options)) {}

Result<std::optional<Lock>> LockName::take(Result<Reply>&& reply, const std::string& owner,
                                           Clock::time_point asked) {
  const auto until = safe_end(asked, identity_->options.lease);
  auto token = detail::decode_result<std::optional<std::int64_t>>(std::move(reply));
  if (!token) {
    // It may be held now, by an owner that does not know it: the object releases it.
    if (token.error().ran != Error::Ran::no) Lock(identity_, owner, 0, until);
    return token.error();
  }
  if (!*token) return std::optional<Lock>();
  return std::optional<Lock>(Lock(identity_, owner, **token, until));
}

Result<std::optional<Lock>> LockName::try_lock() {
  const std::string owner = random_owner();
  const auto asked = Clock::now();
  return take(acquire().run(identity_->client, {identity_->key, identity_->fence},
                            {owner, identity_->options.lease.count()}, repeatable()),
              owner, asked);
}

Task<Result<std::optional<Lock>>> LockName::try_lock_call() {
  const std::string owner = random_owner();
  const auto asked = Clock::now();
  auto call = acquire().call(identity_->client, {identity_->key, identity_->fence},
                             {owner, identity_->options.lease.count()}, repeatable());
  co_return take(co_await std::move(call), owner, asked);
}

Result<Lock> LockName::lock(Millis at_most) {
  const auto until = Clock::now() + at_most;
  std::minstd_rand dice(std::random_device{}());
  for (;;) {
    auto lock = try_lock();
    if (!lock) return lock.error();
    if (*lock) return std::move(**lock);
    // Half of it at random, so that programs that wait do not ask at the same time.
    const std::int64_t pause = identity_->options.retry_after.count() * 1000;
    const auto next =
        Clock::now() +
        std::chrono::microseconds(pause / 2 + static_cast<std::int64_t>(dice()) % (pause + 1));
    if (next >= until) {
      return Error{Error::Kind::timeout, Error::Ran::no, "another one has the lock"};
    }
    std::this_thread::sleep_until(next);
  }
}

}  // namespace slotcar::client
