// What a stopping node still does for its clients.
#include <gtest/gtest.h>

#include <semaphore>
#include <string>
#include <thread>

#include "resp/format.h"
#include "shard/call.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

// What the running GATED.SLOW waits for.
struct Gate {
  std::binary_semaphore arrived{0};
  std::binary_semaphore opened{0};
};
Gate* gate = nullptr;

// GATED.SLOW key size: replies with that many bytes, on the slow lane, once the gate is opened.
const schema::Command kGatedSlow{
    .name = "GATED.SLOW",
    .summary = "A slow call that waits for the test.",
    .since = "0.0.0",
    .syntax = "key size",
    .group = schema::Group::string,
    .arity = schema::exactly(3),
    .keys = schema::key_at(1, schema::KeyUse::ro),
    .access = schema::Access::readonly,
    .runs = schema::on_keys([](shard::Call& call) {
      gate->arrived.release();
      gate->opened.acquire();
      call.reply().bulk(std::string(std::stoul(std::string(call.arg(2))), 'x'));
    }),
    .when_large = schema::WhenLarge::hold,
    .size = schema::always_large,
};

class StoppingTest : public testing::TestWithParam<runtime::Backend> {
 protected:
  StoppingTest() : live_(options()) { gate = &gate_; }
  ~StoppingTest() override { gate = nullptr; }

  static world::LiveOptions options() {
    world::LiveOptions options;
    options.backend = GetParam();
    options.more_commands = {&kGatedSlow};
    return options;
  }

  Gate gate_;
  world::LiveNode live_;
};

TEST_P(StoppingTest, the_reply_of_a_slow_call_under_way_is_sent_first) {
  // More than is sent in one turn.
  constexpr std::size_t kBytes = 8 << 20;
  world::LiveClient slow(live_.port()), idle(live_.port());
  idle.run({"PING"});
  slow.send(world::encode({"GATED.SLOW", "key", std::to_string(kBytes)}));
  gate_.arrived.acquire();

  std::thread stopper([this] { live_.stop(); });
  // The others are closed at once; from here on the node is stopping.
  EXPECT_EQ(idle.receive().kind, world::Answer::Kind::closed);
  gate_.opened.release();
  const world::Answer answer = slow.receive();
  ASSERT_EQ(answer.kind, world::Answer::Kind::reply) << world::describe(answer);
  EXPECT_EQ(answer.value.text.size(), kBytes);
  EXPECT_EQ(slow.receive().kind, world::Answer::Kind::closed);
  stopper.join();
}

INSTANTIATE_TEST_SUITE_P(Backends, StoppingTest,
                         testing::Values(runtime::Backend::epoll, runtime::Backend::automatic));

}  // namespace
}  // namespace slotcar::concurrency
