// The client-side cache: what it keeps and forgets, in which order, and that it never goes back in
// time while connections break.
#include "slotcar/cache.h"

#include <gtest/gtest.h>

#include <thread>

#include "connection_killer.h"
#include "eventually.h"
#include "fake_server.h"
#include "redis_server.h"
#include "slotcar/redis.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
    writer_ = std::make_unique<Client>(Options{.uri = server_->uri("?lanes=1")});
  }
  std::unique_ptr<RedisServer> server_;
  std::unique_ptr<Client> writer_;
};

TEST_F(CacheTest, AnswersWithoutACallUntilTheKeyChanges) {
  Redis redis(*writer_);
  Cache cache({.uri = server_->uri()});
  ASSERT_TRUE(redis.set("k", "one").ok());
  ASSERT_TRUE(redis.hset("h", {{"f", 1}}).ok());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(*cache.get("k"), "one");
    EXPECT_EQ(*cache.get("none"), std::nullopt);
    EXPECT_EQ((*cache.hgetall<std::map<std::string, int>>("h")),
              (std::map<std::string, int>{{"f", 1}}));
    EXPECT_EQ(*cache.hget<int>("h", "f"), 1);
  }
  EXPECT_EQ(cache.metrics().misses, 4u);
  EXPECT_EQ(cache.metrics().hits, 8u);
  EXPECT_EQ(cache.metrics().entries, 4u);
  // One invalidation removes all that was read of the key.
  ASSERT_TRUE(redis.hset("h", {{"f", 2}}).ok());
  ASSERT_TRUE(eventually([&] { return cache.metrics().entries == 2; }));
  EXPECT_EQ(*cache.hget<int>("h", "f"), 2);
  // A key that did not exist.
  ASSERT_TRUE(redis.set("none", "now").ok());
  ASSERT_TRUE(eventually([&] { return cache.metrics().invalidations == 2; }));
  EXPECT_EQ(*cache.get("none"), "now");
  ASSERT_TRUE(redis.flushall().ok());
  ASSERT_TRUE(eventually([&] { return cache.metrics().entries == 0; }));
  EXPECT_EQ(*cache.get("k"), std::nullopt);
}

TEST_F(CacheTest, KeepsOnlyWhatDependsOnOneKey) {
  Redis redis(*writer_);
  Cache cache({.uri = server_->uri()});
  ASSERT_TRUE(redis.mset({{"a", 1}, {"b", 2}}).ok());
  ASSERT_TRUE(redis.rpush("l", {"x"}).ok());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cache.mget({"a", "b"})->size(), 2u);
    EXPECT_TRUE(cache.run(Request::of({"MGET", "a", "b"})).ok());
    EXPECT_TRUE(cache.ttl("a").ok());
    EXPECT_EQ(*cache.incr("a"), 2 + i);
    EXPECT_EQ(cache.get("l").error().code(), "WRONGTYPE");
    EXPECT_TRUE(cache.ping().ok());
  }
  EXPECT_EQ(cache.metrics().entries, 0u);
  // Plain words are kept as well, and the same question is the same entry.
  EXPECT_TRUE(cache.run(Request::of({"GET", "b"})).ok());
  EXPECT_EQ(*cache.get("b"), "2");
  EXPECT_EQ(cache.metrics().hits, 1u);
}

