// What a blocked client may rely on (BLPOP and relatives), against a node with real threads and
// sockets. The seeded twin is sim/waiting.h.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "session/clients.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using world::Answer;
using world::LiveClient;
using world::Words;

class Waiting : public testing::Test {
 protected:
  explicit Waiting(const world::LiveOptions& options = {}) : live_(options) {}

  resp::Value run(const Words& words) { return control_.run(words); }
  std::int64_t integer(const Words& words) { return run(words).integer; }

  // Sends a request and returns when it is blocked.
  void block(LiveClient& client, const Words& words) {
    const std::int64_t before = waiting();
    client.send(world::encode(words));
    await_waiting(before + 1);
  }
  std::int64_t waiting() { return live_.node().counters().waiting_now; }
  void await_waiting(std::int64_t count) {
    while (waiting() != count) std::this_thread::yield();
  }
  // Queue entries are removed shortly after the client got its reply.
  void await_no_waited_keys() {
    for (;;) {
      std::int64_t keys = 0;
      for (const shard::Thread* thread : live_.node().threads()) keys += thread->waiting.keys.get();
      if (keys == 0) return;
      std::this_thread::yield();
    }
  }
  static void expect_pair(LiveClient& client, const std::string& key, const std::string& element) {
    const Answer answer = client.receive();
    ASSERT_EQ(answer.kind, Answer::Kind::reply);
    ASSERT_EQ(answer.value.items.size(), 2u) << describe(answer);
    EXPECT_EQ(answer.value.items[0].text, key);
    EXPECT_EQ(answer.value.items[1].text, element);
  }
  static void expect_text(LiveClient& client, const std::string& text) {
    EXPECT_EQ(client.receive().value.text, text);
  }
  LiveClient connect() { return LiveClient(live_.port()); }

  world::LiveNode live_;
  LiveClient control_{live_.port()};
};

// --- the normal case

TEST_F(Waiting, BlpopIsWokenByAPushAtEitherEnd) {
  LiveClient client = connect();
  block(client, {"BLPOP", "list", "0"});
  EXPECT_EQ(integer({"RPUSH", "list", "a", "b"}), 2);  // the length before any element was popped
  expect_pair(client, "list", "a");
  run({"DEL", "list"});
  block(client, {"BLPOP", "list", "0"});
  run({"LPUSH", "list", "a", "b"});
  expect_pair(client, "list", "b");
}

TEST_F(Waiting, BrpopTakesFromTheOtherEnd) {
  LiveClient client = connect();
  block(client, {"BRPOP", "list", "0"});
  run({"RPUSH", "list", "a", "b"});
  expect_pair(client, "list", "b");
  EXPECT_EQ(integer({"LLEN", "list"}), 1);
}

// --- timeouts

TEST_F(Waiting, ATimeoutIsAnsweredWithNilByBothAndNotBeforeItsTime) {
  LiveClient client = connect();
  for (const char* name : {"BLPOP", "BRPOP"}) {
    const auto begin = std::chrono::steady_clock::now();
    const resp::Value reply = client.run({name, "nothing", "0.05"});
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
    EXPECT_EQ(reply.kind, resp::Value::Kind::null);
  }
  await_no_waited_keys();
  run({"RPUSH", "nothing", "kept"});
  EXPECT_EQ(integer({"LLEN", "nothing"}), 1);
}

TEST_F(Waiting, TimeoutZeroWaitsUntilSomethingComes) {
  LiveClient client = connect();
  block(client, {"BLPOP", "list", "0"});
  LiveClient other = connect();
  EXPECT_EQ(other.run({"BLPOP", "other", "0.1"}).kind, resp::Value::Kind::null);
  EXPECT_EQ(waiting(), 1);
  run({"RPUSH", "list", "at last"});
  expect_pair(client, "list", "at last");
}

// --- several keys

TEST_F(Waiting, TheKeyThatIsFilledFirstIsTakenWhateverItsPlace) {
  LiveClient client = connect();
  block(client, {"BLPOP", "k1", "k2", "0"});
  run({"RPUSH", "k2", "second"});
  run({"RPUSH", "k1", "first"});
  expect_pair(client, "k2", "second");
  EXPECT_EQ(integer({"LLEN", "k1"}), 1);
}

