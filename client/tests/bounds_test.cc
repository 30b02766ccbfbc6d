// Every queue in a client is bounded.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <latch>
#include <thread>

#include "eventually.h"
#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

using namespace std::chrono_literals;

class Bounds : public testing::Test {
 protected:
  void SetUp() override {
    SLOTCAR_NEEDS_REDIS_SERVER();
    server_ = std::make_unique<RedisServer>(std::vector<std::string>{"--save", ""});
  }
  std::unique_ptr<RedisServer> server_;
};

TEST_F(Bounds, CallsOnTheirWayToABusyThreadAreBounded) {
  Client client({.uri = server_->uri("?lanes=1&pending-calls-max=10")});
  ASSERT_TRUE(client.wait_ready().ok());
  // The I/O thread is kept busy; nothing that is posted meanwhile reaches the lane.
  std::latch busy(1), go_on(1);
  client.call(Request("PING")).then([&](const Result<Reply>&) {
    busy.count_down();
    go_on.wait();
  });
  busy.wait();
  std::vector<std::future<Result<Reply>>> calls;
  for (int i = 0; i < 30; ++i) calls.push_back(client.call(Request("INCR").key("n")).future());
  int refused = 0;
  for (auto& one : calls) {
    if (one.wait_for(0s) != std::future_status::ready) continue;
    ++refused;
    EXPECT_EQ(one.get().error().kind, Error::Kind::overloaded);
  }
  EXPECT_EQ(refused, 20);
  go_on.count_down();
  EXPECT_TRUE(eventually([&] { return client.metrics().lanes[0].in_flight == 0; }));
  EXPECT_EQ(*Redis(client).incrby("n", 0), 10);
}

TEST_F(Bounds, ASubscribersBacklogIsBoundedInBytes) {
  Client client({.uri = server_->uri("?lanes=1")});
  Subscriber subscriber = client.subscriber();
  ASSERT_TRUE(subscriber.subscribe("c").ok());
  const std::string big(limits::kSubscriberBacklogBytesMax / 4, 'x');
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(client.run(Request("PUBLISH").arg("c").arg(std::to_string(i) + big)).ok());
  }
  ASSERT_TRUE(eventually([&] { return subscriber.dropped() == 3; }));
  EXPECT_EQ(subscriber.next(1s)->payload[0], '3');
}

}  // namespace
}  // namespace slotcar::client
