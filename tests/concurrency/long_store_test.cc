// Commands that work long on pinned values and then store the result
// (commands/long_store.h): no client sees a result of values that had changed
// meanwhile.
#include "commands/long_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "concurrency/scenario.h"
#include "resp/format.h"
#include "runtime/random.h"
#include "shard/slot_check.h"
#include "types/set_algebra.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

using resp::Value;
using world::Words;

// --- with a gate: the change in between is made to happen ---------------------------------------

// Where the work of GATED.STORE waits until the test has made its changes.
class Gate {
 public:
  // The work's side.
  void arrive(bool tokens_held) {
    std::unique_lock lock(mutex_);
    ++arrived_;
    if (tokens_held) ++arrived_holding_;
    changed_.notify_all();
    // While it holds the tokens no client could open the gate.
    if (!tokens_held) changed_.wait(lock, [&] { return arrived_ <= opened_; });
  }
  // The test's side.
  void wait_for_arrival(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= number; });
  }
  void open() {
    std::lock_guard lock(mutex_);
    ++opened_;
    changed_.notify_all();
  }
  int arrived() {
    std::lock_guard lock(mutex_);
    return arrived_;
  }
  int arrived_holding() {
    std::lock_guard lock(mutex_);
    return arrived_holding_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int arrived_holding_ = 0;
  int opened_ = 0;
};

Gate* gate = nullptr;

// GATED.STORE destination source: as SUNIONSTORE, with a gate at the beginning of its work.
bool gated_find(commands::Call& call, commands::LongStore& store) {
  if (!commands::absent_or(call, store.look_at(call, 1), types::Type::set)) return false;
  store.takes_long = true;
  return true;
}

void gated_work(commands::Call& call, commands::LongStore& store) {
  // No other call works on the source's shard while the test waits for an arrival.
  const shard::LocatedKey& source = call.located(1);
  gate->arrive(!call.shards()[source.shard].token.looks_free());
  const types::CellView seen[] = {store.sources[0].seen};
  types::unite(seen, call.settings().keyspace.types, store.result);
}

void gated_store(commands::Call& call, commands::LongStore& store) {
  const std::size_t size = types::SetView(store.result.view()).size();
  commands::store_or_remove(call, 0, types::Type::set, std::move(store.result), size == 0,
                            keyspace::EventClass::set, "gated");
  call.reply().integer(static_cast<std::int64_t>(size));
}

constexpr commands::StoreSteps kGatedSteps{gated_find, gated_work, gated_store};

const schema::Command kGatedStore{
    .name = "GATED.STORE",
    .summary = "SUNIONSTORE of one set that can be stopped at its work.",
    .since = "0.0.0",
    .syntax = "destination source",
    .group = schema::Group::set,
    .arity = schema::exactly(3),
    .keys = {schema::key_at(1, schema::KeyUse::ow | schema::KeyUse::update),
             schema::key_at(2, schema::KeyUse::ro | schema::KeyUse::access)},
    .access = schema::Access::write,
    .runs = schema::on_keys(
        [](commands::Call& call) { call.state<commands::LongStore>().run(call, kGatedSteps); }),
    .when_large = schema::WhenLarge::store,
};

class LongStoreTest : public testing::Test {
 protected:
  LongStoreTest() : live_(options()), storer_(live_.port()), other_(live_.port()) { gate = &gate_; }
  ~LongStoreTest() override { gate = nullptr; }

  static world::LiveOptions options() {
    world::LiveOptions options;
    options.more_commands = {&kGatedStore};
    return options;
  }
  std::string run(const Words& words) { return resp::format(other_.run(words)); }
  void begin_store() { storer_.send(world::encode({"GATED.STORE", "result", "source"})); }
  std::string end_store() { return resp::format(storer_.receive().value); }
  // A set so big that it is a tree, or one that is packed.
  void make_source(int size) {
    Words sadd{"SADD", "source"};
    for (int i = 0; i < size; ++i) sadd.push_back(fmt::format("member:{}", i));
    run(sadd);
  }

