// The client against a real redis-server: every way to wait, lanes, transactions, blocking calls,
// subscriptions, loss and return of the server.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <set>
#include <thread>

#include "eventually.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class ClientTest : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(
        std::vector<std::string>{"--save", "", "--enable-debug-command", "yes"});
  }
  static bool blocked_clients(Client& client, int count) {
    const auto info = client.run(Request("INFO").arg("clients"));
    const std::string line = "blocked_clients:" + std::to_string(count) + "\r\n";
    return info && info->text().find(line) != std::string::npos;
  }
  static Result<Reply> kill_clients(Client& client, const char* type) {
    return client.run(Request("CLIENT").arg("KILL").arg("TYPE").arg(type));
  }
  std::unique_ptr<RedisServer> server_;
};

Task<Result<Reply>> set_and_get(Client& client) {
  auto set = co_await client.call(Request("SET").key("co").arg("routine"));
  if (!set) co_return set;
  co_return co_await client.call(Request("GET").key("co"));
}

TEST_F(ClientTest, FourWaysToWait) {
  Client client({.uri = server_->uri()});
  EXPECT_EQ(*client.run(Request("SET").key("a").arg("1"))->as_string(), "OK");

  auto future = client.call(Request("GET").key("a")).future();
  EXPECT_EQ(*future.get()->as_string(), "1");

  std::promise<std::string> called;
  client.call(Request("GET").key("a")).then([&](Result<Reply> reply) {
    // On the I/O thread: waiting there is refused instead of hanging.
    EXPECT_EQ(client.run(Request("PING")).error().kind, Error::Kind::usage);
    called.set_value(*reply->as_string());
  });
  EXPECT_EQ(called.get_future().get(), "1");

  auto got = sync_wait(set_and_get(client));
  EXPECT_EQ(*got->as_string(), "routine");
}

TEST_F(ClientTest, CallbacksRunOnTheUsersExecutor) {
  std::mutex mutex;
  std::condition_variable news;
  std::vector<std::function<void()>> work;
  Client client({.uri = server_->uri(), .executor = [&](std::function<void()> f) {
                   const std::lock_guard lock(mutex);
                   work.push_back(std::move(f));
                   news.notify_one();
                 }});
  bool done = false;
  client.call(Request("PING")).then([&](Result<Reply> reply) {
    EXPECT_TRUE(client.run(Request("PING")).ok());  // waiting is allowed here
    done = reply.ok();
  });
  std::unique_lock lock(mutex);
  news.wait(lock, [&] { return !work.empty(); });
  work[0]();
  EXPECT_TRUE(done);
}

TEST_F(ClientTest, ErrorsAreValuesWithTheServersText) {
  Client client({.uri = server_->uri()});
  Redis redis(client);
  ASSERT_TRUE(redis.rpush("list", "x").ok());
  const auto wrong = redis.get("list");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().kind, Error::Kind::server);
  EXPECT_EQ(wrong.error().code(), "WRONGTYPE");
  for (const char* name : {"MULTI", "SUBSCRIBE", "SELECT", "MONITOR"}) {
    EXPECT_EQ(client.run(Request(name).arg("1")).error().kind, Error::Kind::usage) << name;
  }
}

