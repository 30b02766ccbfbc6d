// When a right has been taken away and that was answered, nothing happens any more that needs it,
// whatever was under way: requests that wait for tokens held by others, for a slow thread, for keys
// (BLPOP), for CLIENT UNPAUSE, commands queued by MULTI, pipelines in the middle of a batch.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "concurrency/scenario.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using world::Answer;
using world::encode;
using world::SimNodeWorld;
using world::Words;

constexpr int kUsers = 5;
constexpr int kKeys = 6;

class RightsTakenAway : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static world::SimNodeOptions options() {
    world::SimNodeOptions options;
    options.shards = 8;
    options.more_commands = concurrency::slow_commands();
    return options;
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::string key() { return "k" + std::to_string(below(kKeys)); }
  std::string value() { return std::to_string(++values_); }

  Words write() {
    switch (below(4)) {
      case 0:
        return {"MSET", key(), value(), key(), value(), key(), value()};
      case 1:
        return {"SLOW.MSET", key(), value(), key(), value()};
      default:
        return {"SET", key(), value()};
    }
  }

  void ok(const Words& words) {
    const Answer answer = world_.run("admin", words);
    ASSERT_EQ(answer.value.text, "OK") << words[0] << ' ' << describe(answer);
  }

  // One or several requests of a user, without waiting for their replies.
  void send(int user) {
    const std::string name = "alice" + std::to_string(user);
    std::string bytes;
    if (below(4) == 0) {
      bytes = encode({"BLPOP", "list", "0"});
      pending_[user] += 1;
    } else if (below(2) == 0) {
      const std::uint64_t many = 1 + below(6);
      for (std::uint64_t i = 0; i < many; ++i) bytes += encode(write());
      pending_[user] += static_cast<int>(many);
    } else {
      const std::uint64_t many = 1 + below(4);
      bytes = encode({"MULTI"});
      for (std::uint64_t i = 0; i < many; ++i) bytes += encode(write());
      bytes += encode({"EXEC"});
      pending_[user] += static_cast<int>(many) + 2;
    }
    world_.send(name, bytes);
  }

  std::string state() {
    Words words{"MGET"};
    for (int i = 0; i < kKeys; ++i) words.push_back("k" + std::to_string(i));
    return describe(world_.run("admin", words)) +
           describe(world_.run("admin", {"LRANGE", "list", "0", "-1"}));
  }

  void drain() {
    for (int user = 0; user < kUsers; ++user) {
      const std::string name = "alice" + std::to_string(user);
      for (; pending_[user] > 0; --pending_[user]) {
        const Answer answer = world_.receive(name);
        ASSERT_EQ(answer.kind, Answer::Kind::reply) << name << ' ' << describe(answer);
      }
    }
  }

  std::mt19937_64 random_{GetParam()};
  SimNodeWorld world_{GetParam(), options()};
  int pending_[kUsers] = {};
  int values_ = 0;
};

TEST_P(RightsTakenAway, NothingHappensThatNeedsThem) {
  ok({"ACL", "SETUSER", "alice", "on", "nopass", "~*", "+@all"});
  for (int user = 0; user < kUsers; ++user) {
    world_.run("alice" + std::to_string(user), {"AUTH", "alice", "x"});
  }
  for (int round = 0; round < 12; ++round) {
    const bool pauses = below(3) == 0;
    if (pauses) ok({"CLIENT", "PAUSE", "1000000", "WRITE"});
    for (int user = 0; user < kUsers; ++user) send(user);
    world_.let_pass(static_cast<runtime::Nanos>(below(200'000)));
    const bool by_key = below(2) == 0;
    ok({"ACL", "SETUSER", "alice", by_key ? "resetkeys" : "-@write"});
    const std::string before = state();
    if (pauses) ok({"CLIENT", "UNPAUSE"});
    // A blocked client is refused by the call that would serve it, and the element stays.
    world_.run("admin", {"RPUSH", "list", "x"});
    drain();
    world_.run("admin", {"RPOP", "list"});
    EXPECT_EQ(state(), before) << "round " << round;
    ok({"ACL", "SETUSER", "alice", "resetkeys", "~*", "+@all"});
    world_.run("admin", {"DEL", "list"});
  }
}

// Outside MULTI and inside: several changes in one EXEC, of which each waits.
TEST_P(RightsTakenAway, NothingIsHeardWhenThatIsAnswered) {
  for (int round = 0; round < 6; ++round) {
    ok({"ACL", "SETUSER", "alice", "on", "nopass", "+@all", "resetchannels", "&news"});
    const std::string name = "listener" + std::to_string(round);
    world_.run(name, {"AUTH", "alice", "x"});
    ASSERT_EQ(world_.run(name, {"SUBSCRIBE", "news"}).kind, Answer::Kind::reply);
    if (round % 2 == 0) {
      ok({"ACL", "SETUSER", "alice", "resetchannels"});
    } else {
      world_.send("admin", encode({"MULTI"}) +
                               encode({"ACL", "SETUSER", "alice", "resetchannels", "&other"}) +
                               encode({"SET", "k0", "v"}) +
                               encode({"ACL", "SETUSER", "alice", "resetchannels"}) +
                               encode({"EXEC"}));
      for (int i = 0; i < 4; ++i) world_.receive("admin");
      const Answer done = world_.receive("admin");
      ASSERT_EQ(done.value.items.size(), 3u) << describe(done);
    }
    // On another connection, which may be on the listener's own worker.
    for (int i = 0; i < kUsers; ++i) {
      const Answer heard =
          world_.run("publisher" + std::to_string(i), {"PUBLISH", "news", "secret"});
      EXPECT_EQ(heard.value.integer, 0) << "round " << round;
    }
    EXPECT_EQ(world_.receive(name).kind, Answer::Kind::closed) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RightsTakenAway, ::testing::Range<std::uint64_t>(1, 41));

}  // namespace
}  // namespace slotcar::sim