  Gate gate_;
  world::LiveNode live_;
  world::LiveClient storer_;
  world::LiveClient other_;
};

TEST_F(LongStoreTest, OthersWorkOnTheSourceMeanwhileAndTheirChangeIsSeen) {
  make_source(2000);
  begin_store();
  gate_.wait_for_arrival(1);
  EXPECT_EQ(run({"SADD", "source", "late"}), ":1");
  gate_.open();
  gate_.wait_for_arrival(2);
  gate_.open();
  EXPECT_EQ(end_store(), ":2001");
  EXPECT_EQ(run({"SISMEMBER", "result", "late"}), ":1");
  EXPECT_EQ(gate_.arrived(), 2);
  EXPECT_EQ(gate_.arrived_holding(), 0);
}

// A node of a cluster that loses its slots when the test says so.
class LosingSlots final : public shard::SlotCheck {
 public:
  Verdict check(shard::Thread&, shard::Call& call) const override {
    if (!lost || call.keys().empty()) return {};
    call.reply().error("MOVED 1 elsewhere");
    return {.is_refused = true};
  }
  bool refuse_waiter(shard::Thread&, shard::Call&) const override { return false; }
  void answer_moved(shard::Call&) const override {}

  std::atomic<bool> lost{false};
};

TEST_F(LongStoreTest, NothingIsStoredInASlotThatWasLostMeanwhile) {
  LosingSlots slots;
  make_source(2000);
  live_.node().settings().execution.slots = &slots;
  begin_store();
  gate_.wait_for_arrival(1);
  slots.lost = true;
  gate_.open();
  EXPECT_EQ(end_store(), "-MOVED 1 elsewhere");
  slots.lost = false;
  EXPECT_EQ(run({"EXISTS", "result"}), ":0");
  EXPECT_EQ(gate_.arrived(), 1);
  live_.stop();
}

TEST_F(LongStoreTest, WhatDoesNotConcernTheSourceDoesNotMatter) {
  make_source(2000);
  begin_store();
  gate_.wait_for_arrival(1);
  run({"SADD", "another", "late"});
  run({"SADD", "result", "late"});
  EXPECT_EQ(run({"SADD", "source", "member:1"}), ":0");
  gate_.open();
  EXPECT_EQ(end_store(), ":2000");
  EXPECT_EQ(run({"SISMEMBER", "result", "late"}), ":0");
  EXPECT_EQ(gate_.arrived(), 1);
}

TEST_F(LongStoreTest, TheThirdTimeItHoldsTheTokens) {
  make_source(2000);
  begin_store();
  for (int i = 1; i <= 2; ++i) {
    gate_.wait_for_arrival(i);
    EXPECT_EQ(run({"SADD", "source", fmt::format("late:{}", i)}), ":1");
    gate_.open();
  }
  EXPECT_EQ(end_store(), ":2002");
  EXPECT_EQ(gate_.arrived(), 3);
  EXPECT_EQ(gate_.arrived_holding(), 1);
  EXPECT_EQ(run({"SCARD", "result"}), ":2002");
}

TEST_F(LongStoreTest, APackedSourceIsComparedByItsBytes) {
  make_source(10);
  begin_store();
  gate_.wait_for_arrival(1);
  run({"SADD", "source", "late"});
  gate_.open();
  gate_.wait_for_arrival(2);
  run({"SADD", "source", "later"});
  run({"SREM", "source", "later"});
  gate_.open();
  EXPECT_EQ(end_store(), ":11");
  EXPECT_EQ(gate_.arrived(), 2);
}

TEST_F(LongStoreTest, ASourceThatComesOrGoesHasChanged) {
  begin_store();
  gate_.wait_for_arrival(1);
  make_source(10);
  gate_.open();
  gate_.wait_for_arrival(2);
  run({"DEL", "source"});
  gate_.open();
  EXPECT_EQ(end_store(), ":0");
  EXPECT_EQ(gate_.arrived_holding(), 1);
  EXPECT_EQ(run({"EXISTS", "result"}), ":0");
}

