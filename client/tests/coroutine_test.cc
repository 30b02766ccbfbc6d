// Coroutines against a real server: transactions, subscribers, cancellation and timeouts, without a
// thread that waits.
#include <gtest/gtest.h>

#include "eventually.h"
#include "fake_server.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class Coroutines : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    client_ = std::make_unique<Client>(Options{.uri = server_->uri("?lanes=2")});
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> client_;
};

// Adds one to `key`, optimistically; `meanwhile` runs between WATCH and EXEC.
Task<Status> add_one(Client& client, std::string key, Request meanwhile) {
  auto transaction = client.transaction();
  if (!transaction) co_return transaction.error();
  Status watched = co_await transaction->watch_call(key);
  if (!watched) co_return watched;
  auto before = co_await transaction->call(commands::get<std::optional<int>>(key));
  if (!before) co_return before.error();
  (void)co_await client.call(std::move(meanwhile));
  auto done = co_await transaction->exec_call(commands::set(key, before->value_or(0) + 1),
                                              commands::incr("tries"), commands::lpop(key));
  if (!done) co_return done.error();
  auto& [set, tries, wrong] = *done;
  EXPECT_TRUE(*set);
  EXPECT_GT(*tries, 0);
  EXPECT_EQ(wrong.error().code(), "WRONGTYPE");
  co_return Status();
}

TEST_F(Coroutines, ATransactionIsAwaited) {
  EXPECT_TRUE(sync_wait(add_one(*client_, "k", Request("PING"))).ok());
  EXPECT_TRUE(sync_wait(add_one(*client_, "k", Request("GET").key("k"))).ok());
  const Status lost = sync_wait(add_one(*client_, "k", Request("SET").key("k").arg(50)));
  EXPECT_EQ(lost.error().kind, Error::Kind::aborted);
  EXPECT_EQ(*Redis(*client_).get<int>("k"), 50);
  EXPECT_EQ(*Redis(*client_).get<int>("tries"), 2);
}

Task<std::int64_t> atomically_awaited(AsyncRedis redis) {
  auto done = co_await redis.atomically(commands::incrby("a", 2), commands::incrby("b", 3));
  auto& [a, b] = *done;
  co_return *a * 10 + *b;
}

TEST_F(Coroutines, AtomicallyInThreeForms) {
  EXPECT_EQ(sync_wait(atomically_awaited(AsyncRedis(*client_))), 23);
  auto done = Redis(*client_).atomically(commands::incr("a"), commands::del("b"));
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(*std::get<0>(*done), 3);
  const auto [a, gone] =
      ThrowingRedis(*client_).atomically(commands::incr("a"), commands::get("b"));
  EXPECT_EQ(a, 4);
  EXPECT_EQ(gone, std::nullopt);
}

TEST_F(Coroutines, TypedExecDoesNotMixWithQueuedRequests) {
  auto transaction = client_->transaction();
  ASSERT_TRUE(transaction->queue(commands::incr("a")).ok());
  EXPECT_EQ(transaction->exec(commands::incr("b")).error().kind, Error::Kind::usage);
  ASSERT_TRUE(transaction->exec().ok());
  // A request that cannot be queued takes the others with it.
  EXPECT_FALSE(transaction->exec(commands::incr("a"), commands::subscribe("c")).ok());
  EXPECT_EQ(transaction->queued(), 0u);
  EXPECT_EQ(*Redis(*client_).get<int>("a"), 1);
}

TEST_F(Coroutines, AnEmptyWatchIsNothing) {
  auto transaction = client_->transaction();
  EXPECT_TRUE(transaction->watch(std::vector<std::string>()).ok());
  EXPECT_TRUE(transaction->exec(commands::incr("a")).ok());
}

Task<std::vector<std::string>> take(Subscriber& subscriber, Client& client) {
  Status asked = co_await subscriber.subscribe_call("c");
  EXPECT_TRUE(asked.ok());
  asked = co_await subscriber.psubscribe_call("p*");
  EXPECT_TRUE(asked.ok());
  AsyncRedis redis(client);
  (void)co_await redis.publish("c", "one");
  (void)co_await redis.publish("pattern", "two");
  std::vector<std::string> all;
  for (int i = 0; i < 2; ++i) {
    auto message = co_await subscriber.next_call(10s);
    if (message) all.push_back(message->pattern + message->payload);
  }
  EXPECT_FALSE(co_await subscriber.next_call(5ms));
  asked = co_await subscriber.unsubscribe_call("c");
  EXPECT_TRUE(asked.ok());
  (void)co_await redis.publish("c", "unheard");
  (void)co_await redis.publish("p", "three");
  auto last = co_await subscriber.next_call(10s);
  if (last) all.push_back(last->payload);
  co_return all;
}

TEST_F(Coroutines, ASubscriberIsAwaited) {
  Subscriber subscriber = client_->subscriber();
  EXPECT_EQ(sync_wait(take(subscriber, *client_)),
            (std::vector<std::string>{"one", "p*two", "three"}));
}

Task<bool> first_message(Subscriber& subscriber, Millis at_most, std::stop_token stop) {
  auto message = co_await subscriber.next_call(at_most, stop);
  co_return message.has_value();
}

