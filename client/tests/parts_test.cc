// The ready-made parts, each against what can go wrong: scripts that the server has forgotten,
// leases that end, workers that die, connections that are closed all the time.
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

#include "connection_killer.h"
#include "eventually.h"
#include "fake_server.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class Parts : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    client_ = std::make_unique<Client>(
        Options{.uri = server_->uri("?lanes=2&timeout=10s&reconnect-min=1ms&reconnect-max=5ms")});
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> client_;
};

// ------------------------------------------------------------ scripts
TEST_F(Parts, AScriptIsSentWithItsTextWhereItIsNotKnown) {
  const Script add("return redis.call('incrby', KEYS[1], ARGV[1])");
  EXPECT_EQ(add.digest(),
            *Redis(*client_).script_load("return redis.call('incrby', KEYS[1], ARGV[1])"));
  ASSERT_TRUE(Redis(*client_).script_flush().ok());
  EXPECT_EQ(*add.run<int>(*client_, "n", 5), 5);
  EXPECT_EQ(*Redis(*client_).script_exists(add.digest()), std::vector<bool>{true});
  EXPECT_EQ(*sync_wait(add.call<int>(*client_, "n", 5)), 10);
  server_->kill_now();
  server_->start();
  EXPECT_TRUE(sync_wait(add.call<int>(*client_, "n", 7)).ok()) << "forgotten with the old server";
  const Script words("return {KEYS[1], KEYS[2], ARGV[1], #KEYS, #ARGV}");
  EXPECT_EQ((*words.run<std::vector<std::string>>(*client_, {"{k}a", "{k}b"}, {"x", 2})),
            (std::vector<std::string>{"{k}a", "{k}b", "x", "2", "2"}));
  EXPECT_EQ((*words.run<std::vector<std::string>>(*client_, {"{k}a", "{k}b"}, {"x", 2})),
            (std::vector<std::string>{"{k}a", "{k}b", "x", "2", "2"}));
  const Script fails("return redis.error_reply('MINE it failed')");
  EXPECT_EQ(fails.run(*client_).error().code(), "MINE");
  const Script reads("return redis.call('set', KEYS[1], 1)", Script::read_only);
  EXPECT_FALSE(reads.run(*client_, "k").ok());
}

TEST(ScriptWords, AreTheSameWithTheTextInTheDigestsPlace) {
  const std::uint16_t port = free_port();
  std::mutex mutex;
  std::vector<FakeServer::Words> seen;
  const FakeServer server(port, [&](const FakeServer::Words& words, const FakeServer::Send& send) {
    const std::lock_guard lock(mutex);
    if (words[0] == "EVALSHA" || words[0] == "EVAL") seen.push_back(words);
    send(words[0] == "EVAL" ? ":1\r\n" : "-NOSCRIPT No matching script.\r\n");
  });
  Client client({.uri = "redis://127.0.0.1:" + std::to_string(port) + "?lanes=1&protocol=2"});
  const Script script("return 1");
  EXPECT_EQ(*script.run<int>(client, {"a", "b"}, {"x", 3, ""}), 1);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], (FakeServer::Words{"EVALSHA", script.digest(), "2", "a", "b", "x", "3", ""}));
  EXPECT_EQ(seen[1], (FakeServer::Words{"EVAL", "return 1", "2", "a", "b", "x", "3", ""}));
}

TEST_F(Parts, AFunctionsLibraryIsLoadedWhenItIsMissing) {
  const FunctionLibrary library(
      "#!lua name=sums\n"
      "redis.register_function('add', function(keys, args) "
      "return redis.call('incrby', keys[1], args[1]) end)");
  EXPECT_EQ(*library.run<int>(*client_, "add", "n", 2), 2);
  EXPECT_EQ(*library.run<int>(*client_, "add", "n", 2), 4);
  ASSERT_TRUE(Redis(*client_).function_flush().ok());
  EXPECT_EQ(*sync_wait(library.call<int>(*client_, "add", "n", 2)), 6);
  EXPECT_FALSE(library.run(*client_, "no such function").ok());
}

// ------------------------------------------------------------ locks
TEST_F(Parts, ALockIsHeldByOneAndItsTokensGrow) {
  LockName name(*client_, "report", {.lease = 20s});
  std::int64_t last = 0;
  {
    auto first = name.try_lock();
    ASSERT_TRUE(first.ok()) << first.error().message;
    ASSERT_TRUE(*first);
    EXPECT_TRUE((*first)->held());
    last = (*first)->fencing_token();
    EXPECT_FALSE(*name.try_lock());
    EXPECT_FALSE(*sync_wait(name.try_lock_call()));
    EXPECT_EQ(name.lock(5ms).error().kind, Error::Kind::timeout);
    EXPECT_TRUE((*first)->extend().ok());
    EXPECT_TRUE(sync_wait((*first)->extend_call()).ok());
    EXPECT_TRUE((*first)->release().ok());
    EXPECT_FALSE((*first)->held());
    EXPECT_EQ((*first)->release().error().kind, Error::Kind::aborted);
  }
  {
    auto second = sync_wait(name.try_lock_call());
    ASSERT_TRUE(second.ok() && *second);
    EXPECT_GT((*second)->fencing_token(), last);
    last = (*second)->fencing_token();
  }
  // Released by the destructor, which does not wait.
  const auto third = name.lock(10s);
  ASSERT_TRUE(third.ok());
  EXPECT_GT(third->fencing_token(), last);
}