TEST_F(ClientTest, LanesAreSharedAndCounted) {
  Client client({.uri = server_->uri("?lanes=4&client-name=lanes")});
  ASSERT_TRUE(client.wait_ready().ok());
  EXPECT_EQ(client.health(), Health::up);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&client, t] {
      for (int i = 0; i < 100; ++i) {
        const std::string key = "k" + std::to_string(t) + ":" + std::to_string(i);
        EXPECT_TRUE(client.run(Request("SET").key(key).arg(key)).ok());
        EXPECT_EQ(*client.run(Request("GET").key(key))->as_string(), key);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Metrics metrics = client.metrics();
  EXPECT_EQ(metrics.pool_active, 4);
  EXPECT_EQ(metrics.pool_max, 4);
  EXPECT_EQ(metrics.pool_commands_dispatched, 1600u);
  // Round robin, except for threads that found another idle lane.
  for (const LaneMetrics& lane : metrics.lanes) EXPECT_GT(lane.selections, 0u);
  const auto list = client.run(Request("CLIENT").arg("LIST"))->as_string();
  std::size_t connections = 0;
  for (std::size_t at = 0; (at = list->find("name=lanes", at)) != std::string::npos; ++at) {
    ++connections;
  }
  EXPECT_EQ(connections, 4u);
}

TEST_F(ClientTest, EveryStrategyWorksAndCanBeSwitched) {
  Client client({.uri = server_->uri("?lanes=3&io-threads=2")});
  for (const char* name : {"least-used", "key-affinity", "key-affinity-murmur", "random",
                           "adaptive", "thread-sticky", "round-robin"}) {
    Strategy strategy{};
    ASSERT_TRUE(parse_strategy(name, strategy));
    ASSERT_TRUE(client.set_strategy(strategy).ok());
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(client.run(Request("GET").key("a")).ok());
    EXPECT_EQ(client.metrics().strategy, name);
  }
  EXPECT_FALSE(client.set_strategy(Strategy::random, "nogroup").ok());
}

class Always final : public LaneStrategy {
 public:
  explicit Always(std::size_t lane) : lane_(lane) {}
  std::size_t choose(std::span<const LaneLoad* const>, const LaneHint&) override { return lane_; }
  std::string_view name() const override { return "always"; }

 private:
  std::size_t lane_;
};

TEST_F(ClientTest, AUsersOwnStrategyAndLaneGroups) {
  Client client({.uri = server_->uri("?lanes=2"),
                 .groups = {{.name = "bulk", .lanes = 2, .strategy = Strategy::round_robin}}});
  ASSERT_TRUE(client.wait_ready().ok());
  ASSERT_TRUE(client.set_strategy(std::make_shared<Always>(1), "bulk").ok());
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(client.run(Request("PING"), {.group = "bulk"}).ok());
  }
  const Metrics metrics = client.metrics();
  ASSERT_EQ(metrics.lanes.size(), 4u);
  EXPECT_EQ(metrics.lanes[3].group, "bulk");
  EXPECT_EQ(metrics.lanes[3].selections, 10u);
  EXPECT_EQ(metrics.lanes[0].selections + metrics.lanes[1].selections, 0u);
  EXPECT_EQ(client.run(Request("PING"), {.group = "none"}).error().kind, Error::Kind::usage);
}

TEST_F(ClientTest, ABatchStaysOnOneLane) {
  Client client({.uri = server_->uri("?lanes=4")});
  ASSERT_TRUE(client.wait_ready().ok());
  std::vector<Request> requests;
  for (int i = 0; i < 50; ++i) requests.push_back(Request("RPUSH").key("l").arg(i));
  const auto replies = client.run_batch(std::move(requests));
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_TRUE(replies[i].ok());
    EXPECT_EQ(*replies[i]->as_integer(), static_cast<std::int64_t>(i + 1));
  }
  EXPECT_TRUE(client.run_batch({}).empty());
  EXPECT_EQ(client.run_batch({Request("BLPOP").key("x").arg(0)})[0].error().kind,
            Error::Kind::usage);
}

TEST_F(ClientTest, OtherModesForComparison) {
  for (const char* mode : {"classic", "pooled"}) {
    Client client({.uri = server_->uri(std::string("?lanes=3&mode=") + mode)});
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&client] {
        for (int i = 0; i < 50; ++i) EXPECT_TRUE(client.run(Request("INCR").key("n")).ok());
      });
    }
    for (std::thread& thread : threads) thread.join();
    const Metrics metrics = client.metrics();
    EXPECT_EQ(metrics.pool_total, std::string(mode) == "classic" ? 1 : 3) << mode;
  }
  Client client({.uri = server_->uri()});
  EXPECT_EQ(*Redis(client).incrby("n", 0), 600);
}

TEST_F(ClientTest, LanesAreInitialisedAtEveryConnect) {
  std::atomic<int> runs{0};
  Client client({.uri = server_->uri("?lanes=2&db=3"), .lane_initialiser = [&](std::size_t) {
                   ++runs;
                   return std::vector<Request>{Request("CLIENT").arg("NO-EVICT").arg("ON")};
                 }});
  ASSERT_TRUE(client.wait_ready().ok());
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(client.run(Request("SET").key("in3").arg("x")).ok());
  Client other({.uri = server_->uri("?lanes=1")});
  ASSERT_TRUE(kill_clients(other, "normal").ok());
  ASSERT_TRUE(eventually([&] { return runs >= 4 && client.health() == Health::up; }));
  EXPECT_TRUE(*client.run(Request("EXISTS").key("in3"))->as_bool());
}

