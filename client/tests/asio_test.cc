// slotcar/asio.h with Asio itself: coroutines of Asio, callbacks, futures, and Asio as the executor
// of a client.
#include "slotcar/asio.h"

#include <gtest/gtest.h>

#include <asio/awaitable.hpp>
#include <asio/bind_executor.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>
#include <thread>

#include "redis_server.h"
#include "slotcar/redis.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class AsioTest : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
  }
  std::unique_ptr<RedisServer> server_;
  asio::io_context context_;
};

asio::awaitable<void> talk(Client& client, std::thread::id thread, std::int64_t& sum) {
  AsyncRedis redis(client);
  for (int i = 0; i < 10; ++i) {
    Result<std::int64_t> count = co_await async(redis.incr("n"), asio::use_awaitable);
    EXPECT_EQ(std::this_thread::get_id(), thread);
    sum += *count;
  }
  Result<Reply> raw = co_await async(client.call(Request("PING")), asio::use_awaitable);
  EXPECT_EQ(raw->text(), "PONG");
  auto [n, none] = co_await async(redis.pipeline(commands::get<int>("n"), commands::get("none")),
                                  asio::use_awaitable);
  EXPECT_EQ(*n, 10);
  EXPECT_EQ(*none, std::nullopt);
  asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
  co_await timer.async_wait(asio::use_awaitable);
  Result<Reply> wrong = co_await async(client.call(Request("MULTI")), asio::use_awaitable);
  EXPECT_EQ(wrong.error().kind, Error::Kind::usage);
  EXPECT_EQ(std::this_thread::get_id(), thread);
}

TEST_F(AsioTest, ItsCoroutinesAwaitCallsOnTheirOwnThread) {
  Client client({.uri = server_->uri()});
  std::int64_t sum = 0;
  asio::co_spawn(context_, talk(client, std::this_thread::get_id(), sum), asio::detached);
  context_.run();  // ends when the last call has ended, not before
  EXPECT_EQ(sum, 55);
}

TEST_F(AsioTest, FuturesAndCallbacks) {
  Client client({.uri = server_->uri()});
  std::future<Result<Reply>> later = async(client.call(Request("PING")), asio::use_future);
  EXPECT_EQ(later.get()->text(), "PONG");
  bool called = false;
  async(client.call(Request("PING")), asio::bind_executor(context_, [&](Result<Reply> reply) {
          EXPECT_EQ(reply->text(), "PONG");
          called = true;
        }));
  context_.run();
  EXPECT_TRUE(called);
}

TEST_F(AsioTest, IsTheExecutorOfAClient) {
  Client client({.uri = server_->uri(), .executor = asio_executor(context_.get_executor())});
  const auto work = asio::make_work_guard(context_);
  std::thread::id where;
  client.call(Request("PING")).then([&](Result<Reply>) {
    where = std::this_thread::get_id();
    context_.stop();
  });
  context_.run();
  EXPECT_EQ(where, std::this_thread::get_id());
}

}  // namespace
}  // namespace slotcar::client
