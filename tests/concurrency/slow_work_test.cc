// Long work leaves the workers and the tokens to others (shard/work_place.h). A node with one
// worker and gated commands: a call that is answered while a gate is shut did not wait for it.
#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "resp/format.h"
#include "shard/call.h"
#include "shard/transaction.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using world::Words;

struct Gate {
  std::counting_semaphore<> arrived{0};
  std::counting_semaphore<> opened{0};
};
Gate* gate = nullptr;

void wait_at_gate(shard::Call& call) {
  gate->arrived.release();
  gate->opened.acquire();
  call.reply().simple(call.thread().is_slow ? "slow thread" : "worker");
}

schema::Command gated(std::string_view name, schema::Runs::KeysHandler handler,
                      schema::WhenLarge when_large, schema::SizeEstimate size) {
  return {.name = name,
          .summary = "A long call that waits for the test.",
          .since = "0.0.0",
          .syntax = "key [key ...]",
          .group = schema::Group::string,
          .arity = schema::at_least(2),
          .keys = schema::keys(1, -1, 1, schema::KeyUse::rw),
          .access = schema::Access::write,
          .runs = schema::on_keys(handler),
          .when_large = when_large,
          .size = size};
}

// Long by its arguments; long by its data, working on pins; the same, holding its tokens.
const schema::Command kDeclared =
    gated("GATED.DECLARED", wait_at_gate, schema::WhenLarge::hold, schema::always_large);
const schema::Command kPins = gated(
    "GATED.PINS",
    [](shard::Call& call) {
      if (call.is_large(SIZE_MAX)) return call.finish_without_tokens(wait_at_gate);
      wait_at_gate(call);
    },
    schema::WhenLarge::pin_and_answer, nullptr);
const schema::Command kHolds = gated(
    "GATED.HOLDS",
    [](shard::Call& call) {
      if (!call.is_large(SIZE_MAX)) return wait_at_gate(call);
      call.finish_without_tokens([](shard::Call& there) {
        there.come_back_with_tokens([](shard::Call& again) { wait_at_gate(again); }, true);
      });
    },
    schema::WhenLarge::hold, nullptr);

class SlowWork : public testing::Test {
 protected:
  SlowWork() : live_(options()) { gate = &gate_; }
  ~SlowWork() override { gate = nullptr; }

  static world::LiveOptions options() {
    world::LiveOptions options;
    options.workers = 1;
    options.more_commands = {&kDeclared, &kPins, &kHolds};
    return options;
  }
  // A key of another shard than those of the tags used here.
  static std::string other() { return "other{z}"; }

  // Sends it, and returns when it has reached the gate.
  void begin(world::LiveClient& client, const std::vector<Words>& requests) {
    std::string bytes;
    for (const Words& words : requests) bytes += world::encode(words);
    client.send(bytes);
    gate_.arrived.acquire();
  }
  std::string shown(const resp::Value& value) { return resp::format(value); }
  resp::Value last_of(world::LiveClient& client, std::size_t replies) {
    for (; replies > 1; --replies) client.receive();
    return client.receive().value;
  }

  Gate gate_;
  world::LiveNode live_;
};

TEST_F(SlowWork, WhatIsLongByItsArgumentsLeavesTheWorker) {
  world::LiveClient slow(live_.port()), other(live_.port());
  begin(slow, {{"GATED.DECLARED", "k{a}"}});
  EXPECT_EQ(shown(other.run({"SET", this->other(), "1"})), "+OK");
  gate_.opened.release();
  EXPECT_EQ(last_of(slow, 1).text, "slow thread");
}

TEST_F(SlowWork, TheLongestHoldIsTold) {
  world::LiveClient slow(live_.port()), other(live_.port());
  begin(slow, {{"GATED.DECLARED", "k{a}"}});
  gate_.opened.release();
  EXPECT_EQ(last_of(slow, 1).text, "slow thread");
  EXPECT_NE(other.run({"INFO", "stats"}).text.find("longest_slow_hold_command:gated.declared\r\n"),
            std::string::npos);
  other.run({"CONFIG", "RESETSTAT"});
  const std::string after = other.run({"INFO", "stats"}).text;
  EXPECT_NE(after.find("longest_slow_hold_us:0\r\n"), std::string::npos);
  EXPECT_NE(after.find("longest_slow_hold_command:\r\n"), std::string::npos);
}

TEST_F(SlowWork, WhatWorksOnPinsGivesItsTokensBack) {
  world::LiveClient slow(live_.port()), other(live_.port());
  begin(slow, {{"GATED.PINS", "k{a}"}});
  EXPECT_EQ(shown(other.run({"SET", "k{a}", "1"})), "+OK");
  gate_.opened.release();
  EXPECT_EQ(last_of(slow, 1).text, "slow thread");
}

