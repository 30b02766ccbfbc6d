// The connection's decisions as tables: how a request runs, what CLIENT REPLY does, what closing
// wakes, what comes before the next batch.
#include "session/machine.h"

#include <gtest/gtest.h>

#include <vector>

namespace slotcar::session {
namespace {

using schema::Access;
using schema::Command;
using Way = Machine::Way;

void keys_handler(shard::Call&) {}
void session_handler(Session&, shard::Call&) {}

Command command(Access access, schema::Runs runs) {
  return {.name = "X",
          .summary = {},
          .since = {},
          .group = schema::Group::generic,
          .arity = schema::at_least(1),
          .access = access,
          .runs = runs};
}

struct Commands {
  Command get = command(Access::readonly, schema::on_keys(keys_handler));
  Command blpop = command(Access::write | Access::blocking, schema::on_keys(keys_handler));
  Command exec = command(Access::write, schema::on_keys(keys_handler));
  Command every = command(Access::write, schema::on_all_shards(keys_handler));
  Command ping = command(Access::fast, schema::on_session(session_handler));
  Command list = command(Access::admin, schema::on_session(session_handler));
  Command multi = command(Access::fast, schema::on_session(session_handler));
  Commands() { exec.queued = multi.queued = false; }
};

struct Request {
  const Command& command;
  bool has_shards = true;
  bool begins_slow = false;
  bool paused = false;
  bool nothing_before = true;
};

Way way(const Machine& machine, const Request& request) {
  return machine.way({.command = request.command,
                      .has_shards = request.has_shards,
                      .begins_slow = request.begins_slow,
                      .paused = request.paused,
                      .nothing_before = request.nothing_before});
}

TEST(Machine, SaysHowARequestRuns) {
  const Commands c;
  const struct {
    const char* name;
    Request request;
    Way expected;
  } rows[] = {
      {"a quick command on keys", {c.get}, Way::together},
      {"behind others", {.command = c.get, .nothing_before = false}, Way::together},
      {"without keys", {.command = c.get, .has_shards = false}, Way::alone},
      {"of many elements", {.command = c.get, .begins_slow = true}, Way::alone},
      {"under a pause", {.command = c.get, .paused = true}, Way::alone},
      {"one that may block", {c.blpop}, Way::alone},
      {"EXEC", {c.exec}, Way::alone},
      {"on every shard", {c.every}, Way::alone},
      {"fast, on the session", {c.ping}, Way::at_once},
      {"it, without keys", {.command = c.ping, .has_shards = false}, Way::at_once},
      {"it, behind others", {.command = c.ping, .nothing_before = false}, Way::alone},
      {"it, under a pause", {.command = c.ping, .paused = true}, Way::alone},
      {"on the session, not fast", {c.list}, Way::alone},
      {"MULTI", {c.multi}, Way::alone},
  };
  for (const auto& row : rows) EXPECT_EQ(way({}, row.request), row.expected) << row.name;
}

TEST(Machine, WithoutRepliesEverythingRunsAlone) {
  const Commands c;
  for (const ReplyMode mode : {ReplyMode::off, ReplyMode::skip_this, ReplyMode::skip_next}) {
    Machine machine;
    machine.set_reply_mode(mode);
    EXPECT_EQ(way(machine, {c.get}), Way::alone);
    EXPECT_EQ(way(machine, {c.ping}), Way::alone);
  }
}

TEST(Machine, ClientReplySilencesWhatItSays) {
  // The mode that CLIENT REPLY leaves, and whether its own reply and the next three are silent.
  const struct {
    ReplyMode mode;
    std::vector<bool> silent;
  } rows[] = {
      {ReplyMode::on, {false, false, false, false}},
      {ReplyMode::off, {true, true, true, true}},
      {ReplyMode::skip_next, {false, true, false, false}},  // SKIP itself writes nothing
  };
  for (const auto& row : rows) {
    Machine machine;
    machine.set_reply_mode(row.mode);
    std::vector<bool> silent;
    for (std::size_t i = 0; i < row.silent.size(); ++i) {
      silent.push_back(machine.silent());
      EXPECT_FALSE(machine.answered());
    }
    EXPECT_EQ(silent, row.silent);
  }
}

TEST(Machine, ClosesAfterTheReplyThatSaysSo) {
  Machine machine;
  EXPECT_FALSE(machine.answered());
  machine.close_after_reply();
  EXPECT_FALSE(machine.closing());
  EXPECT_TRUE(machine.answered());
}

TEST(Machine, ClosesOnceAndLingersForAWhile) {
  Machine machine;
  EXPECT_FALSE(machine.lingers(1'000'000));
  EXPECT_TRUE(machine.close(5'000));
  EXPECT_TRUE(machine.closing());
  EXPECT_FALSE(machine.finished());
  EXPECT_FALSE(machine.close(9'000));  // the first time counts
  EXPECT_FALSE(machine.lingers(15'000));
  EXPECT_TRUE(machine.lingers(15'001));
  machine.finish();
  EXPECT_TRUE(machine.finished());
  EXPECT_TRUE(machine.closing());
}

TEST(Machine, ClosingWakesWhatWouldWaitForTheClient) {
  using Nudge = Machine::Nudge;
  const struct {
    Wait wait;
    Nudge expected;
  } rows[] = {
      {Wait::nothing, Nudge::none},     {Wait::input, Nudge::wake},
      {Wait::output_room, Nudge::wake}, {Wait::unpaused, Nudge::wake},
      {Wait::log_room, Nudge::wake},    {Wait::call_done, Nudge::end_key_wait},
      {Wait::next_turn, Nudge::none},   {Wait::room_made, Nudge::none},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Machine::nudge(row.wait), row.expected) << static_cast<int>(row.wait);
  }
}

TEST(Machine, ItsShareOfATurnAndUnreadRepliesBoundIt) {
  Machine machine;
  EXPECT_EQ(machine.before_next_batch(limits::kUnreadOutputMax), Wait::nothing);
  EXPECT_EQ(machine.before_next_batch(limits::kUnreadOutputMax + 1), Wait::output_room);
  for (std::size_t i = 1; i < limits::kTurnCallsMax; ++i) machine.count_call();
  EXPECT_EQ(machine.before_next_batch(0), Wait::nothing);
  machine.count_call();
  EXPECT_EQ(machine.before_next_batch(0), Wait::next_turn);
  EXPECT_EQ(machine.before_next_batch(limits::kUnreadOutputMax + 1), Wait::next_turn);
  machine.begin_turn();
  EXPECT_EQ(machine.before_next_batch(0), Wait::nothing);
  machine.close(0);
  EXPECT_EQ(machine.before_next_batch(limits::kUnreadOutputMax + 1), Wait::nothing);
}

TEST(Machine, ItsShareOfATurnIsBoundedInTime) {
  Machine machine;
  machine.count_work(40, 100);
  machine.count_work(59, 100);
  EXPECT_EQ(machine.before_next_batch(0), Wait::nothing);
  machine.count_work(1, 100);
  EXPECT_EQ(machine.before_next_batch(0), Wait::next_turn);
  machine.begin_turn();
  machine.count_work(99, 100);
  EXPECT_EQ(machine.before_next_batch(0), Wait::nothing);
}

}  // namespace
}  // namespace slotcar::session