TEST_F(Waiting, OfKeysFilledTogetherTheFirstOfTheRequestWins) {
  LiveClient client = connect();
  block(client, {"BLPOP", "k1", "k2", "k3", "0"});
  run({"MULTI"});
  run({"RPUSH", "k3", "c"});
  run({"RPUSH", "k2", "b"});
  run({"EXEC"});
  expect_pair(client, "k2", "b");
  EXPECT_EQ(integer({"LLEN", "k3"}), 1);
}

TEST_F(Waiting, ATransactionIsSeenAsAWhole) {
  LiveClient client = connect();
  block(client, {"BLPOP", "list", "0"});
  run({"MULTI"});
  run({"LPUSH", "list", "a"});
  run({"DEL", "list"});
  run({"EXEC"});
  EXPECT_EQ(waiting(), 1);
  run({"MULTI"});
  run({"LPUSH", "list", "a"});
  run({"LPUSH", "list", "b"});
  run({"LPUSH", "list", "c"});
  run({"EXEC"});
  expect_pair(client, "list", "c");
}

TEST_F(Waiting, InsideATransactionNobodyWaits) {
  run({"MULTI"});
  run({"BLPOP", "nothing", "0"});
  run({"BLMOVE", "nothing", "else", "LEFT", "LEFT", "0"});
  run({"BZPOPMIN", "nothing", "0"});
  run({"XREAD", "BLOCK", "0", "STREAMS", "nothing", "$"});
  const resp::Value replies = run({"EXEC"});
  ASSERT_EQ(replies.items.size(), 4u);
  for (const resp::Value& reply : replies.items) EXPECT_EQ(reply.kind, resp::Value::Kind::null);
}

// --- fairness

TEST_F(Waiting, WhoCameFirstIsServedFirst) {
  LiveClient first = connect();
  LiveClient second = connect();
  block(first, {"BLPOP", "list", "0"});
  block(second, {"BLPOP", "list", "0"});
  run({"RPUSH", "list", "1"});
  expect_pair(first, "list", "1");
  run({"RPUSH", "list", "2"});
  expect_pair(second, "list", "2");
}

TEST_F(Waiting, APushOfManyServesManyInTheirOrderWhateverTheBatch) {
  run({"CONFIG", "SET", "blocking-wakeup-batch-size", "3"});
  std::vector<LiveClient> clients;
  Words push = {"RPUSH", "list"};
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect());
    block(clients.back(), {"BLPOP", "list", "0"});
    push.push_back(std::to_string(i));
  }
  // In one write: a call on the key in between gets no element that belongs to a waiter.
  const Words requests[] = {push, {"LPOP", "list"}};
  const auto replies = control_.run_all(requests);
  EXPECT_EQ(replies[0].integer, 20);
  EXPECT_EQ(replies[1].kind, resp::Value::Kind::null);
  for (int i = 0; i < 20; ++i) expect_pair(clients[i], "list", std::to_string(i));
  await_no_waited_keys();
}

TEST_F(Waiting, MoversOverShardsKeepTheirPlaces) {
  LiveClient mover = connect();
  LiveClient second = connect();
  LiveClient third = connect();
  block(mover, {"BLMOVE", "from", "to", "LEFT", "RIGHT", "0"});
  block(second, {"BLPOP", "from", "0"});
  block(third, {"BLPOP", "to", "0"});
  run({"RPUSH", "from", "1", "2"});
  expect_text(mover, "1");
  expect_pair(second, "from", "2");
  expect_pair(third, "to", "1");
  await_no_waited_keys();
}

// --- clients that leave

TEST_F(Waiting, WhoDisconnectsGetsNothingAndTheNextOneDoes) {
  std::optional<LiveClient> gone(connect());
  LiveClient next = connect();
  block(*gone, {"BLPOP", "list", "0"});
  block(next, {"BLPOP", "list", "0"});
  gone.reset();
  await_waiting(1);
  run({"RPUSH", "list", "element"});
  expect_pair(next, "list", "element");
  EXPECT_EQ(integer({"EXISTS", "list"}), 0);
}

TEST_F(Waiting, SoItIsWithRequestsUnreadBehindTheWait) {
  std::optional<LiveClient> gone(connect());
  block(*gone, {"BLPOP", "list", "0"});
  gone->send(world::encode({"PING"}));
  gone.reset();
  await_waiting(0);
  run({"RPUSH", "list", "element"});
  EXPECT_EQ(integer({"LLEN", "list"}), 1);
}

