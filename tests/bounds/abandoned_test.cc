// A long call whose reply no client will get ends by itself: its client has gone, was killed, or
// the server stops. With real threads: the call runs on one while another is notified.
#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "shard/call.h"
#include "world/live_node.h"

namespace slotcar::bounds {
namespace {

struct Endless {
  std::binary_semaphore begun{0};
  std::binary_semaphore ended{0};
};
Endless* endless = nullptr;

// TEST.ENDLESS key: replies on the slow lane until the reply is abandoned. If that is never noticed
// the test does not end.
const schema::Command kEndless{
    .name = "TEST.ENDLESS",
    .summary = "A slow call without an end of its own.",
    .since = "0.0.0",
    .syntax = "key",
    .group = schema::Group::string,
    .arity = schema::exactly(2),
    .keys = schema::key_at(1, schema::KeyUse::ro),
    .access = schema::Access::readonly,
    .runs = schema::on_keys([](shard::Call& call) {
      call.finish_without_tokens([](shard::Call& rest) {
        endless->begun.release();
        while (!rest.reply().abandoned()) std::this_thread::yield();
        rest.reply().ok();
        endless->ended.release();
      });
    }),
    .when_large = schema::WhenLarge::pin_and_answer,
};

class AbandonedTest : public testing::TestWithParam<runtime::Backend> {
 protected:
  AbandonedTest() : live_(options()) { endless = &endless_; }
  ~AbandonedTest() override { endless = nullptr; }

  static world::LiveOptions options() {
    world::LiveOptions options;
    options.backend = GetParam();
    options.more_commands = {&kEndless};
    return options;
  }

  Endless endless_;
  world::LiveNode live_;
};

TEST_P(AbandonedTest, EndsWithItsClient) {
  {
    world::LiveClient client(live_.port());
    client.send(world::encode({"TEST.ENDLESS", "key"}));
    endless_.begun.acquire();
  }
  endless_.ended.acquire();
}

TEST_P(AbandonedTest, EndsWhenItsClientIsKilled) {
  world::LiveClient client(live_.port()), admin(live_.port());
  const std::string id = std::to_string(client.run({"CLIENT", "ID"}).integer);
  client.send(world::encode({"TEST.ENDLESS", "key"}));
  endless_.begun.acquire();
  EXPECT_EQ(admin.run({"CLIENT", "KILL", "ID", id}).integer, 1);
  endless_.ended.acquire();
  EXPECT_EQ(client.receive().kind, world::Answer::Kind::closed);
}

TEST_P(AbandonedTest, EndsWithTheServer) {
  world::LiveClient client(live_.port());
  client.send(world::encode({"TEST.ENDLESS", "key"}));
  endless_.begun.acquire();
  live_.stop();
  endless_.ended.acquire();
}

INSTANTIATE_TEST_SUITE_P(Backends, AbandonedTest,
                         testing::Values(runtime::Backend::epoll, runtime::Backend::automatic));

}  // namespace
}  // namespace slotcar::bounds