TEST_F(ClientTest, ATimedOutCallDoesNotDisturbTheNext) {
  Client client({.uri = server_->uri("?lanes=1")});
  ASSERT_TRUE(client.run(Request("SET").key("a").arg("right")).ok());
  server_->freeze();
  const auto late = client.run(Request("GET").key("wrong"), {.timeout = 20ms});
  server_->thaw();
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().kind, Error::Kind::timeout);
  EXPECT_EQ(late.error().ran, Error::Ran::unknown);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(*client.run(Request("GET").key("a"))->as_string(), "right");
  }
  EXPECT_EQ(client.metrics().timeouts, 1u);
}

TEST_F(ClientTest, ACallCanBeCancelled) {
  Client client({.uri = server_->uri("?lanes=1")});
  std::stop_source stop;
  auto late =
      client.call(Request("BLPOP").key("never").arg(0), {.stop = stop.get_token()}).future();
  ASSERT_TRUE(eventually([&] { return blocked_clients(client, 1); }));
  stop.request_stop();
  EXPECT_EQ(late.get().error().kind, Error::Kind::cancelled);
  // Its connection is closed, so the server is no longer blocked in it.
  ASSERT_TRUE(eventually([&] { return blocked_clients(client, 0); }));
  // A token that was stopped before.
  EXPECT_EQ(client.run(Request("PING"), {.stop = stop.get_token()}).error().kind,
            Error::Kind::cancelled);
}

TEST_F(ClientTest, BlockingCallsDoNotOccupyLanes) {
  Client client({.uri = server_->uri("?lanes=1")});
  std::vector<std::future<Result<Reply>>> waiting;
  for (int i = 0; i < 5; ++i) {
    waiting.push_back(client.call(Request("BLPOP").key("jobs").arg(0)).future());
  }
  ASSERT_TRUE(eventually([&] { return blocked_clients(client, 5); }));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(client.run(Request("RPUSH").key("jobs").arg(i)).ok());
  }
  std::set<std::string> jobs;
  for (auto& one : waiting) jobs.insert((*one.get()->as_strings())[1]);
  EXPECT_EQ(jobs.size(), 5u);
}

TEST_F(ClientTest, ExclusiveConnectionsAreBounded) {
  Client client({.uri = server_->uri("?lanes=1&exclusive-max=1")});
  auto first = client.call(Request("BLPOP").key("x").arg(0)).future();
  ASSERT_TRUE(eventually([&] { return blocked_clients(client, 1); }));
  const auto second = client.run(Request("BLPOP").key("x").arg(0), {.timeout = 30ms});
  EXPECT_EQ(second.error().kind, Error::Kind::timeout);
  EXPECT_EQ(second.error().ran, Error::Ran::no);
  auto third = client.call(Request("BLPOP").key("x").arg(0)).future();
  ASSERT_TRUE(client.run(Request("RPUSH").key("x").arg(1).arg(2)).ok());
  EXPECT_TRUE(first.get().ok());
  EXPECT_TRUE(third.get().ok());
}

TEST_F(ClientTest, ATransactionIsAnObject) {
  Client client({.uri = server_->uri()});
  Redis redis(client);
  ASSERT_TRUE(redis.set("a", "10").ok());
  auto transaction = client.transaction();
  ASSERT_TRUE(transaction.ok());
  ASSERT_TRUE(transaction->watch({"a"}).ok());
  EXPECT_EQ(*transaction->run(Request("GET").key("a"))->as_integer(), 10);
  ASSERT_TRUE(transaction->queue(Request("DECRBY").key("a").arg(3)).ok());
  ASSERT_TRUE(transaction->queue(Request("INCRBY").key("b").arg(3)).ok());
  const auto done = transaction->exec();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(*(*done)[0].as_integer(), 7);
  EXPECT_EQ(*(*done)[1].as_integer(), 3);

  ASSERT_TRUE(transaction->watch({"a"}).ok());
  ASSERT_TRUE(redis.set("a", "other").ok());
  ASSERT_TRUE(transaction->queue(Request("SET").key("a").arg("mine")).ok());
  const auto aborted = transaction->exec();
  ASSERT_FALSE(aborted.ok());
  EXPECT_EQ(aborted.error().kind, Error::Kind::aborted);
  EXPECT_EQ(**redis.get("a"), "other");

  // An error among the commands is that command's own; a command that cannot be queued ends all.
  ASSERT_TRUE(transaction->queue(Request("INCR").key("a")).ok());
  const auto partly = transaction->exec();
  ASSERT_TRUE(partly.ok());
  EXPECT_TRUE((*partly)[0].is_error());
  ASSERT_TRUE(transaction->queue(Request("NOSUCHCOMMAND")).ok());
  const auto none = transaction->exec();
  EXPECT_EQ(none.error().ran, Error::Ran::no);
  EXPECT_NE(none.error().message.find("unknown command"), std::string::npos);
  EXPECT_EQ(transaction->queue(Request("MULTI")).error().kind, Error::Kind::usage);
}

