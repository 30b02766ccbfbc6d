// MULTI's state alone: what opens, spoils and closes it, what the queue keeps, what EXEC needs.
#include "session/multi.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "router/router.h"
#include "schema/slot.h"

namespace slotcar::session {
namespace {

using router::Reason;
using router::Reasons;
using schema::Access;
using schema::Command;

void handler(shard::Call&) {}
void session_handler(Session&, shard::Call&) {}
schema::WalkStep walk_start(shard::Call&) {
  return schema::WalkStep::done();
}
schema::WalkStep walk_visit(shard::Call&, shard::Shard&) {
  return schema::WalkStep::done();
}

Command command(std::string_view name, schema::Runs runs) {
  return {.name = name,
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .access = Access::write,
          .runs = runs};
}

class MultiState : public testing::Test {
 protected:
  MultiState() { set_.keys = schema::keys(1, -1, 1, schema::KeyUse::rw); }

  // Routes the words as a request inside MULTI, and queues them.
  void queue(std::initializer_list<std::string> words) {
    shard::Call call;
    std::vector<std::string> bytes(words);  // gone afterwards, as an input buffer is
    for (const std::string& word : bytes) call.arguments().add(word);
    const auto decision = router_.route(call, {.now = Reasons(Reason::in_multi), .queued = {}});
    ASSERT_EQ(decision.verdict, router::Verdict::queue);
    EXPECT_GT(multi_.queue(call, router_.refusals().stopped_by(call.command(), {})), 0u);
  }
  ShardId shard_of(std::string_view key) const { return shards_.shard_of(schema::slot_of(key)); }

  Command set_ = command("SET", schema::on_keys(handler));
  Command walk_ = command("WALK", schema::on_walk(walk_start, walk_visit));
  Command ping_ = command("PING", schema::on_session(session_handler));
  std::vector<const Command*> all_{&set_, &walk_, &ping_};
  schema::Registry registry_{all_};
  keyspace::KeyspaceShape shape_{};
  shard::ShardSet shards_{shape_};
  router::Router router_{registry_, shards_};
  Multi multi_;
};

TEST_F(MultiState, OnlyAnOpenOneIsSpoilt) {
  multi_.spoil();
  EXPECT_FALSE(multi_.is_spoilt());
  multi_.open();
  EXPECT_TRUE(multi_.is_open());
  EXPECT_FALSE(multi_.is_spoilt());
  multi_.spoil();
  EXPECT_TRUE(multi_.is_spoilt());
  multi_.close();
  EXPECT_FALSE(multi_.is_open());
  EXPECT_FALSE(multi_.is_spoilt());
}

TEST_F(MultiState, TheNextOneIsNotSpoilt) {
  multi_.open();
  multi_.spoil();
  multi_.open();
  EXPECT_FALSE(multi_.is_spoilt());
}

TEST_F(MultiState, TheQueueKeepsItsOwnCopyOfARequest) {
  multi_.open();
  queue({"SET", std::string(100, 'k')});
  ASSERT_EQ(multi_.queued(), 1u);
  const shard::Call& kept = multi_.queued(0);
  EXPECT_EQ(kept.arg(1), std::string(100, 'k'));
  ASSERT_EQ(kept.key_count(), 1u);
  EXPECT_EQ(kept.key(0).name, std::string(100, 'k'));
  EXPECT_EQ(kept.key(0).name.data(), kept.arg(1).data());
}

TEST_F(MultiState, WhatStopsOneOfTheQueueStopsExec) {
  multi_.open();
  EXPECT_TRUE(multi_.stopped_by().empty());
  queue({"SET", "a"});
  EXPECT_TRUE(multi_.stopped_by().has(Reason::log_failing));
  EXPECT_FALSE(multi_.stopped_by().has(Reason::over_memory));
  multi_.close();
  EXPECT_TRUE(multi_.stopped_by().empty());
  EXPECT_EQ(multi_.queued(), 0u);
}

TEST_F(MultiState, ExecNeedsTheShardsOfAllItsKeysEachOnce) {
  multi_.open();
  queue({"SET", "b", "a"});
  queue({"SET", "a", "c"});
  shard::Call exec;
  multi_.prepare(exec, shards_);
  const base::ShardList expected{shard_of("a"), shard_of("b"), shard_of("c")};
  EXPECT_EQ(exec.needs(), expected);
}

TEST_F(MultiState, AWalkInTheQueueNeedsEveryShard) {
  multi_.open();
  queue({"SET", "a"});
  queue({"WALK"});
  shard::Call exec;
  multi_.prepare(exec, shards_);
  EXPECT_EQ(exec.needs().size(), shards_.count());
}

}  // namespace
}  // namespace slotcar::session