TEST_F(Waiting, WhatWasPipelinedBehindAWaitComesAfterIt) {
  LiveClient client = connect();
  block(client, {"BLPOP", "list", "0"});
  client.send(world::encode({"ECHO", "later"}));
  run({"RPUSH", "list", "element"});
  expect_pair(client, "list", "element");
  expect_text(client, "later");
}

TEST_F(Waiting, AKilledClientLeavesNoGhost) {
  LiveClient client = connect();
  const std::string id = std::to_string(client.run({"CLIENT", "ID"}).integer);
  block(client, {"BLPOP", "a", "b", "c", "0"});
  EXPECT_NE(run({"CLIENT", "LIST", "ID", id}).text.find("flags=b"), std::string::npos);
  EXPECT_EQ(integer({"CLIENT", "KILL", "ID", id}), 1);
  EXPECT_EQ(client.receive().kind, Answer::Kind::closed);
  await_waiting(0);
  await_no_waited_keys();
  run({"RPUSH", "b", "element"});
  EXPECT_EQ(integer({"LLEN", "b"}), 1);
}

// Killer and victim may be on different workers: the kill gets its reply only when later pushes
// cannot reach the victim any more.
TEST_F(Waiting, WhatIsPushedAfterAKillWasAnsweredIsNotGivenToTheKilled) {
#if defined(SLOTCAR_SANITIZED)
  constexpr int kRounds = 100;
#else
  constexpr int kRounds = 1000;
#endif
  for (int i = 0; i < kRounds; ++i) {
    LiveClient client = connect();
    const std::string id = std::to_string(client.run({"CLIENT", "ID"}).integer);
    const std::string key = "list" + std::to_string(i);
    client.send(world::encode({"BLPOP", key, "0"}));
    // It is in the queue of the key; its worker may not know that yet.
    while (live_.node().scheduler().waiters().total() == 0) std::this_thread::yield();
    const Words kill_and_push[] = {{"CLIENT", "KILL", "ID", id}, {"RPUSH", key, "element"}};
    const auto replies = control_.run_all(kill_and_push);
    EXPECT_EQ(replies[0].integer, 1);
    EXPECT_EQ(client.receive().kind, Answer::Kind::closed);
    ASSERT_EQ(integer({"LLEN", key}), 1) << "round " << i;
  }
  await_waiting(0);
  await_no_waited_keys();
}

TEST_F(Waiting, AWaitCanBeUnblockedAsSoonAsItHasBegun) {
  LiveClient client = connect();
  const std::string id = std::to_string(client.run({"CLIENT", "ID"}).integer);
  for (int i = 0; i < 300; ++i) {
    client.send(world::encode({"BLPOP", "list", "0"}));
    while (integer({"CLIENT", "UNBLOCK", id}) == 0) {
      // Not even begun.
    }
    // Later elements are not for it.
    EXPECT_EQ(integer({"RPUSH", "list", "element"}), 1);
    EXPECT_EQ(client.receive().value.kind, resp::Value::Kind::null);
    run({"DEL", "list"});
  }
}

TEST_F(Waiting, ClientUnblockEndsAWaitAsATimeoutOrWithAnError) {
  LiveClient client = connect();
  const std::string id = std::to_string(client.run({"CLIENT", "ID"}).integer);
  EXPECT_EQ(integer({"CLIENT", "UNBLOCK", id}), 0);
  block(client, {"BLPOP", "list", "0"});
  EXPECT_EQ(integer({"CLIENT", "UNBLOCK", id}), 1);
  EXPECT_EQ(client.receive().value.kind, resp::Value::Kind::null);
  block(client, {"BZPOPMIN", "set", "0"});
  EXPECT_EQ(integer({"CLIENT", "UNBLOCK", id, "ERROR"}), 1);
  expect_text(client, "UNBLOCKED client unblocked via CLIENT UNBLOCK");
  EXPECT_EQ(client.run({"PING"}).text, "PONG");
  await_no_waited_keys();
}

TEST_F(Waiting, AChangeOfRoleEndsAllWaitsAndTheirConnections) {
  LiveClient first = connect();
  LiveClient second = connect();
  block(first, {"BLPOP", "list", "0"});
  block(second, {"XREAD", "BLOCK", "0", "STREAMS", "stream", "$"});
  session::unblock_for_role_change(live_.node().services());
  for (LiveClient* client : {&first, &second}) {
    expect_text(*client,
                "UNBLOCKED force unblock from blocking operation, instance state changed (master "
                "-> replica?)");
    EXPECT_EQ(client->receive().kind, Answer::Kind::closed);
  }
  await_waiting(0);
}