TEST_F(ClientTest, ATransactionMayEndBeforeItsCall) {
  Client client({.uri = server_->uri("?lanes=1")});
  for (int i = 0; i < 10; ++i) {
    std::future<Result<Reply>> later;
    server_->freeze();
    {
      auto transaction = client.transaction();
      ASSERT_TRUE(transaction->queue(Request("INCR").key("n")).ok());
      later = transaction->exec_call().future();
      EXPECT_EQ(transaction->run(Request("GET").key("n")).error().kind, Error::Kind::usage);
    }
    server_->thaw();
    EXPECT_TRUE(later.get().ok());
  }
  EXPECT_EQ(*client.run(Request("GET").key("n"))->as_integer(), 10);
  EXPECT_LE(client.metrics().pool_total, 1 + 8) << "connections are given back";
}

TEST_F(ClientTest, ARefusedMultiIsNotReportedAsNothingDone) {
  Client admin({.uri = server_->uri("?lanes=1")});
  ASSERT_TRUE(admin
                  .run(Request::of(
                      {"ACL", "SETUSER", "weak", "on", ">pw", "~*", "+@all", "-multi", "-exec"}))
                  .ok());
  Client client({.uri = "redis://weak:pw@127.0.0.1:" + std::to_string(server_->port())});
  auto transaction = client.transaction();
  ASSERT_TRUE(transaction->queue(Request("INCR").key("n")).ok());
  const auto done = transaction->exec();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code(), "NOPERM");
  EXPECT_EQ(*admin.run(Request("GET").key("n"))->as_integer(), 1);
  EXPECT_EQ(done.error().ran, Error::Ran::yes) << done.error().message;
  EXPECT_FALSE(done.error().retryable());
}

TEST_F(ClientTest, TransactionsOfManyThreadsKeepApart) {
  Client client({.uri = server_->uri("?lanes=2&exclusive-max=4")});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&client] {
      for (int i = 0; i < 10;) {
        auto transaction = client.transaction();
        ASSERT_TRUE(transaction->watch({"sum"}).ok());
        const auto before = transaction->run(Request("GET").key("sum"));
        const std::int64_t value = before->is_null() ? 0 : *before->as_integer();
        ASSERT_TRUE(transaction->queue(Request("SET").key("sum").arg(value + 1)).ok());
        const auto done = transaction->exec();
        if (done) {
          ++i;
        } else {
          ASSERT_EQ(done.error().kind, Error::Kind::aborted) << done.error().message;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*Redis(client).incrby("sum", 0), 80);
}

TEST_F(ClientTest, ABrokenTransactionNeverRunsWithoutItsWatch) {
  Client client({.uri = server_->uri()});
  Client other({.uri = server_->uri("?lanes=1")});
  auto transaction = client.transaction();
  ASSERT_TRUE(transaction->watch({"a"}).ok());
  ASSERT_TRUE(kill_clients(other, "normal").ok());
  ASSERT_TRUE(transaction->queue(Request("SET").key("a").arg("x")).ok());
  // The kill is noticed before exec, or by exec itself.
  const auto done = transaction->exec();
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().ran, Error::Ran::yes);
  EXPECT_EQ(transaction->run(Request("GET").key("a")).error().kind, Error::Kind::connection);
  EXPECT_EQ(*Redis(client).get("a"), std::nullopt);
}

