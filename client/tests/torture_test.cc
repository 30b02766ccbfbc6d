// No wrong answers: many threads increment, read back, run transactions, block, time out and cancel
// while the server is killed and started again, over and over. At the end every reply belonged to
// its caller, no call hung, and the counter lies between what was acknowledged and that plus what
// was reported as possibly done. Typed calls, pipelines, coroutines and a cache are in the mixture.
//
// The counter only grows, so the cache is wrong if a read that begins after another one has ended,
// on any thread, returns less: then an entry outlived its invalidation. And it is wrong if it lacks
// what was acknowledged longer ago than an entry may be old.
//
// SLOTCAR_TORTURE_SECONDS sets the length; the default is short enough for every run of the tests.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Torture {
 public:
  static constexpr Millis kAgeMax{1'500};
  explicit Torture(const std::string& uri)
      : client_({.uri = uri}), cache_({.uri = uri}, {.age_max = kAgeMax}) {}

  void work(int number) {
    std::mt19937 dice(static_cast<unsigned>(number));
    const std::string own = "own:" + std::to_string(number);
    Own own_key{own};
    for (int i = 0; !stopping_; ++i) {
      switch (dice() % 12) {
        case 0:
          count(client_.run(Request("INCR").key("counter")), 1);
          break;
        case 1:
          typed_increment();
          break;
        case 2:
          increment_by_transaction();
          break;
        case 3:
          echo(own + ":" + std::to_string(i));
          break;
        case 4:
          // Nothing is ever pushed: the answer is null, or an error.
          expect_null(client_.run(Request("BLPOP").key("nothing").arg(0.01)));
          break;
        case 5:
          typed_pipeline(own + ":" + std::to_string(i));
          break;
        case 6:
          sync_wait(awaited_transaction());
          break;
        case 7:
        case 8:
          read_cached([this] { return cache_.get<Number>("counter"); });
          break;
        case 9:
          read_cached([this] { return sync_wait(awaited_from_cache()); });
          break;
        case 10:
          sync_wait(awaited_together(own + ":" + std::to_string(i)));
          break;
        default:
          cancelled_or_late(dice(), own_key);
      }
    }
  }
  void stop() { stopping_ = true; }

  // How a change of the counter ended.
  template <class T>
  void count(const Result<T>& result, std::int64_t amount) {
    if (result) {
      acknowledged_ += amount;
    } else if (result.error().ran != Error::Ran::no) {
      EXPECT_NE(result.error().kind, Error::Kind::server) << result.error().message;
      unknown_ += amount;
    }
    ++calls_;
  }

  Client client_;
  Cache cache_;
  std::atomic<std::int64_t> acknowledged_{0};
  std::atomic<std::int64_t> unknown_{0};
  std::atomic<std::int64_t> calls_{0};
  std::atomic<std::int64_t> cached_{0};

 private:
  void increment_by_transaction() {
    auto transaction = client_.transaction();
    ASSERT_TRUE(transaction.ok());
    if (!transaction->watch({"counter"})) return;
    auto before = transaction->run(Request("GET").key("counter"));
    if (!before) return;
    const std::int64_t value = before->is_null() ? 0 : *before->as_integer();
    ASSERT_TRUE(transaction->queue(Request("SET").key("counter").arg(value + 1)).ok());
    count(transaction->exec(), 1);
  }
  void typed_increment() {
    const auto value = Redis(client_).incr("counter");
    count(value, 1);
    if (value) acknowledged_now(*value);
  }
  void typed_pipeline(const std::string& text) {
    auto [added, said] = Redis(client_).pipeline(commands::incr("counter"), commands::echo(text));
    count(added, 1);
    if (added) acknowledged_now(*added);
    if (said) {
      EXPECT_EQ(*said, text);
    }
    ++calls_;
  }
  // Two calls at the same time, and a pipeline behind them.
  Task<> awaited_together(std::string text) {
    AsyncRedis redis(client_);
    auto [added, said] = co_await when_all(redis.incr("counter"), redis.echo(text));
    count(added, 1);
    if (added) acknowledged_now(*added);
    if (said) {
      EXPECT_EQ(*said, text);
    }
    auto [again, more] =
        co_await redis.pipeline(commands::echo(text + "!"), commands::incr("counter"));
    if (again) {
      EXPECT_EQ(*again, text + "!");
    }
    count(more, 1);
    calls_ += 2;
  }
  Task<> awaited_transaction() {
    auto transaction = client_.transaction();
    if (!transaction) co_return;
    Status watched = co_await transaction->watch_call("counter");
    if (!watched) co_return;
    auto before = co_await transaction->call(commands::get<std::optional<std::int64_t>>("counter"));
    if (!before) co_return;
    count(co_await transaction->exec_call(commands::set("counter", before->value_or(0) + 1)), 1);
  }
  using Number = std::optional<std::int64_t>;
  Task<Result<Number>> awaited_from_cache() {
    co_return co_await cache_.call(commands::get<Number>("counter"));
  }
  template <class Read>
  void read_cached(Read read) {
    const std::int64_t seen = highest_cached_;
    const std::int64_t due = acknowledged_before(Clock::now() - kAgeMax);
    const Result<Number> value = read();
    ++calls_;
    if (!value) return;
    const std::int64_t now = value->value_or(0);
    EXPECT_GE(now, seen) << "the cache went back";
    EXPECT_GE(now, due) << "the cache is older than it may be";
    std::int64_t highest = highest_cached_;
    while (highest < now && !highest_cached_.compare_exchange_weak(highest, now)) {
    }
    ++cached_;
  }
  // What the counter had reached when, for `acknowledged_before`.
  void acknowledged_now(std::int64_t value) {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (!reached_.empty() &&
        (value <= reached_.back().second || now - reached_.back().first < 20ms)) {
      return;
    }
    reached_.emplace_back(now, value);
    while (now - reached_.front().first > 10 * kAgeMax) reached_.pop_front();
  }
  std::int64_t acknowledged_before(Clock::time_point time) {
    const std::lock_guard lock(mutex_);
    std::int64_t value = 0;
    for (const auto& [when, reached] : reached_) {
      if (when > time) break;
      value = reached;
    }
    return value;
  }
  // Every answer belongs to its question.
  void echo(const std::string& text) {
    const auto reply = client_.run(Request("ECHO").arg(text));
    if (reply) {
      EXPECT_EQ(reply->text(), text);
    }
    ++calls_;
  }
  void expect_null(const Result<Reply>& reply) {
    if (reply) {
      EXPECT_TRUE(reply->is_null()) << reply->describe();
    }
    ++calls_;
  }
  // A key that only one thread writes.
  struct Own {
    std::string key;
    std::int64_t tried = 0;
    std::int64_t written = 0;             // the last value that was acknowledged
    std::set<std::int64_t> unknown = {};  // values that may have been written, or may be yet
  };
  // A call that often ends early, and others behind it that must not get its answer.
  void cancelled_or_late(std::uint32_t random, Own& own) {
    if (random % 2 == 0) {
      count(client_.run(Request("INCR").key("counter"), {.timeout = Millis(1)}), 1);
    } else {
      std::stop_source stop;
      auto call = client_.call(Request("INCR").key("counter"), {.stop = stop.get_token()}).future();
      stop.request_stop();
      count(call.get(), 1);
    }
    write_own(own);
    read_own(own);
    echo("after " + own.key);
  }
  void write_own(Own& own) {
    const std::int64_t value = ++own.tried;
    const auto set = client_.run(Request("SET").key(own.key).arg(value));
    if (set) {
      own.written = value;
    } else if (set.error().ran != Error::Ran::no) {
      own.unknown.insert(value);
    }
    ++calls_;
  }
  void read_own(const Own& own) {
    const auto read = client_.run(Request("GET").key(own.key));
    ++calls_;
    if (!read) return;
    const std::int64_t value = read->is_null() ? 0 : *read->as_integer();
    EXPECT_TRUE(value == own.written || own.unknown.contains(value))
        << own.key << " is " << value << ", written was " << own.written;
  }

  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> highest_cached_{0};
  std::mutex mutex_;
  std::deque<std::pair<Clock::time_point, std::int64_t>> reached_;  // with the mutex
};