TEST_F(Waiting, TheEndOfTheNodeEndsWaitsAndTheNextOneKnowsNothingOfThem) {
  LiveClient client = connect();
  block(client, {"BLPOP", "list", "0"});
  live_.stop();
  EXPECT_EQ(client.receive().kind, Answer::Kind::closed);
  world::LiveNode next;
  LiveClient again(next.port());
  EXPECT_EQ(again.run({"RPUSH", "list", "element"}).integer, 1);
  EXPECT_EQ(again.run({"LLEN", "list"}).integer, 1);
  EXPECT_EQ(next.node().counters().waiting_now.load(), 0);
}

// --- keys that go, and databases that change places

TEST_F(Waiting, AKeyThatExpiresIsNotThereAndWakesNobody) {
  LiveClient client = connect();
  run({"CONFIG", "RESETSTAT"});
  block(client, {"BLPOP", "list", "0"});
  // The set exists and does not wake the client; it expires, and nothing is popped from it.
  run({"SADD", "list", "phantom"});
  run({"PEXPIRE", "list", "1"});
  while (integer({"EXISTS", "list"}) != 0) std::this_thread::yield();
  EXPECT_EQ(waiting(), 1);
  run({"RPUSH", "list", "element"});
  expect_pair(client, "list", "element");
}

TEST_F(Waiting, SwapdbBringsAKeyToItsWaiters) {
  LiveClient client = connect();
  LiveClient other = connect();
  other.run({"SELECT", "3"});
  block(client, {"BLPOP", "list", "0"});
  other.run({"RPUSH", "list", "element"});
  EXPECT_EQ(waiting(), 1);
  run({"SWAPDB", "0", "3"});
  expect_pair(client, "list", "element");
}

TEST_F(Waiting, FlushallLeavesWaitersOfListsAndEndsThoseOfGroups) {
  LiveClient client = connect();
  LiveClient consumer = connect();
  run({"XGROUP", "CREATE", "stream", "g", "$", "MKSTREAM"});
  block(client, {"BLPOP", "list", "0"});
  block(consumer, {"XREADGROUP", "GROUP", "g", "ann", "BLOCK", "0", "STREAMS", "stream", ">"});
  run({"FLUSHALL"});
  EXPECT_TRUE(consumer.receive().value.text.starts_with("NOGROUP "));
  EXPECT_EQ(waiting(), 1);
  run({"RPUSH", "list", "element"});
  expect_pair(client, "list", "element");
}

TEST_F(Waiting, DuringAPauseNobodyIsServedAndTimeoutsGoOn) {
  LiveClient client = connect();
  LiveClient timed = connect();
  LiveClient pusher = connect();
  block(client, {"BLPOP", "list", "0"});
  block(timed, {"BLPOP", "other", "0.05"});
  run({"CLIENT", "PAUSE", "100000", "WRITE"});
  pusher.send(world::encode({"RPUSH", "list", "element"}));
  EXPECT_EQ(timed.receive().value.kind, resp::Value::Kind::null);
  EXPECT_EQ(waiting(), 1);
  run({"CLIENT", "UNPAUSE"});
  expect_pair(client, "list", "element");
  EXPECT_EQ(pusher.receive().value.integer, 1);
}

// --- bounds

TEST_F(Waiting, ThereAreBoundsOnWaitersAndOnTheirKeys) {
  constexpr std::string_view kTooMany = "ERR too many blocked clients";
  LiveClient one = connect();
  LiveClient two = connect();
  run({"CONFIG", "SET", "blocking-max-keys-per-wait", "2"});
  EXPECT_TRUE(one.run({"BLPOP", "a", "b", "c", "0"}).text.starts_with(kTooMany));
  run({"CONFIG", "SET", "blocking-max-waiters-per-key", "1"});
  block(one, {"BLPOP", "a", "b", "0"});
  EXPECT_TRUE(two.run({"BLPOP", "b", "0"}).text.starts_with(kTooMany));
  run({"CONFIG", "SET", "blocking-max-total-waiters", "1"});
  EXPECT_TRUE(two.run({"BLPOP", "c", "0"}).text.starts_with(kTooMany));
  run({"RPUSH", "a", "element"});
  expect_pair(one, "a", "element");
  block(two, {"BLPOP", "c", "0"});
}