TEST_F(Parts, ALeaseThatHasEndedIsLost) {
  LockName name(*client_, "report", {.lease = 20s});
  auto slow = name.try_lock();
  ASSERT_TRUE(slow.ok() && *slow);
  // As if the lease were over: the key is gone, and another one takes it.
  ASSERT_EQ(*Redis(*client_).del("lock:{report}"), 1);
  auto other = name.try_lock();
  ASSERT_TRUE(other.ok() && *other);
  EXPECT_GT((*other)->fencing_token(), (*slow)->fencing_token());
  EXPECT_EQ((*slow)->extend().error().kind, Error::Kind::aborted);
  EXPECT_FALSE((*slow)->held());
  EXPECT_FALSE(*name.try_lock()) << "the loser has not released the winner's lock";
  LockName brief(*client_, "brief", {.lease = 30ms});
  auto lock = brief.try_lock();
  ASSERT_TRUE(lock.ok() && *lock);
  ASSERT_TRUE(eventually([&] { return !(*lock)->held(); }));
  EXPECT_TRUE(eventually([&] { return brief.try_lock()->has_value(); }));
}

TEST_F(Parts, ALockExcludesWhileConnectionsBreak) {
  std::atomic<int> inside{0};
  std::atomic<int> taken{0};
  std::mutex mutex;
  std::vector<std::int64_t> tokens;
  {
    const ConnectionKiller killer(server_->uri());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        LockName name(*client_, "busy", {.lease = 20s, .retry_after = 1ms});
        while (taken < 60) {
          auto lock = name.lock(30s);
          if (!lock) continue;  // the server could not be asked
          EXPECT_EQ(++inside, 1);
          ++taken;
          {
            const std::lock_guard guard(mutex);
            tokens.push_back(lock->fencing_token());
          }
          --inside;
          // A release whose answer was lost may have been done; if not, the destructor does it.
          (void)lock->release();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_GE(taken, 60);
  for (std::size_t i = 1; i < tokens.size(); ++i) EXPECT_GT(tokens[i], tokens[i - 1]);
}

// ------------------------------------------------------------ rate limits
TEST_F(Parts, ARateIsLimited) {
  RateLimiter limiter(*client_, "api", {.events = 10, .per = 1000s, .burst = 3});
  for (int i = 0; i < 3; ++i) {
    const auto decision = limiter.ask("ann");
    ASSERT_TRUE(decision.ok()) << decision.error().message;
    EXPECT_TRUE(decision->allowed);
    EXPECT_EQ(decision->remaining, 2 - i);
  }
  const auto refused = *limiter.ask("ann");
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.remaining, 0);
  EXPECT_GT(refused.retry_after, 90s);
  EXPECT_LE(refused.retry_after, 100s);
  EXPECT_TRUE(sync_wait(limiter.ask_call("bob", 3))->allowed) << "another name";
  EXPECT_FALSE(sync_wait(limiter.ask_call("bob"))->allowed);
  EXPECT_EQ(limiter.ask("bob", 4).error().kind, Error::Kind::usage);
  // The key goes when the allowance is full again.
  EXPECT_GT(*Redis(*client_).ttl("rate:api:ann"), 200);
  EXPECT_LE(*Redis(*client_).ttl("rate:api:ann"), 300);
  RateLimiter fast(*client_, "fast", {.events = 100, .per = 1s, .burst = 1});
  ASSERT_TRUE(fast.ask("x")->allowed);
  ASSERT_TRUE(eventually([&] { return fast.ask("x")->allowed; }));
}

TEST_F(Parts, ManyAskersGetTheBurstAndNoMore) {
  RateLimiter limiter(*client_, "many", {.events = 1, .per = 10'000s, .burst = 50});
  std::atomic<int> allowed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 40; ++i) allowed += limiter.ask("all")->allowed ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allowed, 50);
}

// ------------------------------------------------------------ work queues
TEST_F(Parts, AJobIsTakenOnceAndFinished) {
  WorkQueue queue(*client_, "jobs", {.worker = "a"});
  EXPECT_FALSE(*queue.take(1ms)) << "there is no stream yet";
  ASSERT_TRUE(queue.push({{"n", 1}}).ok());
  const auto job = queue.take(10s);
  ASSERT_TRUE(job.ok() && *job);
  EXPECT_EQ((*job)->fields, (std::vector<std::pair<std::string, std::string>>{{"n", "1"}}));
  EXPECT_EQ((*job)->deliveries, 1);
  WorkQueue other(*client_, "jobs", {.worker = "b"});
  EXPECT_FALSE(*sync_wait(other.take_call(1ms)));
  EXPECT_TRUE(*queue.finish(**job));
  EXPECT_FALSE(*queue.finish(**job));
  EXPECT_EQ(*Redis(*client_).xlen("jobs"), 0);
  ASSERT_TRUE(Redis(*client_).set("text", "x").ok());
  WorkQueue wrong(*client_, "text");
  EXPECT_EQ(wrong.take(1ms).error().code(), "WRONGTYPE");
}

TEST_F(Parts, AJobOfADeadWorkerComesToAnother) {
  WorkQueue dies(*client_, "jobs", {.worker = "dies", .visible_after = 20ms});
  WorkQueue lives(*client_, "jobs", {.worker = "lives", .visible_after = 20ms});
  ASSERT_TRUE(dies.push({{"n", 1}}).ok());
  ASSERT_TRUE(*dies.take(10s));
  auto job = lives.take(20s);
  ASSERT_TRUE(job.ok() && *job);
  EXPECT_EQ((*job)->deliveries, 2);
  EXPECT_EQ((*job)->fields.size(), 1u);
  EXPECT_TRUE(*lives.finish(**job));
}

TEST_F(Parts, AJobCanBeKeptAndGivenBack) {
  WorkQueue slow(*client_, "jobs", {.worker = "slow", .visible_after = 60s});
  WorkQueue other(*client_, "jobs", {.worker = "other", .visible_after = 60s});
  ASSERT_TRUE(slow.push({{"n", 1}}).ok());
  const auto job = *slow.take(10s);
  ASSERT_TRUE(job);
  EXPECT_TRUE(*slow.extend(*job));
  EXPECT_FALSE(*other.extend(*job)) << "it is not that one's";
  ASSERT_TRUE(*slow.give_back(*job));
  const auto again = *other.take(10s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, job->id);
  EXPECT_FALSE(*slow.extend(*job)) << "another one has it";
  EXPECT_TRUE(*other.finish(*again));
}

TEST_F(Parts, AJobThatIsNeverFinishedIsBuried) {
  WorkQueue queue(*client_, "jobs", {.visible_after = 60s, .deliveries_max = 2});
  ASSERT_TRUE(queue.push({{"n", 1}}).ok());
  for (int i = 1; i <= 2; ++i) {
    const auto job = *queue.take(10s);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->deliveries, i);
    ASSERT_TRUE(*queue.give_back(*job));
  }
  EXPECT_FALSE(*queue.take(1ms));
  EXPECT_EQ(*Redis(*client_).xlen("jobs"), 0);
  const auto dead = *Redis(*client_).xrange(queue.dead_stream(), "-", "+");
  ASSERT_EQ(dead.size(), 1u);
  EXPECT_EQ(dead[0].fields[0], (std::pair<std::string, std::string>("n", "1")));
  EXPECT_EQ(dead[0].fields[2], (std::pair<std::string, std::string>("dead:deliveries", "3")));
}