TEST(Torture, AServerKilledAndStartedAgain) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const char* length = std::getenv("SLOTCAR_TORTURE_SECONDS");
  const auto until = Clock::now() + std::chrono::seconds(length ? std::atoi(length) : 5);
  RedisServer server({"--save", "", "--appendonly", "yes", "--appendfsync", "always"});
  Torture torture(server.uri("?lanes=4&timeout=2s&reconnect-min=5ms&reconnect-max=50ms"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) threads.emplace_back([&torture, t] { torture.work(t); });
  while (Clock::now() < until) {
    std::this_thread::sleep_for(700ms);
    server.kill_now();
    std::this_thread::sleep_for(50ms);
    server.start();
  }
  torture.stop();
  // No call hangs: all of them end within their timeouts, or this test fails.
  std::atomic<bool> joined{false};
  std::thread guard([&joined] {
    for (int i = 0; i < 6'000 && !joined; ++i) std::this_thread::sleep_for(10ms);
    if (!joined) {
      std::fprintf(stderr, "a call hangs\n");
      std::abort();
    }
  });
  for (std::thread& thread : threads) thread.join();
  joined = true;
  guard.join();
  const auto counter =
      torture.client_.run(Request("INCRBY").key("counter").arg(0), {.timeout = 20s});
  ASSERT_TRUE(counter.ok()) << counter.error().message;
  const std::int64_t value = *counter->as_integer();
  EXPECT_GE(value, torture.acknowledged_);
  EXPECT_LE(value, torture.acknowledged_ + torture.unknown_);
  EXPECT_GT(torture.calls_, 0);
  const CacheMetrics cache = torture.cache_.metrics();
  EXPECT_GT(cache.hits, 0);
  EXPECT_GT(cache.flushes, 0);
  std::printf(
      "%lld calls, counter %lld, acknowledged %lld, unknown %lld; %lld cached reads, %llu hits\n",
      static_cast<long long>(torture.calls_), static_cast<long long>(value),
      static_cast<long long>(torture.acknowledged_), static_cast<long long>(torture.unknown_),
      static_cast<long long>(torture.cached_), static_cast<unsigned long long>(cache.hits));
}

}  // namespace
}  // namespace slotcar::client