TEST_F(SlowWork, WhatHoldsItsTokensLeavesTheWorker) {
  world::LiveClient slow(live_.port()), other(live_.port());
  begin(slow, {{"GATED.HOLDS", "k{a}"}});
  EXPECT_EQ(shown(other.run({"SET", this->other(), "1"})), "+OK");
  gate_.opened.release();
  EXPECT_EQ(last_of(slow, 1).text, "slow thread");
}

// Whatever comes before and after it in the transaction, and wherever that must run.
TEST_F(SlowWork, ALongCommandInsideATransactionLeavesTheWorker) {
  for (const char* command : {"GATED.DECLARED", "GATED.PINS", "GATED.HOLDS"}) {
    world::LiveClient slow(live_.port()), other(live_.port());
    begin(slow, {{"MULTI"},
                 {"SET", "k{a}", "before"},
                 {"PING"},
                 {command, "k{b}"},
                 {"CLIENT", "GETNAME"},
                 {"APPEND", "k{a}", " after"},
                 {command, "k{b}"},
                 {"GET", "k{a}"},
                 {"EXEC"}});
    EXPECT_EQ(shown(other.run({"SET", this->other(), "1"})), "+OK");
    gate_.opened.release();
    gate_.arrived.acquire();
    EXPECT_EQ(shown(other.run({"GET", this->other()})), "\"1\"");
    gate_.opened.release();
    const resp::Value replies = last_of(slow, 9);
    ASSERT_EQ(replies.items.size(), 7u) << command;
    EXPECT_EQ(replies.items[1].text, "PONG");
    EXPECT_EQ(replies.items[2].text, "slow thread") << command;
    EXPECT_EQ(replies.items[5].text, "slow thread") << command;
    EXPECT_EQ(replies.items[6].text, "before after") << command;
  }
}

// No client sees half of a transaction that has moved.
TEST_F(SlowWork, ATransactionThatMovesKeepsItsTokens) {
  world::LiveClient slow(live_.port()), reader(live_.port()), other(live_.port());
  begin(slow,
        {{"MULTI"}, {"SET", "k{a}", "1"}, {"GATED.PINS", "k{b}"}, {"SET", "k{b}", "1"}, {"EXEC"}});
  reader.send(world::encode({"MGET", "k{a}", "k{b}"}));
  EXPECT_EQ(shown(other.run({"SET", this->other(), "1"})), "+OK");
  gate_.opened.release();
  EXPECT_EQ(shown(reader.receive().value), "1) \"1\"\n2) \"1\"");
  EXPECT_EQ(last_of(slow, 5).items.size(), 3u);
}

// Calls on very many keys of all shards, each of them atomic: others see a client's write
// completely or not at all, however long it takes and wherever it runs.
class ManyKeys : public testing::Test {
 protected:
  static constexpr int kKeys = 1500;

  ManyKeys() {
    world::LiveClient client(live_.port());
    Words push{"RPUSH", "ids"};
    for (int i = 0; i < kKeys; ++i) push.push_back(std::to_string(i));
    client.run(push);
    client.run(mset(0));
  }
  static std::string key(int i) { return "k:" + std::to_string(i); }
  static Words mset(int value) {
    Words words{"MSET"};
    for (int i = 0; i < kKeys; ++i) words.insert(words.end(), {key(i), std::to_string(value)});
    return words;
  }
  static Words mget() {
    Words words{"MGET"};
    for (int i = 0; i < kKeys; ++i) words.push_back(key(i));
    return words;
  }
  // MULTI, a SET of each key, a PING in the middle, EXEC: some of it must run on its worker.
  static std::vector<Words> transaction(int value) {
    std::vector<Words> requests{{"MULTI"}};
    for (int i = 0; i < kKeys; ++i) {
      requests.push_back({"SET", key(i), std::to_string(value)});
      if (i == kKeys / 2) requests.push_back({"PING"});
    }
    requests.push_back({"EXEC"});
    return requests;
  }
  // How many different values there are; -1: not all keys were answered.
  static int different(const resp::Value& reply) {
    if (reply.items.size() != kKeys) return -1;
    std::set<std::string> values;
    for (const resp::Value& item : reply.items) values.insert(item.text);
    return static_cast<int>(values.size());
  }

  world::LiveNode live_;
};