TEST_F(Parts, EveryJobIsDoneWhileConnectionsBreak) {
  constexpr int kJobs = 60;
  std::mutex mutex;
  std::set<std::string> done;
  WorkQueue producer(*client_, "jobs");
  for (int i = 0; i < kJobs; ++i) ASSERT_TRUE(producer.push({{"n", i}}).ok());
  std::atomic<bool> stopping{false};
  std::vector<std::thread> workers;
  {
    const ConnectionKiller killer(server_->uri());
    for (int w = 0; w < 3; ++w) {
      workers.emplace_back([&, w] {
        WorkQueue queue(
            *client_, "jobs",
            {.worker = std::to_string(w), .visible_after = 50ms, .deliveries_max = 1000});
        for (int taken = 0; !stopping;) {
          const auto job = queue.take(10ms);
          if (!job || !*job) continue;
          if (++taken % 5 == 0) continue;  // dies, as it were
          {
            const std::lock_guard lock(mutex);
            done.insert((*job)->fields[0].second);
          }
          (void)queue.finish(**job);
        }
      });
    }
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard lock(mutex);
      return done.size() == kJobs;
    }));
  }
  EXPECT_TRUE(eventually([&] { return Redis(*client_).xlen("jobs").value_or(1) == 0; }));
  stopping = true;
  for (std::thread& worker : workers) worker.join();
}

// ------------------------------------------------------------ a foreign event loop
TEST_F(Parts, AnEventQueueRunsWhatAClientResumes) {
  EventQueue queue;
  Client client({.uri = server_->uri(), .executor = queue.executor()});
  std::thread::id callback;
  client.call(Request("PING")).then([&](Result<Reply>) { callback = std::this_thread::get_id(); });
  ASSERT_TRUE(eventually([&] { return queue.run() > 0; }));
  EXPECT_EQ(callback, std::this_thread::get_id());
  int ran = 0;
  queue.add([&] { throw std::runtime_error("in a callback"); });
  queue.add([&] {
    ++ran;
    queue.add([&] { ++ran; });
  });
  EXPECT_THROW(queue.run(), std::runtime_error);
  EXPECT_EQ(queue.run(), 1u);
  EXPECT_EQ(queue.run(), 1u);
  EXPECT_EQ(queue.run(), 0u);
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace slotcar::client