TEST_F(LongStoreTest, ASourceOfAnotherTypeIsAnError) {
  make_source(2000);
  run({"SET", "result", "untouched"});
  begin_store();
  gate_.wait_for_arrival(1);
  run({"SET", "source", "text"});
  gate_.open();
  EXPECT_TRUE(end_store().starts_with("-WRONGTYPE"));
  EXPECT_EQ(run({"GET", "result"}), "\"untouched\"");
}

TEST_F(LongStoreTest, ItIsAsIfDoneAtTheEnd) {
  make_source(2000);
  run({"SET", "result", "old"});
  begin_store();
  gate_.wait_for_arrival(1);
  EXPECT_EQ(run({"GET", "result"}), "\"old\"");
  gate_.open();
  EXPECT_EQ(end_store(), ":2000");
}

// --- by chance: members move between two sets ---------------------------------------------------

constexpr int kMembers = 1400;  // of both sets together: enough for the slow lane

std::string member(int number) {
  return fmt::format("member:{}", number);
}

class MemberActor : public Actor {
 public:
  MemberActor(int rounds, std::uint64_t seed) : random_(seed), left_(rounds) {}
  Requests next() final {
    if (left_ == 0) return {};
    --left_;
    return make();
  }

 protected:
  virtual Requests make() = 0;
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

 private:
  runtime::FastRandom random_;
  int left_;
};

class Mover final : public MemberActor {
 public:
  using MemberActor::MemberActor;
  std::string judge(const Replies& replies) override {
    return replies[0].kind == Value::Kind::integer ? "" : resp::format(replies[0]);
  }

 private:
  Requests make() override {
    const bool to_right = below(2) == 0;
    return {{"SMOVE", to_right ? "left" : "right", to_right ? "right" : "left",
             member(below(kMembers))}};
  }
};

// Checks what must hold at any moment, alone or in a transaction.
class Judge final : public MemberActor {
 public:
  Judge(int rounds, std::uint64_t seed, std::string own)
      : MemberActor(rounds, seed), own_(std::move(own)) {}

  std::string judge(const Replies& replies) override {
    const Value& last = replies.back();
    const Value& answer = in_multi_ ? last.items.at(0) : last;
    const std::int64_t found = answer.kind == Value::Kind::integer
                                   ? answer.integer
                                   : static_cast<std::int64_t>(answer.items.size());
    if (found == expected_) return "";
    return fmt::format("{} found {} members, not {}", request_[0], found, expected_);
  }

 private:
  Requests make() override {
    expected_ = kMembers;
    switch (below(6)) {
      case 0:
        request_ = {"SUNION", "left", "right"};
        break;
      case 1:
      case 2:
        request_ = {"SUNIONSTORE", own_, "left", "right"};
        break;
      case 3:
        request_ = {"SINTERSTORE", own_, "left", "right"};
        expected_ = 0;
        break;
      case 4:
        request_ = {"SINTERCARD", "3", "all", "right", "left"};
        expected_ = 0;
        break;
      default:
        request_ = {"SDIFFSTORE", own_, "all", "left", "right"};
        expected_ = 0;
    }
    in_multi_ = below(5) == 0;
    if (in_multi_) return {{"MULTI"}, request_, {"EXEC"}};
    return {request_};
  }

  std::string own_;
  Words request_;
  std::int64_t expected_ = 0;
  bool in_multi_ = false;
};

