// What user code sees and does, against a real server: replies in both protocols, errors inside
// EXEC, callbacks that throw, calls that are dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "eventually.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

class UserCode : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
  }
  std::unique_ptr<RedisServer> server_;
};

// The conversions guarantee that code does not depend on the protocol; checked with real servers.
TEST_F(UserCode, PairsAreTheSameInBothProtocols) {
  for (const char* query : {"?protocol=2", "?protocol=3"}) {
    Client client({.uri = server_->uri(query)});
    ASSERT_TRUE(client.run(Request::of({"ZADD", "z", "1", "a", "2.5", "b"})).ok());
    ASSERT_TRUE(client.run(Request::of({"HSET", "h", "f", "v"})).ok());
    const auto range = client.run(Request::of({"ZRANGE", "z", "0", "-1", "WITHSCORES"}));
    EXPECT_EQ(*range->as_scored(),
              (std::vector<std::pair<std::string, double>>{{"a", 1}, {"b", 2.5}}))
        << query;
    EXPECT_EQ(*range->as_strings(), (std::vector<std::string>{"a", "1", "b", "2.5"})) << query;
    const auto fields = client.run(Request::of({"HRANDFIELD", "h", "1", "WITHVALUES"}));
    EXPECT_EQ(*fields->as_map(), (std::map<std::string, std::string>{{"f", "v"}})) << query;
  }
}

TEST_F(UserCode, TheErrorsInsideExecAreShown) {
  Client client({.uri = server_->uri()});
  auto transaction = client.transaction();
  ASSERT_TRUE(transaction->queue(Request("SET").key("s").arg("x")).ok());
  ASSERT_TRUE(transaction->queue(Request("INCR").key("s")).ok());
  const auto done = transaction->exec();
  EXPECT_NE(done->describe().find("[1] error \"ERR value is not an integer"), std::string::npos)
      << done->describe();
}

TEST_F(UserCode, ExceptionsInCallbacksAreReportedAndTheClientGoesOn) {
  std::mutex mutex;
  std::vector<std::string> thrown;
  Client client({.uri = server_->uri("?lanes=1"), .on_exception = [&](std::exception_ptr error) {
                   try {
                     std::rethrow_exception(std::move(error));
                   } catch (const std::exception& e) {
                     const std::lock_guard lock(mutex);
                     thrown.push_back(e.what());
                   }
                 }});
  client.call(Request("PING")).then([](Result<Reply>) { throw std::runtime_error("callback"); });
  Subscriber subscriber = client.subscriber();
  subscriber.on_message([](const Message&) { throw std::runtime_error("message"); });
  ASSERT_TRUE(subscriber.subscribe("c").ok());
  ASSERT_TRUE(Redis(client).publish("c", "m").ok());
  ASSERT_TRUE(eventually([&] { return client.metrics().exceptions == 2; }));
  EXPECT_TRUE(Redis(client).ping().ok());
  const std::lock_guard lock(mutex);
  std::sort(thrown.begin(), thrown.end());
  EXPECT_EQ(thrown, (std::vector<std::string>{"callback", "message"}));
}

TEST_F(UserCode, ALaneWhoseInitialiserThrowsIsNotUsed) {
  std::atomic<int> asked = 0;
  Client client({.uri = server_->uri("?lanes=1"),
                 .lane_initialiser = [&](std::size_t) -> std::vector<Request> {
                   if (++asked < 3) throw std::runtime_error("not yet");
                   return {Request("CLIENT").arg("SETNAME").arg("made")};
                 },
                 .on_exception = [](std::exception_ptr) {}});
  const auto name = client.run(Request("CLIENT").arg("GETNAME"));
  ASSERT_TRUE(name.ok()) << name.error().message;
  EXPECT_EQ(name->text(), "made");
  EXPECT_EQ(client.metrics().exceptions, 2u);
}

TEST_F(UserCode, ADroppedCallIsSent) {
  Client client({.uri = server_->uri("?lanes=1")});
  { const Pending dropped = client.call(Request("INCR").key("n")); }
  client.call(Request("INCR").key("n")).detach();
  EXPECT_EQ(*Redis(client).incrby("n", 0), 2);
}

TEST_F(UserCode, ADroppedBatchIsSentOnce) {
  Client client({.uri = server_->uri("?lanes=1")});
  {
    const PendingBatch dropped = client.batch({Request("INCR").key("n"), Request("INCR").key("n")});
  }
  { const Pipeline dropped = client.pipeline(commands::incr("n"), commands::incr("n")); }
  EXPECT_EQ(*Redis(client).incrby("n", 0), 4);
  // Those that are awaited are not sent again when they are destroyed.
  PendingBatch batch = client.batch({Request("INCR").key("n")});
  EXPECT_TRUE(std::move(batch).get()[0].ok());
  Pipeline pipeline = client.pipeline(commands::incr("n"));
  const auto awaited = [](Pipeline<std::int64_t> inner) -> Task<std::int64_t> {
    co_return *std::get<0>(co_await std::move(inner));
  };
  EXPECT_EQ(sync_wait(awaited(std::move(pipeline))), 6);
  EXPECT_EQ(*Redis(client).incrby("n", 0), 6);
}

}  // namespace
}  // namespace slotcar::client