TEST_F(Coroutines, WaitingForAMessageCanEnd) {
  Subscriber subscriber = client_->subscriber();
  ASSERT_TRUE(subscriber.subscribe("c").ok());
  EXPECT_FALSE(sync_wait(first_message(subscriber, 20ms, {})));
  std::stop_source stop;
  std::thread stops([&] {
    std::this_thread::sleep_for(10ms);
    stop.request_stop();
  });
  EXPECT_FALSE(sync_wait(first_message(subscriber, 1h, stop.get_token())));
  stops.join();
  EXPECT_FALSE(sync_wait(first_message(subscriber, 1h, stop.get_token()))) << "asked before";
  // Waits for a long and a short time at once end in their order.
  const auto both = [&]() -> Task<std::size_t> {
    const auto first = co_await when_any(
        [&](std::stop_token token) { return first_message(subscriber, 1h, token); },
        [&](std::stop_token token) { return first_message(subscriber, 10ms, token); });
    co_return first.index();
  };
  EXPECT_EQ(sync_wait(both()), 1u);
  std::thread closes([&] {
    std::this_thread::sleep_for(10ms);
    client_.reset();
  });
  EXPECT_FALSE(sync_wait(first_message(subscriber, 1h, {})));
  closes.join();
}

TEST_F(Coroutines, AnExecutorRunsWhatASubscriberResumes) {
  std::mutex mutex;
  std::vector<std::function<void()>> queued;
  Client client({.uri = server_->uri(), .executor = [&](std::function<void()> work) {
                   const std::lock_guard lock(mutex);
                   queued.push_back(std::move(work));
                 }});
  Subscriber subscriber = client.subscriber();
  ASSERT_TRUE(subscriber.subscribe("c").ok());
  std::atomic<std::thread::id> resumed;
  // A message that is there already is taken without a resumption; so it takes more than one.
  const auto taken = [&, here = std::this_thread::get_id()]() -> Task<> {
    while (resumed != here) {
      (void)co_await subscriber.next_call(1h);
      resumed = std::this_thread::get_id();
    }
  };
  std::thread waits([&] { sync_wait(taken()); });
  EXPECT_TRUE(eventually([&] {
    (void)Redis(*client_).publish("c", "m");
    std::vector<std::function<void()>> now;
    {
      const std::lock_guard lock(mutex);
      now.swap(queued);
    }
    for (const auto& work : now) work();
    return resumed == std::this_thread::get_id();
  }));
  waits.join();
}

TEST_F(Coroutines, WhatMayHaveBeenMissedStandsBetweenTheMessages) {
  Subscriber subscriber = client_->subscriber();
  subscriber.report_gaps();
  ASSERT_TRUE(subscriber.subscribe("c").ok());
  ASSERT_TRUE(subscriber.psubscribe("p*").ok());
  Redis redis(*client_);
  ASSERT_TRUE(redis.publish("c", "before").ok());
  EXPECT_EQ(subscriber.next(10s)->payload, "before");
  const auto killed = std::chrono::system_clock::now();
  server_->kill_now();
  server_->start();
  std::set<std::string> gaps;
  for (int i = 0; i < 2; ++i) {
    const auto gap = subscriber.next(20s);
    ASSERT_TRUE(gap);
    ASSERT_EQ(gap->kind, Message::Kind::gap);
    gaps.insert(gap->channel + "/" + gap->pattern);
    EXPECT_GE(gap->gap.since, killed - 1s);
    EXPECT_LE(gap->gap.since, gap->gap.until);
    EXPECT_EQ(gap->gap.dropped, 0u);
  }
  EXPECT_EQ(gaps, (std::set<std::string>{"c/", "/p*"}));
  // The gap has ended: from here on nothing is missed.
  ASSERT_TRUE(eventually([&] { return redis.publish("c", "after").value_or(0) == 1; }));
  EXPECT_EQ(subscriber.next(10s)->payload, "after");
}

// A reply that came after its call was cancelled belongs to no other call, and the error says that
// the command may have run.
TEST(Cancelling, AfterTheRequestWasWritten) {
  const std::uint16_t port = free_port();
  std::atomic<bool> asked{false};
  std::atomic<bool> answer{false};
  const FakeServer server(port, [&](const FakeServer::Words& words, const FakeServer::Send& send) {
    if (words[0] == "INCR") {
      asked = true;
      (void)eventually([&] { return answer.load(); });
      send(":41\r\n");
    } else if (words[0] == "ECHO") {
      send("$" + std::to_string(words[1].size()) + "\r\n" + words[1] + "\r\n");
    } else {
      send("-ERR unknown command\r\n");
    }
  });
  Client client({.uri = "redis://127.0.0.1:" + std::to_string(port) + "?lanes=1&protocol=2"});
  AsyncRedis redis(client);
  std::stop_source stop;
  auto slow = redis.with({.stop = stop.get_token()}).incr("k").future();
  ASSERT_TRUE(eventually([&] { return asked.load(); }));
  stop.request_stop();
  const auto cancelled = slow.get();
  EXPECT_EQ(cancelled.error().kind, Error::Kind::cancelled);
  EXPECT_EQ(cancelled.error().ran, Error::Ran::unknown);
  auto next = redis.echo("mine").future();
  answer = true;
  EXPECT_EQ(*next.get(), "mine");
}

}  // namespace
}  // namespace slotcar::client