Scenario moving_members(int rounds, std::uint64_t seed) {
  Scenario scenario;
  scenario.name = "moving members";
  Words left{"SADD", "left"};
  Words right{"SADD", "right"};
  Words all{"SADD", "all"};
  for (int i = 0; i < kMembers; ++i) {
    (i % 2 == 0 ? left : right).push_back(member(i));
    all.push_back(member(i));
  }
  scenario.preparation = {left, right, all};
  for (std::uint64_t i = 0; i < 3; ++i) {
    scenario.actors.push_back(std::make_unique<Mover>(8 * rounds, seed * 10 + i));
    scenario.actors.push_back(
        std::make_unique<Judge>(rounds, seed * 10 + 5 + i, fmt::format("own:{}", i)));
  }
  scenario.finale = std::make_unique<Judge>(10, seed, "finale");
  return scenario;
}

// --- by chance: a copy is never older than what it was made of -----------------------------------

// Changes the source and removes the copy, at once.
class Changer final : public MemberActor {
 public:
  using MemberActor::MemberActor;
  std::string judge(const Replies& replies) override {
    return replies.back().items.size() == 2 ? "" : resp::format(replies.back());
  }

 private:
  Requests make() override {
    const std::string extra = fmt::format("extra:{}", below(100));
    return {{"MULTI"}, {below(2) == 0 ? "SADD" : "SREM", "all", extra}, {"DEL", "copy"}, {"EXEC"}};
  }
};

// Makes the copy again, and reads both at once: the copy is missing, or equals the source.
class Copier final : public MemberActor {
 public:
  using MemberActor::MemberActor;
  std::string judge(const Replies& replies) override {
    const auto& both = replies.back().items;
    if (both[1].integer == 0 || both[1].integer == both[0].integer) return "";
    return fmt::format("a copy of {} beside a source of {}", both[1].integer, both[0].integer);
  }

 private:
  Requests make() override {
    return {
        {"SUNIONSTORE", "copy", "all"}, {"MULTI"}, {"SCARD", "all"}, {"SCARD", "copy"}, {"EXEC"}};
  }
};

Scenario copies(int rounds, std::uint64_t seed) {
  Scenario scenario;
  scenario.name = "copies";
  Words all{"SADD", "all"};
  for (int i = 0; i < kMembers; ++i) all.push_back(member(i));
  scenario.preparation = {all};
  for (std::uint64_t i = 0; i < 2; ++i) {
    scenario.actors.push_back(std::make_unique<Changer>(2 * rounds, seed * 10 + i));
    scenario.actors.push_back(std::make_unique<Copier>(rounds, seed * 10 + 5 + i));
  }
  return scenario;
}

#if defined(SLOTCAR_SANITIZED)
constexpr int kRounds = 60;
constexpr std::uint64_t kSeeds = 6;
#else
constexpr int kRounds = 300;
constexpr std::uint64_t kSeeds = 20;
#endif

void hold_live(Scenario (*make)(int, std::uint64_t), std::uint32_t shards) {
  world::LiveOptions options;
  options.shards = shards;
  world::LiveNode live(options);
  for (const std::string& complaint : run_live(make(kRounds, shards), live)) {
    ADD_FAILURE() << complaint;
  }
}

void hold_simulated(Scenario (*make)(int, std::uint64_t), int rounds) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    world::SimNodeOptions options;
    options.shards = seed % 2 == 0 ? 4 : 64;
    options.pause_ppm = 150'000;
    world::SimNode sim(seed, options);
    for (const std::string& complaint : run_simulated(make(rounds, seed), sim, 3'000'000)) {
      ADD_FAILURE() << "seed " << seed << ": " << complaint;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MovingMembers, AreAlwaysInExactlyOneSet) {
  hold_live(moving_members, 1);
  hold_live(moving_members, 64);
}

TEST(MovingMembers, AreSoInSimulatedWorldsToo) {
  hold_simulated(moving_members, 10);
}

TEST(Copies, AreNeverOlderThanTheirSource) {
  hold_live(copies, 1);
  hold_live(copies, 64);
}

TEST(Copies, AreNeverOlderInSimulatedWorldsToo) {
  hold_simulated(copies, 20);
}

}  // namespace
}  // namespace slotcar::concurrency