TEST_F(ClientTest, SubscriptionsComeBack) {
  Client client({.uri = server_->uri()});
  Subscriber subscriber = client.subscriber();
  ASSERT_TRUE(subscriber.subscribe("news").ok());
  ASSERT_TRUE(subscriber.psubscribe("n*").ok());
  EXPECT_EQ(client.metrics().pool_pubsub_connections, 1);
  ASSERT_TRUE(Redis(client).publish("news", "one").ok());
  const auto first = subscriber.next(5s);
  const auto second = subscriber.next(5s);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->payload, "one");
  EXPECT_NE(first->kind, second->kind);
  ASSERT_TRUE(subscriber.punsubscribe("n*").ok());

  ASSERT_TRUE(kill_clients(client, "pubsub").ok());
  ASSERT_TRUE(eventually([&] { return *Redis(client).publish("news", "two") == 1; }));
  const auto again = subscriber.next(5s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->payload, "two");
  EXPECT_EQ(subscriber.gaps(), 1u);
  ASSERT_TRUE(subscriber.unsubscribe("news").ok());
  EXPECT_FALSE(subscriber.next(1ms).has_value());
}

TEST_F(ClientTest, MessagesCanGoToACallback) {
  Client client({.uri = server_->uri("?protocol=2")});
  Subscriber subscriber = client.subscriber();
  std::promise<std::string> heard;
  subscriber.on_message([&](const Message& message) { heard.set_value(message.payload); });
  ASSERT_TRUE(subscriber.ssubscribe("shard").ok());
  ASSERT_TRUE(client.run(Request("SPUBLISH").arg("shard").arg("hi")).ok());
  EXPECT_EQ(heard.get_future().get(), "hi");
}

TEST_F(ClientTest, ASubscriberMayEndInItsOwnCallback) {
  Client client({.uri = server_->uri("?lanes=1")});
  auto subscriber = std::make_unique<Subscriber>(client.subscriber());
  std::latch ended(1);
  subscriber->on_message([&](const Message&) {
    subscriber.reset();
    ended.count_down();
  });
  ASSERT_TRUE(subscriber->subscribe("c").ok());
  // Several in one read: those after the first must not reach a callback that was removed.
  ASSERT_TRUE(client
                  .run_batch({Request("PUBLISH").arg("c").arg("1"),
                              Request("PUBLISH").arg("c").arg("2")})[0]
                  .ok());
  ended.wait();
  EXPECT_TRUE(eventually([&] { return client.metrics().pool_pubsub_connections == 0; }));
}

TEST_F(ClientTest, CallsWaitForAServerThatComesBack) {
  Client client({.uri = server_->uri("?lanes=2&timeout=20s&reconnect-max=50ms")});
  ASSERT_TRUE(client.wait_ready().ok());
  server_->kill_now();
  ASSERT_TRUE(eventually([&] { return client.health() == Health::down; }));
  std::vector<std::future<Result<Reply>>> waiting;
  for (int i = 0; i < 10; ++i) waiting.push_back(client.call(Request("INCR").key("n")).future());
  server_->start();
  for (auto& one : waiting) EXPECT_TRUE(one.get().ok());
  EXPECT_EQ(*Redis(client).incrby("n", 0), 10);
}

TEST_F(ClientTest, HealthOfAPoolIsThatOfItsConnections) {
  Client client({.uri = server_->uri("?mode=pooled&lanes=3&reconnect-max=50ms")});
  ASSERT_TRUE(client.wait_ready().ok());
  EXPECT_EQ(client.health(), Health::up);
  EXPECT_EQ(client.metrics().pool_active, 3);
  EXPECT_EQ(client.metrics().pool_max, 3);
  ASSERT_TRUE(client.run(Request("PING")).ok());
  EXPECT_EQ(client.metrics().pool_commands_dispatched, 1u);
  server_->kill_now();
  ASSERT_TRUE(eventually([&] { return client.health() == Health::down; }));
  EXPECT_FALSE(client.wait_ready(10ms).ok());
  server_->start();
  EXPECT_TRUE(eventually([&] { return client.health() == Health::up; }));
}