TEST_F(CacheTest, IsBounded) {
  Cache few({.uri = server_->uri()}, {.entries_max = 10});
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(few.get("k" + std::to_string(i)).ok());
  EXPECT_EQ(few.metrics().entries, 10u);
  EXPECT_EQ(few.metrics().evictions, 20u);
  // The one used last stays.
  ASSERT_TRUE(few.get("k20").ok());
  ASSERT_TRUE(few.get("new").ok());
  const auto hits = few.metrics().hits;
  ASSERT_TRUE(few.get("k20").ok());
  EXPECT_EQ(few.metrics().hits, hits + 1);
  Cache small({.uri = server_->uri()}, {.bytes_max = 100'000});
  ASSERT_TRUE(Redis(*writer_).set("long", std::string(5'000, 'x')).ok());
  ASSERT_TRUE(Redis(*writer_).set("too long", std::string(50'000, 'x')).ok());
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(small.getrange("long", 0, 4'000 + i)->size(), 4'001u + static_cast<std::size_t>(i));
  }
  EXPECT_LE(small.metrics().bytes, 100'000u);
  EXPECT_GT(small.metrics().entries, 10u);
  const auto entries = small.metrics().entries;
  EXPECT_EQ((*small.get("too long"))->size(), 50'000u);
  EXPECT_EQ(small.metrics().entries, entries) << "one value does not push out a quarter of all";
}

TEST_F(CacheTest, OptionsThatCannotWorkAreRefused) {
  Cache resp2({.uri = server_->uri("?protocol=2")});
  EXPECT_EQ(resp2.status().error().kind, Error::Kind::usage);
  EXPECT_EQ(resp2.get("k").error().kind, Error::Kind::usage);
  Cache pooled({.uri = server_->uri("?mode=pooled")});
  EXPECT_FALSE(pooled.status().ok());
  Cache wrong({.uri = "redis://h?lanes=999"});
  EXPECT_FALSE(wrong.status().ok());
  EXPECT_FALSE(wrong.get("k").ok());
}

TEST_F(CacheTest, AwaitedHitsDoNotGrowTheStack) {
  Cache cache({.uri = server_->uri()});
  const auto read = [&]() -> Task<int> {
    int answers = 0;
    for (int i = 0; i < 200'000; ++i) {
      auto value = co_await cache.call(commands::get("k"));
      answers += value.ok() ? 1 : 0;
    }
    co_return answers;
  };
  EXPECT_EQ(sync_wait(read()), 200'000);
  EXPECT_EQ(cache.metrics().misses, 1u);
}

// Values only grow. Whatever breaks, no reader sees a smaller value than before, and at the end all
// see the last one.
TEST_F(CacheTest, NeverGoesBackWhileConnectionsBreak) {
  Cache cache({.uri = server_->uri("?lanes=3&reconnect-min=1ms&reconnect-max=5ms&timeout=10s"),
               .io_threads = 2});
  std::atomic<bool> stopping{false};
  std::atomic<std::int64_t> reads{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      std::map<std::string, std::int64_t> seen;
      while (!stopping) {
        for (int k = 0; k < 8; ++k) {
          const std::string key = "k" + std::to_string(k);
          const auto value = cache.get<std::optional<std::int64_t>>(key);
          if (!value) continue;
          EXPECT_GE(value->value_or(0), seen[key]);
          seen[key] = value->value_or(0);
          ++reads;
        }
      }
    });
  }
  {
    const ConnectionKiller killer(server_->uri());
    for (int i = 1; i <= 400; ++i) {
      for (int k = 0; k < 8; ++k) {
        // The killer may hit this one, too; the next value is larger all the same.
        (void)writer_->run(Request("SET").key("k" + std::to_string(k)).arg(i));
      }
    }
    EXPECT_GT(killer.rounds(), 0);
  }
  for (int k = 0; k < 8; ++k) {
    const std::string key = "k" + std::to_string(k);
    ASSERT_TRUE(eventually([&] { return Redis(*writer_).set(key, 1'000).ok(); }));
    EXPECT_TRUE(eventually([&] { return cache.get<std::int64_t>(key).value_or(0) == 1'000; }));
  }
  stopping = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(cache.metrics().hits, 0u);
  EXPECT_GT(cache.metrics().flushes, 0u);
  EXPECT_GT(reads, 0);
}

// A server whose pushes come exactly when the test wants them.
class FakeTracking {
 public:
  explicit FakeTracking(std::function<std::string(int get)> answer)
      : port_(free_port()),
        server_(port_, [this, answer = std::move(answer)](const FakeServer::Words& words,
                                                          const FakeServer::Send& send) {
          if (words[0] == "HELLO") {
            send("%1\r\n$5\r\nproto\r\n:3\r\n");
          } else if (words[0] == "GET") {
            send(answer(++gets_));
          } else {
            send("+OK\r\n");
          }
        }) {}
  std::string uri() const { return "redis://127.0.0.1:" + std::to_string(port_) + "?lanes=1"; }
  int gets() const { return gets_; }

 private:
  std::atomic<int> gets_{0};
  std::uint16_t port_;
  FakeServer server_;
};

constexpr const char* kInvalidate = ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n";

TEST(CacheOrder, AReplyWithItsInvalidationBehindItIsNotKept) {
  FakeTracking server([](int get) {
    return "$1\r\n" + std::to_string(get) + "\r\n" + (get == 1 ? kInvalidate : "");
  });
  // An executor that is late: what it runs must not put an old value into the cache.
  std::vector<std::thread> late;
  {
    Cache cache({.uri = server.uri(), .executor = [&](std::function<void()> work) {
                   late.emplace_back([work = std::move(work)] {
                     std::this_thread::sleep_for(20ms);
                     work();
                   });
                 }});
    EXPECT_EQ(*cache.call(commands::get("k")).future().get(), "1");
    ASSERT_TRUE(eventually([&] { return cache.metrics().invalidations == 1; }));
    EXPECT_EQ(*cache.get("k"), "2");
    EXPECT_EQ(*cache.get("k"), "2");
    EXPECT_EQ(server.gets(), 2);
  }
  for (std::thread& thread : late) thread.join();
}

TEST(CacheOrder, AnInvalidationBeforeTheReplyIsOfAnEarlierValue) {
  FakeTracking server([](int get) {
    return (get == 1 ? kInvalidate : std::string()) + "$1\r\n" + std::to_string(get) + "\r\n";
  });
  Cache cache({.uri = server.uri()});
  EXPECT_EQ(*cache.get("k"), "1");
  EXPECT_EQ(*cache.get("k"), "1");
  EXPECT_EQ(cache.metrics().invalidations, 1u);
}

TEST(CacheOrder, NothingIsOlderThanItsAge) {
  FakeTracking server([](int get) { return "$1\r\n" + std::to_string(get) + "\r\n"; });
  Cache cache({.uri = server.uri()}, {.age_max = 30ms});
  EXPECT_EQ(*cache.get("k"), "1");
  // A server that says nothing for ever.
  std::this_thread::sleep_for(31ms);
  EXPECT_EQ(*cache.get("k"), "2");
}

TEST(CacheOrder, AnAnswerIsAsOldAsItsQuestion) {
  FakeTracking server([](int get) {
    if (get == 1) std::this_thread::sleep_for(120ms);
    return "$1\r\n" + std::to_string(get) + "\r\n";
  });
  Cache cache({.uri = server.uri()}, {.age_max = 100ms});
  EXPECT_EQ(*cache.get("k"), "1");  // of a state that may have ended before it arrived
  EXPECT_EQ(*cache.get("k"), "2");
}

}  // namespace
}  // namespace slotcar::client