// --- many at once

#if defined(SLOTCAR_SANITIZED)
constexpr int kPushesOfEach = 400;
#else
constexpr int kPushesOfEach = 3000;
#endif

class Crowd : public Waiting {
 protected:
  static constexpr int kBlockers = 4;
  static constexpr int kPushers = 3;

  Crowd() : Waiting({.workers = 3, .shards = 8}) {}

  std::string key(std::uint64_t number) { return fmt::format("k{}", number % 4); }

  void push(int number) {
    LiveClient client = connect();
    runtime::FastRandom random(static_cast<std::uint64_t>(number) + 100);
    for (int i = 0; i < kPushesOfEach; ++i) {
      const std::string element = fmt::format("{}:{}", number, i);
      if (random.below(4) != 0) {
        client.run({"RPUSH", key(random.next()), element});
        continue;
      }
      const Words transaction[] = {{"MULTI"},
                                   {"RPUSH", key(random.next()), element},
                                   {"LPUSH", "k9", "x"},
                                   {"LPOP", "k9"},
                                   {"EXEC"}};
      client.run_all(transaction);
    }
  }

  // Until it gets its "stop".
  void pop(int number) {
    std::optional<LiveClient> client(connect());
    ids_[number] = client->run({"CLIENT", "ID"}).integer;
    runtime::FastRandom random(static_cast<std::uint64_t>(number) + 1);
    for (;;) {
      static constexpr const char* kTimeouts[] = {"0", "0.001", "0.01"};
      const std::string timeout = kTimeouts[random.below(3)];
      if (random.below(8) == 0) {
        client->send(world::encode(
            {"BLMOVE", key(random.next()), key(random.next()), "LEFT", "RIGHT", "0.005"}));
      } else {
        client->send(
            world::encode({"BLPOP", key(random.next()), key(random.next()), "stop", timeout}));
      }
      const Answer answer = client->receive();
      if (answer.kind == Answer::Kind::closed) {
        client.emplace(live_.port());
        ids_[number] = client->run({"CLIENT", "ID"}).integer;
        continue;
      }
      ASSERT_EQ(answer.kind, Answer::Kind::reply);
      if (answer.value.items.size() != 2) continue;
      if (answer.value.items[0].text == "stop") return;
      std::lock_guard lock(mutex_);
      ++delivered_[answer.value.items[1].text];
    }
  }

  void spoil(const std::atomic<bool>& stop) {
    LiveClient client = connect();
    runtime::FastRandom random(7);
    while (!stop) {
      const std::string id = std::to_string(ids_[random.below(kBlockers)].load());
      if (random.below(20) == 0) {
        client.run({"CLIENT", "KILL", "ID", id});
      } else {
        client.run({"CLIENT", "UNBLOCK", id, random.below(2) == 0 ? "ERROR" : "TIMEOUT"});
      }
    }
  }

  std::array<std::atomic<std::int64_t>, kBlockers> ids_{};
  std::mutex mutex_;
  std::map<std::string, int> delivered_;
};

TEST_F(Crowd, EveryElementReachesExactlyOneOfThem) {
  std::atomic<bool> stop{false};
  {
    std::vector<std::jthread> blockers;
    std::vector<std::jthread> pushers;
    for (int i = 0; i < kBlockers; ++i) blockers.emplace_back([this, i] { pop(i); });
    std::jthread spoiler([this, &stop] { spoil(stop); });
    for (int i = 0; i < kPushers; ++i) pushers.emplace_back([this, i] { push(i); });
    for (std::jthread& pusher : pushers) pusher.join();
    stop = true;
    spoiler.join();
    for (int i = 0; i < kBlockers; ++i) run({"RPUSH", "stop", "now"});
  }
  std::size_t left = 0;
  for (int i = 0; i < 4; ++i) {
    for (const resp::Value& element :
         run({"LRANGE", key(static_cast<std::uint64_t>(i)), "0", "-1"}).items) {
      ++delivered_[element.text];
      ++left;
    }
  }
  EXPECT_EQ(delivered_.size(), static_cast<std::size_t>(kPushers * kPushesOfEach));
  for (const auto& [element, times] : delivered_) EXPECT_EQ(times, 1) << element;
  EXPECT_LT(left, delivered_.size());
  await_waiting(0);
  await_no_waited_keys();
}

}  // namespace
}  // namespace slotcar::concurrency