TEST_F(ClientTest, ADeadServerIsAnErrorInTime) {
  const std::uint16_t nobody = free_port();
  Client client({.uri = "redis://127.0.0.1:" + std::to_string(nobody) +
                        "?timeout=100ms&down-calls-max=3&lanes=1"});
  std::vector<std::future<Result<Reply>>> calls;
  for (int i = 0; i < 5; ++i) calls.push_back(client.call(Request("INCR").key("n")).future());
  std::map<Error::Kind, int> kinds;
  for (auto& one : calls) ++kinds[one.get().error().kind];
  EXPECT_EQ(kinds[Error::Kind::connection], 3);
  EXPECT_EQ(kinds[Error::Kind::overloaded], 2);
  const Status ready = client.wait_ready(10ms);
  ASSERT_FALSE(ready.ok());
  EXPECT_NE(ready.error().message.find("refused"), std::string::npos) << ready.error().message;
}

TEST_F(ClientTest, ABlockingCallWaitsForElementsNotForAServer) {
  Client client({.uri = server_->uri("?lanes=1&timeout=200ms")});
  ASSERT_TRUE(client.wait_ready().ok());
  server_->kill_now();
  const auto reply = client.run(Request("BLPOP").key("q").arg(0));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().ran, Error::Ran::no) << reply.error().message;
}

TEST_F(ClientTest, AnErrorThatSaysNothingWasDoneIsRetryable) {
  Client admin({.uri = server_->uri("?lanes=1")});
  ASSERT_TRUE(admin.run(Request::of({"REPLICAOF", "127.0.0.1", "1"})).ok());
  const auto reply = admin.run(Request("SET").key("a").arg("1"));
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code(), "READONLY");
  EXPECT_TRUE(reply.error().retryable());
}

TEST_F(ClientTest, ClosingEndsEveryCall) {
  std::vector<std::future<Result<Reply>>> calls;
  {
    Client client({.uri = server_->uri("?shutdown-timeout=10ms&lanes=1")});
    ASSERT_TRUE(client.wait_ready().ok());
    calls.push_back(client.call(Request("BLPOP").key("x").arg(0)).future());
    server_->freeze();
    for (int i = 0; i < 5; ++i) calls.push_back(client.call(Request("INCR").key("n")).future());
  }
  server_->thaw();
  for (auto& one : calls) EXPECT_FALSE(one.get().ok());
}

TEST_F(ClientTest, MetricsInPrometheusText) {
  Client client({.uri = server_->uri("?lanes=2&command-latency=yes&latency-percentiles=0.5,0.99"
                                     "&latency-metric=my.latency")});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(client.run(Request("GET").key("a")).ok());
  const Metrics metrics = client.metrics();
  ASSERT_EQ(metrics.commands.size(), 1u);
  EXPECT_EQ(metrics.commands[0].command, "get");
  EXPECT_EQ(metrics.commands[0].calls, 10u);
  EXPECT_EQ(metrics.commands[0].percentiles.size(), 2u);
  const std::string text = metrics.prometheus();
  for (const char* name :
       {"redis_pool_active{strategy=\"LANED\"", "redis_pool_total", "redis_pool_max",
        "redis_pool_waiting_threads", "redis_pool_commands_dispatched",
        "redis_pool_pubsub_connections", "redis_pool_lane_selections{node=",
        "my_latency{command=\"get\",percentile=\"0.99\",unit=\"MICROSECONDS\"}"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name << "\n" << text;
  }
  EXPECT_TRUE(client.metrics().commands.empty());  // reset after export
}

TEST_F(ClientTest, PasswordsAndNames) {
  RedisServer guarded({"--save", "", "--requirepass", "secret"});
  const std::string at = "@127.0.0.1:" + std::to_string(guarded.port());
  Client client({.uri = "redis://:secret" + at + "?client-name=me&lanes=1"});
  EXPECT_EQ(*client.run(Request("CLIENT").arg("GETNAME"))->as_string(), "me");
  Client wrong({.uri = "redis://:bad" + at + "?lanes=1&timeout=300ms"});
  const auto refused = wrong.run(Request("PING"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("WRONGPASS"), std::string::npos)
      << refused.error().message;
}

TEST_F(ClientTest, UnixSockets) {
  const std::string path = server_->folder() + "/redis.sock";
  RedisServer local({"--save", "", "--unixsocket", path});
  Client client({.uri = "unix://" + path + "?lanes=2"});
  EXPECT_TRUE(client.run(Request("PING")).ok());
}

// The table's rows, compared with the server's own COMMAND.
}  // namespace
}  // namespace slotcar::client