TEST_F(ManyKeys, AreSeenAsOfOneMoment) {
  constexpr int kRounds = 25;
  std::atomic<bool> done = false;
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      world::LiveClient client(live_.port());
      for (int round = w; !done; round += 2) {
        EXPECT_EQ(client.run(mset(round)).text, "OK");
        EXPECT_EQ(client.run_all(transaction(-round)).back().items.size(), kKeys + 1u);
      }
    });
  }
  const std::vector<Words> reads{mget(),
                                 {"SORT", "ids", "BY", "nosort", "GET", "k:*"},
                                 {"SORT", "ids", "BY", "k:*", "GET", "k:*"},
                                 {"SORT_RO", "ids", "BY", "k:*", "ALPHA", "DESC", "GET", "k:*"}};
  world::LiveClient client(live_.port());
  for (int round = 0; round < kRounds; ++round) {
    for (const Words& read : reads) EXPECT_EQ(different(client.run(read)), 1) << read[0];
    const std::vector<Words> both{{"MULTI"}, reads[1], reads[0], {"EXEC"}};
    const resp::Value replies = client.run_all(both).back();
    EXPECT_EQ(replies.items.size(), 2u);
    if (replies.items.size() == 2) {
      EXPECT_EQ(different(replies.items[0]), 1);
      EXPECT_EQ(replies.items[0].items[0].text, replies.items[1].items[0].text);
    }
    client.run({"SORT", "ids", "BY", "k:*", "GET", "k:*", "STORE", "stored"});
    EXPECT_EQ(different(client.run({"LRANGE", "stored", "0", "-1"})), 1);
  }
  done = true;
  for (std::thread& writer : writers) writer.join();
}

TEST_F(ManyKeys, AreSortedByWhatTheirNamesSay) {
  world::LiveClient client(live_.port());
  for (int i = 0; i < kKeys; ++i) {
    client.run({"SET", key(i), std::to_string(kKeys - i)});
    client.run({"HSET", "h:" + std::to_string(i), "f", "v" + std::to_string(i)});
  }
  const resp::Value all =
      client.run({"SORT", "ids", "BY", "k:*", "GET", "#", "GET", "h:*->f", "GET", "no:*"});
  ASSERT_EQ(all.items.size(), 3u * kKeys);
  for (std::size_t i = 0; i < kKeys; ++i) {
    const std::string id = std::to_string(kKeys - 1 - i);
    ASSERT_EQ(all.items[3 * i].text, id);
    ASSERT_EQ(all.items[3 * i + 1].text, "v" + id);
    ASSERT_EQ(resp::format(all.items[3 * i + 2]), "(nil)");
  }
  const resp::Value few = client.run(
      {"SORT", "ids", "BY", "k:*", "DESC", "LIMIT", "5", "2", "GET", "h:*->f", "GET", "k:*"});
  EXPECT_EQ(resp::format(few), "1) \"v5\"\n2) \"1495\"\n3) \"v6\"\n4) \"1494\"");
  client.run({"SET", key(700), "no number"});
  EXPECT_EQ(client.run({"SORT", "ids", "BY", "k:*"}).text,
            "ERR One or more scores can't be converted into double");
}

// All slow threads are busy.
class AllSlowThreadsBusy : public SlowWork {
 protected:
  AllSlowThreadsBusy() : a_(live_.port()), b_(live_.port()) {
    begin(a_, {{"GATED.DECLARED", "k{a}"}});
    begin(b_, {{"GATED.DECLARED", "k{b}"}});
  }
  void end() {
    gate_.opened.release(2);
    EXPECT_EQ(last_of(a_, 1).text, "slow thread");
    EXPECT_EQ(last_of(b_, 1).text, "slow thread");
  }
  world::LiveClient a_, b_;
};

TEST_F(AllSlowThreadsBusy, ALongCallQueuesWithoutTokens) {
  world::LiveClient third(live_.port()), other(live_.port());
  third.send(world::encode({"GATED.DECLARED", "k{c}"}));
  // It is queued when its worker has gone on to this.
  EXPECT_EQ(shown(other.run({"SET", "k{c}", "1"})), "+OK");
  gate_.opened.release(3);
  EXPECT_EQ(last_of(third, 1).text, "slow thread");
  EXPECT_EQ(last_of(a_, 1).text, "slow thread");
  EXPECT_EQ(last_of(b_, 1).text, "slow thread");
}

TEST_F(AllSlowThreadsBusy, WhatIsDeletedIsFreed) {
  world::LiveClient client(live_.port());
  Words push{"RPUSH", "big{c}"};
  push.resize(100, std::string(1000, 'x'));  // little enough for a worker
  for (int i = 0; i < 100; ++i) client.run(push);
  const std::int64_t freed = live_.node().slow_lane().objects_freed();
  client.run({"DEL", "big{c}"});
  while (live_.node().slow_lane().objects_freed() == freed) std::this_thread::yield();
  // Its thread counts this a moment later.
  while (live_.node().slow_lane().objects_to_free() != 0) std::this_thread::yield();
  end();
}

TEST_F(AllSlowThreadsBusy, ATransactionThatMovesDoesNotWaitForThem) {
  world::LiveClient client(live_.port());
  begin(client, {{"MULTI"}, {"SET", "k{c}", "1"}, {"GATED.PINS", "k{c}"}, {"EXEC"}});
  gate_.opened.release();  // all three, whichever is first
  end();
  EXPECT_EQ(last_of(client, 4).items.size(), 2u);
}

}  // namespace
}  // namespace slotcar::concurrency
